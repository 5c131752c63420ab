import path from 'node:path';
import { filterType } from '../../debugger/breakpoints/exceptionFilters';
import type { Missed } from '../../debugger/breakpoints/breakpointBook';
import type { SessionState } from '../../debugger/state/state';
import { cutText } from '../../debugger/texts';
import { aboutFailedTest } from '../launch/failedTest';
import type { RunResult } from '../schemas';
import type { ToolServices } from '../services';

type MissedView = NonNullable<RunResult['missed_breakpoints']>[number];

/** How many breakpoints an answer names; the others are counted. */
const MOST_NAMED = 3;
const MOST_OF_A_MESSAGE = 160;

/**
 * What a program that ended by itself went past: the agent's breakpoints at which it did not stop, and a failed test
 * that stopped nothing.
 */
export async function withWhatWasMissed(
  services: ToolServices,
  ended: RunResult,
  members: readonly SessionState[],
): Promise<RunResult> {
  const missed = await missedBreakpoints(services, members);
  const views = missed.map(viewOf);
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
  { breakpoints, workspace }: ToolServices,
  members: readonly SessionState[],
): Promise<readonly Missed[]> {
  if (members.some((each) => each.configuration['noDebug'] === true)) return [];
  const missed = breakpoints.missedIn(members);
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

function viewOf({ id, breakpoint, bound: { adapter } }: Missed): MissedView {
  const asked =
    breakpoint.kind === 'source' ? (adapter.requestedLine ?? breakpoint.line) : undefined;
  const isConditional = Boolean(breakpoint.condition) || Boolean(breakpoint.hitCondition);
  const why = !adapter.verified
    ? 'not_bound'
    : isConditional
      ? 'not_reached_or_condition_false'
      : 'not_reached';
  return {
    id,
    at:
      breakpoint.kind === 'source'
        ? `${path.basename(breakpoint.path)}:${asked ?? breakpoint.line}`
        : breakpoint.functionName,
    why,
    ...(adapter.verified &&
    adapter.line !== undefined &&
    asked !== undefined &&
    adapter.line !== asked
      ? { bound_line: adapter.line }
      : {}),
    ...(!adapter.verified && adapter.message !== undefined
      ? { message: cutText(adapter.message, MOST_OF_A_MESSAGE) }
      : {}),
  };
}

/** debugpy takes a condition that fails for false, without a word where a name does not exist. */
function aboutConditions(
  views: readonly MissedView[],
  missed: readonly Missed[],
): string | undefined {
  const isHidden = missed.some(
    ({ bound, breakpoint }, index) =>
      views[index]?.why === 'not_reached_or_condition_false' &&
      Boolean(breakpoint.condition) &&
      filterType(bound.session.type) === 'debugpy',
  );
  return isHidden
    ? 'debugpy takes a condition that fails for false, and says nothing of a name that does not exist: check it with evaluate_expression at a stop there.'
    : undefined;
}
