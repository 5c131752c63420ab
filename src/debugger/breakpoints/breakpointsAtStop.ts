import { matches } from './breakpointMatching';
import { mayBeLogged } from './logMessage';
import type { HostBreakpoint } from '../host';
import type { Frame } from '../inspection/stackAndVariables';
import { countOf, fields, textOf, type Fields } from '../protocol';
import { personPath, samePath } from '../sourcePath';
import type { SessionState, StopState } from '../state/state';

type Breakpoints = readonly HostBreakpoint[];
type SourceBreakpoint = Extract<HostBreakpoint, { kind: 'source' }>;

/** The condition of a breakpoint that never stops. */
const NEVER = 'false';

/** Those that a stop names by the adapter's ids; undefined where it gives none. */
export function namedBy(
  session: SessionState,
  { hitBreakpointIds }: StopState,
  among: Breakpoints,
): Breakpoints | undefined {
  if (hitBreakpointIds === undefined || hitBreakpointIds.length === 0) return undefined;
  const ids = new Set(hitBreakpointIds);
  const found = among.filter((breakpoint) =>
    matches(session, breakpoint).some((adapter) => adapter.id !== undefined && ids.has(adapter.id)),
  );
  return found.length > 0 ? found : undefined;
}

/** Those that a stop is at by the place of its innermost frame. */
export function under(
  session: SessionState,
  { reason }: StopState,
  top: Frame | undefined,
  among: Breakpoints,
): Breakpoints {
  if (!reason.includes('breakpoint') || top === undefined) return [];
  const onLine = stoppingOn(session, top, among);
  return onLine.length > 0 ? onLine : stoppingIn(top, among);
}

/** Those that stop a program on the line of a frame. */
export function stoppingOn(
  session: SessionState,
  { path, line }: Frame,
  among: Breakpoints,
): Breakpoints {
  if (path === undefined) return [];
  return among.filter(
    (breakpoint) =>
      breakpoint.enabled &&
      !breakpoint.logMessage &&
      breakpoint.condition !== NEVER &&
      breakpoint.kind === 'source' &&
      samePath(breakpoint.path, path) &&
      isOnLine(session, breakpoint, line),
  );
}

/** Those that stop a program where it enters the function of a frame. */
function stoppingIn(frame: Frame, among: Breakpoints): Breakpoints {
  return among.filter(
    (breakpoint) =>
      breakpoint.enabled &&
      breakpoint.kind === 'function' &&
      !breakpoint.logMessage &&
      nameOf(breakpoint.functionName) === nameOf(frame.name),
  );
}

/**
 * Logpoints that an output may be of. A logpoint does not stop: what it prints names its place, where the adapter tells
 * it. So may what the program prints there. DAP event `output`.
 */
export function printing(session: SessionState, output: Fields, among: Breakpoints): Breakpoints {
  const path = textOf(fields(output['source'])['path']);
  const line = countOf(output['line']);
  if (path === undefined || line === undefined) return [];
  const text = textOf(output['output']) ?? '';
  return among.filter(
    (breakpoint) =>
      breakpoint.enabled &&
      breakpoint.logMessage &&
      mayBeLogged(text, breakpoint.logMessage) &&
      breakpoint.kind === 'source' &&
      samePath(breakpoint.path, personPath(path)) &&
      isOnLine(session, breakpoint, line),
  );
}

/** Asked for there, or bound there. */
function isOnLine(session: SessionState, breakpoint: SourceBreakpoint, line: number): boolean {
  return (
    breakpoint.line === line ||
    matches(session, breakpoint).some((adapter) => adapter.line === line)
  );
}

/** A function's own name in `main.square`, `Scenario#square`, `ns::square(int)`. */
function nameOf(functionName: string): string {
  return (/([^.#:\s()]+)\s*(?:\(.*)?$/s.exec(functionName.trim())?.[1] ?? functionName).trim();
}
