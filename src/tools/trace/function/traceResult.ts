import * as l10n from '@vscode/l10n';
import type { BoundedRun, ProgramState } from '../../../control/boundedRun';
import type { RecordedCallees } from '../../../recording/callRecorder';
import { defined } from '../../../util/defined';
import { debuggerGone, lostSight } from '../../reports/lostSight';
import type { ToolServices } from '../../services';
import { programPlace } from '../programPlace';
import type { CallLife, Change } from './callModel';
import type { Reached } from './entry';
import { executedIn, renderTrace, shortText } from './renderTrace';
import type { TraceTarget } from './target';
import type { TracedCall } from './traceCall';

export type TraceResult = {
  readonly status: 'stopped' | 'running' | 'completed' | 'timeout' | 'interrupted';
} & Readonly<Record<string, unknown>>;

/** The maximum length of one value outside the lines, in characters. */
const MAX_OF_A_VALUE = 300;

/** The result for a traced call. */
export async function tracedResult(
  services: ToolServices,
  run: BoundedRun,
  { life, endedBy, stepped, recordedCallees, valueStops = 0, passedStops, last, fault }: TracedCall,
  { call, room }: { readonly call: number; readonly room: number },
): Promise<TraceResult> {
  const { lines, omitted } = renderTrace(life, room);
  const program = run.state();
  const { end } = life;
  const values = (changes: readonly Change[]): readonly string[] =>
    changes.map(({ name, before, now }) =>
      before === undefined
        ? `${name} = ${short(now)}`
        : `${name}: ${short(before)} → ${short(now)}`,
    );
  return {
    status: statusOf(program, endedBy),
    ...defined({ ended_by: endedBy, recorder_failed: fault }),
    function: life.name,
    ...defined({ file_path: life.path }),
    call,
    ...argumentsOf(life),
    trace: lines,
    executed_lines: executedIn(life),
    // With a depth of 1, the calls are stepped and reported by each debugger.
    ...calleesOf(recordedCallees),
    ...(end.kind === 'returned' && end.value !== undefined ? { returned: short(end.value) } : {}),
    // The program has left the call, and the debugger did not show how.
    ...(end.kind === 'open' && end.isLeft === true ? { end: 'not_seen' } : {}),
    ...(end.kind === 'threw' ? { threw: short(end.exception ?? '?') } : {}),
    // The debugger showed no value: it is unknown, or the function has none.
    ...(end.kind === 'returned' && end.value === undefined ? { returned_value: 'not_shown' } : {}),
    ...(life.argumentChanges.length > 0 ? { argument_changes: values(life.argumentChanges) } : {}),
    ...(stepped > 0 ? { stepped_lines: stepped } : {}),
    ...(valueStops > 0 ? { stepped_calls: valueStops } : {}),
    ...(passedStops !== undefined && passedStops.size > 0
      ? { passed_stops: Object.fromEntries(passedStops) }
      : {}),
    ...(await programPlace(services, run, last)),
    ...omittedFrom(omitted, life),
  };
}

/** The result if the program did not reach the call. */
export async function notReachedResult(
  services: ToolServices,
  run: BoundedRun,
  target: TraceTarget,
  reached: Extract<Reached, { kind: 'not' }>,
  condition: string | undefined,
): Promise<TraceResult> {
  const { endedBy, seen, bound, message, conditionError } = reached;
  // What the debugger has seen before is known.
  const lost = conditionError === undefined ? lostSight(services, run.sessions) : undefined;
  return {
    status: statusOf(run.state(), endedBy),
    ended_by: endedBy,
    ...(lost === undefined
      ? { reached: false, message: notReachedMessage(target.name, condition, conditionError) }
      : { reached: 'unknown', message: lost }),
    function: target.name,
    ...defined({ file_path: target.place?.path, breakpoint_line: target.place?.found.entry.line }),
    ...defined({ calls_seen: seen, breakpoint_bound: bound, breakpoint_message: message }),
    ...(await programPlace(services, run)),
    ...(debuggerGone(run.sessions) === undefined
      ? {}
      : { ended_by: 'debugger_gone', program: 'unknown' }),
  };
}

function notReachedMessage(name: string, condition?: string, error?: string): string {
  if (error !== undefined) return l10n.t('The condition failed in a call of {0}: {1}', name, error);
  if (condition === undefined) return l10n.t('That call of {0} was not reached.', name);
  return l10n.t('No call of {0} met the condition. A condition that fails is not met.', name);
}

/** Counts the rows that were left out, and the variables whose changes are unknown. */
function omittedFrom(rows: number, life: CallLife): Readonly<Record<string, unknown>> {
  const outside = mostLeftOut(life);
  const counts = {
    ...(rows > 0 ? { trace: rows } : {}),
    ...(outside > 0 ? { outside_variables: outside } : {}),
  };
  return Object.keys(counts).length === 0 ? {} : { omitted: counts };
}

/** Returns the number of unread variables of the traced call, or of the opened call that has more of them. */
function mostLeftOut({ outsideLeftOut = 0, lines }: CallLife): number {
  const inner = lines.flatMap(({ callees }) => callees.flatMap(({ life }) => life ?? []));
  return Math.max(outsideLeftOut, ...inner.map(mostLeftOut));
}

/** The object of a method is no parameter in JavaScript and C++. */
function argumentsOf({ args }: CallLife): Readonly<Record<string, unknown>> {
  const all = new Map(args.map(([name, value]) => [name, short(value)]));
  const receiver = all.get('this');
  all.delete('this');
  return { ...defined({ this: receiver }), arguments: Object.fromEntries(all) };
}

function calleesOf(recorded: RecordedCallees = 'all'): Readonly<Record<string, string>> {
  if (recorded === 'all') return {};
  return { callees: recorded === 'some' ? 'partly_recorded' : 'not_recorded' };
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
