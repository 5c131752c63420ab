import type { HostBreakpoint } from '../host';
import { adapterOf } from '../adapters/registry';
import { samePath } from '../sourcePath';
import {
  isLive,
  isSettingBreakpoints,
  type AdapterBreakpoint,
  type DebugState,
  type SessionState,
} from '../state/state';

/** One of VS Code's breakpoints as the adapter of one session reported it. */
export interface Bound {
  readonly session: SessionState;
  readonly adapter: AdapterBreakpoint;
}

/**
 * The breakpoint as the adapter of each live session reported it. Omits sessions that did not receive the breakpoint,
 * and parent sessions whose children run the program (js-debug).
 */
export function boundIn(state: DebugState, breakpoint: HostBreakpoint): readonly Bound[] {
  return boundAmong([...state.sessions.values()].filter(isLive), breakpoint);
}

/**
 * The breakpoint as the adapters of the given sessions reported it. For an ended session, this is the adapter's last
 * report.
 */
export function boundAmong(
  sessions: readonly SessionState[],
  breakpoint: HostBreakpoint,
): readonly Bound[] {
  const found = sessions.flatMap((session) => {
    const adapter = matches(session, breakpoint)[0];
    return adapter === undefined ? [] : [{ session, adapter }];
  });
  return found.filter(
    ({ session }) =>
      session.threads.size > 0 || !found.some((other) => other.session.parentKey === session.key),
  );
}

/**
 * Whether a live session received the list for the breakpoint's file without the breakpoint, although the breakpoint is
 * enabled. VS Code sends such lists while breakpoints are deactivated.
 */
export function isWithheld(state: DebugState, breakpoint: HostBreakpoint): boolean {
  return [...state.sessions.values()]
    .filter(isLive)
    .some((session) => isWithheldFrom(session, breakpoint));
}

/** Whether VS Code withholds the breakpoint from one session, see `isWithheld`. */
export function isWithheldFrom(session: SessionState, breakpoint: HostBreakpoint): boolean {
  if (!breakpoint.enabled || breakpoint.kind !== 'source') return false;
  const sent = [...session.sourceBreakpoints].find(([path]) => samePath(path, breakpoint.path));
  // A pending request may include the breakpoint.
  return (
    sent !== undefined &&
    !isSettingBreakpoints(session) &&
    sent[1].breakpoints.every(({ injected }) => injected?.isMerged === false)
  );
}

/** The adapter's breakpoints that correspond to one of VS Code's breakpoints. */
export function matches(
  session: SessionState,
  breakpoint: HostBreakpoint,
): readonly AdapterBreakpoint[] {
  if (breakpoint.kind === 'function') {
    return (
      session.functionBreakpoints?.breakpoints.filter(
        (candidate) =>
          candidate.requestedName === breakpoint.functionName &&
          hasConditions(candidate, breakpoint),
      ) ?? []
    );
  }
  const found: AdapterBreakpoint[] = [];
  for (const [path, answers] of session.sourceBreakpoints) {
    if (!samePath(path, breakpoint.path)) continue;
    const candidates = answers.breakpoints.filter(
      (candidate) => candidate.injected?.isMerged !== false && hasConditions(candidate, breakpoint),
    );
    const requested = candidates.filter(({ requestedLine }) => requestedLine === breakpoint.line);
    // Once an adapter has bound the breakpoint to another line, VS Code itself shows it there.
    const bound = candidates.filter(({ line }) => line === breakpoint.line);
    found.push(...(requested.length > 0 ? requested : bound));
  }
  const column = breakpoint.column;
  return column === undefined
    ? found
    : found.filter(
        (candidate) =>
          candidate.requestedColumn === undefined ||
          candidate.requestedColumn === column ||
          candidate.column === column,
      );
}

/**
 * Whether an adapter's breakpoint was requested with the current conditions. Reports about a replaced breakpoint do not
 * count.
 */
function hasConditions(adapter: AdapterBreakpoint, breakpoint: HostBreakpoint): boolean {
  const same = (requested: string | undefined, now: string | undefined): boolean =>
    (requested || undefined) === (now || undefined);
  return (
    same(adapter.requestedCondition, breakpoint.condition) &&
    same(adapter.requestedHitCondition, breakpoint.hitCondition) &&
    same(adapter.requestedLogMessage, breakpoint.logMessage)
  );
}

/**
 * Whether a verified breakpoint means that the adapter has loaded its file. Some adapters verify every breakpoint in an
 * existing file before anything is loaded, and never correct that.
 */
export function reportsLoading(debugType: string): boolean {
  return adapterOf(debugType).verifiesUnloadedFiles !== true;
}
