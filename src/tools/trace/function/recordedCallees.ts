import type { CallRecorder } from '../../../recording/callRecorder';
import type { RecordedCall, RecordedHit } from '../../../recording/recordedRows';
import type { Callee, Values } from './callModel';
import type { CallTrace } from './callTrace';
import { hitsOfCall } from './hitsOfCall';
import type { SourceCall, SourceFunction } from './source/sourceFunction';

/** Returns what was recorded of the chosen call, in order. */
export function rowsOfCall(
  recorder: CallRecorder,
  beginning: number | undefined,
): readonly (RecordedHit | RecordedCall)[] {
  const all = recorder.read();
  const hits = hitsOfCall(all, beginning);
  const next = all[hits.length]?.seq ?? Infinity;
  const calls = recorder.readCalls().filter(({ seq }) => seq < next);
  return calls.length === 0 ? hits : [...hits, ...calls].sort((one, other) => one.seq - other.seq);
}

/**
 * Returns the values of the variables to which a statement assigned what a call returned.
 * @param next the line that is executed next, which shows the values
 * @param isOpen whether the end of the call was not seen. An exception may have left it.
 */
export function assignedBy(
  { assigned, isDeclared, block }: SourceCall,
  values: Values,
  next: number,
  isOpen: boolean,
): string | undefined {
  if (isOpen && !isDeclared) return undefined;
  // Behind the block, the names may belong to other variables.
  if (block !== undefined && (next < block.start || next > block.end)) return undefined;
  const texts = assigned.map((name) => (name === '_' ? '_' : values.get(name)));
  return texts.length === 0 || texts.includes(undefined) ? undefined : texts.join(', ');
}

/** Returns the call of a line by its name. Returns undefined if several have that name. */
export function callAt(
  found: Pick<SourceFunction, 'calls'>,
  line: number | undefined,
  name: string,
): SourceCall | undefined {
  if (line === undefined) return undefined;
  const [only, other] = (found.calls ?? []).filter(
    (call) =>
      name === (call.isNew ? `new ${call.name}` : call.name) &&
      call.start <= line &&
      line <= call.end,
  );
  return other === undefined ? only : undefined;
}

/** Adds a call that the chosen call made, its end, or an exception, to the trace of the chosen call. */
export function noteCallee(trace: CallTrace, call: RecordedCall): void {
  if (call.kind === 'thrown') {
    trace.thrown(call.text);
  } else if (call.kind === 'called') {
    const { name, args, hasEnds, isLibrary } = call;
    trace.callee({
      ...{ name, args: isLibrary === true ? undefined : args, end: { kind: 'open' } },
      ...{ hasEnds: hasEnds !== false, isLibrary },
    });
  } else if (call.kind === 'throws') {
    trace.calleeThrows(call.source);
  } else if (!call.isChosen) {
    const end: Callee['end'] = call.hasReturned
      ? { kind: 'returned', value: call.value }
      : { kind: 'threw', exception: undefined, source: call.value };
    trace.endCallee(end);
    if (!call.hasReturned) trace.thrown(undefined);
  }
}
