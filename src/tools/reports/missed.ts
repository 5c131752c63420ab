import path from 'node:path';
import { tellsOfLoading } from '../../debugger/breakpoints/breakpointMatching';
import { adapterOf } from '../../debugger/adapters/registry';
import type { Missed } from '../../debugger/breakpoints/breakpointHits';
import { textOf } from '../../debugger/protocol';
import { samePath } from '../../debugger/sourcePath';
import type { SessionState } from '../../debugger/state/state';
import { cutText } from '../../debugger/texts';
import { defined } from '../../util/defined';
import { aboutFailedTest } from '../launch/failedTest';
import type { RunResult } from '../schemas';
import { whySilent } from './silentLogpoints';
import type { ToolServices } from '../services';

type MissedView = NonNullable<RunResult['missed_breakpoints']>[number];

/** How many breakpoints an answer names; the others are counted. */
const MOST_NAMED = 3;
const MOST_OF_A_MESSAGE = 160;

/**
 * What a program that ended by itself went past: the agent's breakpoints for it that were not hit, and a failed test
 * that stopped nothing.
 */
export async function withWhatWasMissed(
  services: ToolServices,
  ended: RunResult,
  members: readonly SessionState[],
): Promise<RunResult> {
  const missed = await missedBreakpoints(services, members);
  const views = missed.flatMap((each) => viewOf(services, members, each) ?? []);
  const hints = [
    ended.hint,
    aboutConditions(views, missed),
    aboutFailedTest(services, members),
  ].filter((each) => each !== undefined);
  const left = views.length - MOST_NAMED;
  return {
    ...ended,
    ...(hints.length > 0 ? { hint: hints.join(' ') } : {}),
    ...(views.length > 0 ? { missed_breakpoints: views.slice(0, MOST_NAMED) } : {}),
    ...(left > 0 ? { omitted: { ...ended.omitted, missed_breakpoints: left } } : {}),
  };
}

async function missedBreakpoints(
  services: ToolServices,
  members: readonly SessionState[],
): Promise<readonly Missed[]> {
  if (members.some((session) => session.configuration['noDebug'] === true)) return [];
  const { breakpoints, workspace } = services;
  const missed = breakpoints.missedIn(members).filter((each) => isOfRun(services, members, each));
  // VS Code may send an adapter those of files of another language.
  const isMeant = await Promise.all(
    missed.map(
      async ({ breakpoint, bound }) =>
        breakpoint.kind === 'function' ||
        (await workspace.isForLanguage(breakpoint.path, bound.session.type)),
    ),
  );
  return missed.filter((_, index) => isMeant[index]);
}

/**
 * Whether a breakpoint is this program's: VS Code sends those of other programs, too. It was set for it, or an adapter
 * that looks at what is loaded has bound it, or its file took part in the run.
 */
function isOfRun(
  { breakpoints, named }: ToolServices,
  members: readonly SessionState[],
  { breakpoint, bound: { adapter, session } }: Missed,
): boolean {
  if (breakpoints.isMeantFor(breakpoint, session)) return true;
  if (adapter.verified && tellsOfLoading(session.type)) return true;
  if (breakpoint.kind !== 'source') return false;
  const { path: file } = breakpoint;
  return (
    named.isNamedIn(members, file) ||
    members.some(({ configuration }) => samePath(textOf(configuration['program']) ?? '', file))
  );
}

/** Undefined of a logpoint that may have printed. */
function viewOf(
  services: ToolServices,
  members: readonly SessionState[],
  { id, breakpoint, bound: { adapter, session } }: Missed,
): MissedView | undefined {
  const silence = breakpoint.logMessage
    ? whySilent(services, members, session, breakpoint.logMessage)
    : 'not_reached';
  if (silence === undefined) return undefined;
  const asked =
    breakpoint.kind === 'source' ? (adapter.requestedLine ?? breakpoint.line) : undefined;
  const isConditional = Boolean(breakpoint.condition) || Boolean(breakpoint.hitCondition);
  const reached =
    isConditional && silence === 'not_reached' ? 'not_reached_or_condition_false' : silence;
  const why = adapter.verified ? reached : 'not_bound';
  return defined({
    id,
    at:
      breakpoint.kind === 'source'
        ? `${path.basename(breakpoint.path)}:${asked ?? breakpoint.line}`
        : breakpoint.functionName,
    why,
    bound_line:
      adapter.verified &&
      adapter.line !== undefined &&
      asked !== undefined &&
      adapter.line !== asked
        ? adapter.line
        : undefined,
    message:
      !adapter.verified && adapter.message !== undefined
        ? cutText(adapter.message, MOST_OF_A_MESSAGE)
        : undefined,
  });
}

/** debugpy takes a condition that fails for false, without a word where a name does not exist. */
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
    ? 'debugpy takes a condition that fails for false, and says nothing of a name that does not exist: check it with evaluate_expression at a stop there.'
    : undefined;
}
