import type { BoundedRun, ProgramState } from '../../../control/boundedRun';
import type { PassedStops } from '../../../control/passedStops';
import type { RecordedCallees } from '../../../recording/callRecorder';
import { defined } from '../../../util/defined';
import { debuggerGone } from '../../reports/lostSight';
import { withoutHit, type WithoutHit } from '../../reports/withoutHit';
import type { ToolServices } from '../../services';
import { programPlace, programTop } from '../programPlace';
import { changedSource, type ChangedSource } from './changedSource';
import type { CallEnd, CallHistory, Change } from './callModel';
import type { Reached } from './entry';
import { stoppedBy } from './exceptionStop';
import { changeTexts, executedIn, renderTrace, shortText } from './renderTrace';
import { isIn, type TraceTarget } from './traceTarget';
import type { TracedCall } from './traceCall';
import { unseenCall } from './unseenCall';

export type TraceResult = {
  readonly status: 'stopped' | 'running' | 'completed' | 'timeout' | 'interrupted';
} & Readonly<Record<string, unknown>>;

/** The maximum length of one value outside the lines, in characters. */
const MAX_OF_A_VALUE = 300;
/** The maximum length of each value of a change, in characters. */
const MAX_OF_A_CHANGE = 120;
/** The maximum number of changes of arguments that are shown. */
const MAX_CHANGES = 20;

/** Said to the model. */
const UNNAMED =
  'Where the exception arrived, it has no name, so its text is not known. set_exception_breakpoints with a filter for caught exceptions, such as "all", stops where it is thrown.';

/** The result for a traced call. */
export async function tracedResult(
  services: ToolServices,
  run: BoundedRun,
  { history, endedBy, stepped, recordedCallees, valueStops = 0, last, fault }: TracedCall,
  {
    target,
    call,
    passed,
    room,
  }: {
    readonly target: TraceTarget;
    readonly call: number;
    readonly passed: PassedStops;
    readonly room: number;
  },
): Promise<TraceResult> {
  const { lines, omitted } = renderTrace(history, room);
  const changed = await changedSource(services, target);
  const program = run.state();
  const { end } = history;
  const values = (changes: readonly Change[]): readonly string[] => {
    const texts = changes.slice(0, MAX_CHANGES).map(changeText);
    const more = changes.length - texts.length;
    return more > 0 ? [...texts, `${more} more`] : texts;
  };
  return {
    status: statusOf(program, endedBy),
    ...defined({ ended_by: endedBy, recorder_failed: fault }),
    function: history.name,
    ...defined({ file_path: history.path }),
    call,
    ...argumentsOf(history),
    trace: lines,
    executed_lines: executedIn(history),
    // With a depth of 1, the calls are stepped and reported by each debugger.
    ...calleesOf(recordedCallees),
    ...endFields(end),
    ...(endedBy === 'exception' && end.kind !== 'threw'
      ? defined({ stopped_by: await stoppedBy(services, run) })
      : {}),
    ...(history.argumentChanges.length > 0
      ? { argument_changes: values(history.argumentChanges) }
      : {}),
    ...(stepped > 0 ? { stepped_lines: stepped } : {}),
    ...(valueStops > 0 ? { stepped_calls: valueStops } : {}),
    ...defined({ passed_stops: passed.shown }),
    ...changedField(changed),
    ...(await programPlace(services, run, last)),
    ...omittedFrom(omitted, history),
  };
}

/** What is known about the end of the call. */
function endFields(end: CallEnd): Readonly<Record<string, unknown>> {
  switch (end.kind) {
    case 'returned':
      // The debugger showed no value: it is unknown, or the function has none.
      return end.value === undefined
        ? { returned_value: 'not_shown' }
        : { returned: short(end.value) };
    case 'threw':
      return end.exception === undefined
        ? { threw: '?', hint: UNNAMED }
        : { threw: short(end.exception) };
    case 'open':
      // The program has left the call, and the debugger did not show how.
      return end.isLeft === true ? { end: 'not_seen' } : {};
  }
}

/** The result if the program did not reach the call. */
export async function notReachedResult(
  services: ToolServices,
  run: BoundedRun,
  target: TraceTarget,
  reached: Extract<Reached, { kind: 'not' }>,
  { condition, passed }: { readonly condition: string | undefined; readonly passed: PassedStops },
): Promise<TraceResult> {
  const { endedBy, bound } = reached;
  const { name, place } = target;
  const changed = await changedSource(services, target);
  const program = await programPlace(services, run);
  const top = await programTop(services, run);
  return {
    status: statusOf(run.state(), endedBy),
    ended_by: endedBy,
    ...unseenCall({
      ...{ name, condition, reached },
      withoutHit: sinceChange(withoutHit(services, run.sessions, bound), changed),
      isInside: top !== undefined && place !== undefined && isIn(place, top),
    }),
    function: name,
    ...defined({ file_path: place?.path, breakpoint_line: place?.found.entry.line }),
    ...defined({ passed_stops: passed.shown }),
    ...changedField(changed),
    ...program,
    ...(debuggerGone(run.sessions) === undefined
      ? {}
      : { ended_by: 'debugger_gone', program: 'unknown' }),
  };
}

/** A function that an edit has moved may have been called without its breakpoint. */
function sinceChange(without: WithoutHit, changed: ChangedSource | undefined): WithoutHit {
  if (changed?.message === undefined || without.why === 'unknown') return without;
  return { why: 'unknown', message: changed.message };
}

/** The lines that are shown may be those before or after the change. */
function changedField(changed: ChangedSource | undefined): Readonly<Record<string, true>> {
  return changed === undefined ? {} : { source_changed_during_call: true };
}

/** Counts the rows that were left out, and the variables whose changes are unknown. */
function omittedFrom(rows: number, history: CallHistory): Readonly<Record<string, unknown>> {
  const outside = mostLeftOut(history);
  const counts = {
    ...(rows > 0 ? { trace: rows } : {}),
    ...(outside > 0 ? { outside_variables: outside } : {}),
  };
  return Object.keys(counts).length === 0 ? {} : { omitted: counts };
}

/** Returns the number of unread variables of the traced call, or of the opened call that has more of them. */
function mostLeftOut({ outsideLeftOut = 0, lines }: CallHistory): number {
  const inner = lines.flatMap(({ callees }) => callees.flatMap(({ history }) => history ?? []));
  return Math.max(outsideLeftOut, ...inner.map(mostLeftOut));
}

/** The object of a method is no parameter in JavaScript and C++. */
function argumentsOf({ args }: CallHistory): Readonly<Record<string, unknown>> {
  const all = new Map(args.map(([name, value]) => [name, short(value)]));
  const receiver = all.get('this');
  all.delete('this');
  return { ...defined({ this: receiver }), arguments: Object.fromEntries(all) };
}

function calleesOf(recorded: RecordedCallees = 'all'): Readonly<Record<string, string>> {
  if (recorded === 'all') return {};
  return { callees: recorded === 'some' ? 'partly_recorded' : 'not_recorded' };
}

/** The texts of an object that changed are often the same but for a member, so they begin shortly before that. */
export function changeText({ name, before, now }: Change): string {
  if (before === undefined) return `${name} = ${short(now)}`;
  const [from, to] = changeTexts(before, now, MAX_OF_A_CHANGE);
  return `${name}: ${shortText(from, MAX_OF_A_CHANGE)} → ${shortText(to, MAX_OF_A_CHANGE)}`;
}

function short(text: string): string {
  return shortText(text, MAX_OF_A_VALUE);
}

function statusOf(program: ProgramState, endedBy: string | undefined): TraceResult['status'] {
  if (endedBy === 'cancelled') return 'interrupted';
  if (program === 'stopped') return 'stopped';
  if (program === 'ended') return 'completed';
  return endedBy === undefined ? 'running' : 'timeout';
}
