import path from 'node:path';
import { reportsLoading } from '../../debugger/breakpoints/breakpointMatching';
import { adapterOf } from '../../debugger/adapters/registry';
import type { Missed } from '../../debugger/breakpoints/breakpointHits';
import { textOf } from '../../debugger/protocol';
import { samePath } from '../../debugger/sourcePath';
import type { SessionState } from '../../debugger/state/state';
import { cutText } from '../../debugger/texts';
import { defined } from '../../util/defined';
import { aboutFailedTest } from '../launch/failedTest';
import type { RunResult } from '../schemas';
import { withoutHit } from './withoutHit';
import { whySilent } from './silentLogpoints';
import type { ToolServices } from '../services';

type MissedView = NonNullable<RunResult['missed_breakpoints']>[number];

/** The maximum number of breakpoints that a result lists. The others are counted. */
const MAX_NAMED = 3;
const MAX_OF_A_MESSAGE = 160;

/**
 * Adds the missed stops to the report of a program that ended by itself. These are the agent's breakpoints that were
 * not hit, and a failed test at which the program did not stop.
 */
export async function withMissed(
  services: ToolServices,
  ended: RunResult,
  members: readonly SessionState[],
): Promise<RunResult> {
  const missed = await missedBreakpoints(services, members);
  const views = missed.flatMap((breakpoint) => viewOf(services, members, breakpoint) ?? []);
  const hints = [
    ended.hint,
    aboutConditions(views, missed),
    aboutFailedTest(services, members),
  ].filter((hint) => hint !== undefined);
  const left = views.length - MAX_NAMED;
  return {
    ...ended,
    ...defined({
      hint: hints.length > 0 ? hints.join(' ') : undefined,
      missed_breakpoints: views.length > 0 ? views.slice(0, MAX_NAMED) : undefined,
      omitted: left > 0 ? { ...ended.omitted, missed_breakpoints: left } : ended.omitted,
    }),
  };
}

async function missedBreakpoints(
  services: ToolServices,
  members: readonly SessionState[],
): Promise<readonly Missed[]> {
  if (members.some((session) => session.configuration['noDebug'] === true)) return [];
  const { breakpoints, workspace } = services;
  const missed = breakpoints
    .missedIn(members)
    .filter((breakpoint) => isOfRun(services, members, breakpoint));
  // VS Code may also send an adapter breakpoints in files in another language.
  const isIncluded = await Promise.all(
    missed.map(
      async ({ breakpoint, bound }) =>
        breakpoint.kind === 'function' ||
        (await workspace.isForLanguage(breakpoint.path, bound.session.type)),
    ),
  );
  return missed.filter((_, index) => isIncluded[index]);
}

/**
 * Whether a breakpoint belongs to this program. The check is necessary because VS Code also sends breakpoints for other
 * programs. A breakpoint belongs to the program if it was set for the program, if an adapter that binds only in loaded
 * files has bound it, or if its file was part of the run.
 */
function isOfRun(
  { breakpoints, named }: ToolServices,
  members: readonly SessionState[],
  { breakpoint, bound: { adapter, session } }: Missed,
): boolean {
  if (breakpoints.isMeantFor(breakpoint, session)) return true;
  if (adapter.verified && reportsLoading(session.type)) return true;
  if (breakpoint.kind !== 'source') return false;
  const { path: file } = breakpoint;
  return (
    named.isNamedIn(members, file) ||
    members.some(({ configuration }) => samePath(textOf(configuration['program']) ?? '', file))
  );
}

/**
 * Returns the result's view of a missed breakpoint. Returns undefined for a logpoint that may have printed its message.
 */
function viewOf(
  services: ToolServices,
  members: readonly SessionState[],
  { id, breakpoint, bound: { adapter, session } }: Missed,
): MissedView | undefined {
  const silence = breakpoint.logMessage
    ? whySilent(services, members, session, breakpoint.logMessage)
    : 'not_reached';
  if (silence === undefined) return undefined;
  const requestedLine =
    breakpoint.kind === 'source' ? (adapter.requestedLine ?? breakpoint.line) : undefined;
  const isConditional = Boolean(breakpoint.condition) || Boolean(breakpoint.hitCondition);
  const reached =
    isConditional && silence === 'not_reached' ? 'not_reached_or_condition_false' : silence;
  const found = withoutHit(services, members, adapter.verified);
  const why = found.why === 'not_reached' ? reached : found.why;
  return defined({
    id,
    at:
      breakpoint.kind === 'source'
        ? `${path.basename(breakpoint.path)}:${requestedLine ?? breakpoint.line}`
        : breakpoint.functionName,
    why,
    bound_line:
      adapter.verified &&
      adapter.line !== undefined &&
      requestedLine !== undefined &&
      adapter.line !== requestedLine
        ? adapter.line
        : undefined,
    message:
      why === 'not_bound' && adapter.message !== undefined
        ? cutText(adapter.message, MAX_OF_A_MESSAGE)
        : found.message,
  });
}

/**
 * Returns a hint about conditions that may have failed. debugpy treats a condition that throws as false, and does not
 * report a name that does not exist.
 */
function aboutConditions(
  views: readonly MissedView[],
  missed: readonly Missed[],
): string | undefined {
  const isHidden = missed.some(
    ({ id, bound, breakpoint }) =>
      views.some((view) => view.id === id && view.why === 'not_reached_or_condition_false') &&
      Boolean(breakpoint.condition) &&
      adapterOf(bound.session.type).hidesFailedConditions === true,
  );
  return isHidden
    ? 'debugpy treats a condition that fails as false and reports no error for a name that does not exist. Check it with evaluate_expression at a stop there.'
    : undefined;
}
