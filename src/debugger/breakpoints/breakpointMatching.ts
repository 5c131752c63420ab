import type { HostBreakpoint } from '../host';
import { adapterOf } from '../adapters/registry';
import { samePath } from '../sourcePath';
import { isLive, type AdapterBreakpoint, type DebugState, type SessionState } from '../state/state';

/** What one session's adapter answered about a breakpoint of VS Code's. */
export interface Bound {
  readonly session: SessionState;
  readonly adapter: AdapterBreakpoint;
}

/**
 * What each live session's adapter answered about a breakpoint. Sessions that it was not sent to are left out, and so
 * are those that only stand for their children, which run the program (js-debug).
 */
export function boundIn(state: DebugState, breakpoint: HostBreakpoint): readonly Bound[] {
  return boundAmong([...state.sessions.values()].filter(isLive), breakpoint);
}

/** The same of given sessions, which may have ended: what their adapters answered last. */
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
 * Whether a live session was told of the breakpoint's file and yet not of the breakpoint, though it is enabled: VS Code
 * does so while its breakpoints are deactivated.
 */
export function isWithheld(state: DebugState, breakpoint: HostBreakpoint): boolean {
  return [...state.sessions.values()]
    .filter(isLive)
    .some((session) => isWithheldFrom(session, breakpoint));
}

/** The same, for one session. */
export function isWithheldFrom(session: SessionState, breakpoint: HostBreakpoint): boolean {
  if (!breakpoint.enabled || breakpoint.kind !== 'source') return false;
  const sent = [...session.sourceBreakpoints].find(([path]) => samePath(path, breakpoint.path));
  // An answer that is still to come may be about it.
  const isAsked = [...session.pending.values()].some((each) => each.command === 'setBreakpoints');
  return (
    sent !== undefined &&
    !isAsked &&
    sent[1].breakpoints.every((each) => each.injected?.isMerged === false)
  );
}

/** An adapter's breakpoints that stand for one of VS Code's. */
export function matches(
  session: SessionState,
  breakpoint: HostBreakpoint,
): readonly AdapterBreakpoint[] {
  if (breakpoint.kind === 'function') {
    return (
      session.functionBreakpoints?.breakpoints.filter(
        (each) => each.requestedName === breakpoint.functionName && hasConditions(each, breakpoint),
      ) ?? []
    );
  }
  const found: AdapterBreakpoint[] = [];
  for (const [path, answers] of session.sourceBreakpoints) {
    if (!samePath(path, breakpoint.path)) continue;
    const alike = answers.breakpoints.filter(
      (each) => each.injected?.isMerged !== false && hasConditions(each, breakpoint),
    );
    const onLine = alike.filter((each) => each.requestedLine === breakpoint.line);
    // Once an adapter has bound it elsewhere, VS Code itself shows it there.
    found.push(
      ...(onLine.length > 0 ? onLine : alike.filter((each) => each.line === breakpoint.line)),
    );
  }
  const column = breakpoint.column;
  return column === undefined
    ? found
    : found.filter(
        (each) =>
          each.requestedColumn === undefined ||
          each.requestedColumn === column ||
          each.column === column,
      );
}

/** Whether an adapter's breakpoint was asked for with the same conditions: of one that was replaced, nothing counts. */
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
 * Whether an adapter that has bound a breakpoint has loaded its file. Some verify each one in a file that exists, before
 * anything is loaded, and never correct it.
 */
export function tellsOfLoading(debugType: string): boolean {
  return adapterOf(debugType).verifiesUnloadedFiles !== true;
}
