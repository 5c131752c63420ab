import type { CallRecorder } from '../../../recording/callRecorder';
import type { RecordedCall, RecordedHit } from '../../../recording/recordedRows';
import type { Callee, Values } from './callModel';
import type { CallTrace } from './callTrace';
import { hitsOfCall } from './recordedRun';
import type { SourceCall, SourceFunction } from './source/sourceFunction';

/** Returns what was recorded of the chosen call, in order. */
export function rowsOfCall(
  recorder: CallRecorder,
  beginning: number | undefined,
): readonly (RecordedHit | RecordedCall)[] {
  const all = recorder.read();
  const hits = hitsOfCall(all, beginning);
  const next = all[hits.length]?.seq ?? Infinity;
  const calls = withLastEnds(recorder.readCalls().filter(({ seq }) => seq < next));
  return calls.length === 0 ? hits : [...hits, ...calls].sort((one, other) => one.seq - other.seq);
}

/** Leaves out the ends of callees that did not leave them: exceptions that they caught themselves. */
function withLastEnds(calls: readonly RecordedCall[]): readonly RecordedCall[] {
  return calls.filter((call, index) => {
    const next = calls[index + 1];
    return call.kind !== 'ended' || call.isChosen || next?.kind !== 'ended' || next.isChosen;
  });
}

/** Returns the values of the variables to which a statement assigned what a call returned. */
export function assignedBy({ assigned }: SourceCall, values: Values): string | undefined {
  const texts = assigned.map((name) => (name === '_' ? '_' : values.get(name)));
  return texts.length === 0 || texts.includes(undefined) ? undefined : texts.join(', ');
}

/** Returns the call of a line by its name. Returns undefined if several have that name. */
export function callAt(
  found: SourceFunction,
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
    trace.callee({ name: call.name, args: call.args, end: { kind: 'open' } });
  } else if (!call.isChosen) {
    const end: Callee['end'] = call.hasReturned
      ? { kind: 'returned', value: call.value }
      : { kind: 'threw', exception: undefined, source: call.value };
    trace.endCallee(end);
    if (!call.hasReturned) trace.thrown(undefined);
  }
}
