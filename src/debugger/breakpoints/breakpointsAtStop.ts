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

/**
 * The breakpoints that a stop names by the adapter's ids; undefined if the stop names none, or unknown ones. The list is
 * empty if the stop names only breakpoints that VS Code does not know.
 */
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
  return found.length > 0 || hitBreakpointIds.every((id) => isInjected(session, id))
    ? found
    : undefined;
}

/** Whether an adapter's breakpoint was set by a call, and is not also one of VS Code's. */
function isInjected({ sourceBreakpoints }: SessionState, id: number): boolean {
  return [...sourceBreakpoints.values()].some(({ breakpoints }) =>
    breakpoints.some(
      (breakpoint) => breakpoint.id === id && breakpoint.injected?.isMerged === false,
    ),
  );
}

/** The breakpoints at the location of a stop's innermost frame. */
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

/** The breakpoints that stop the program on the line of a frame. */
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

/** The breakpoints that stop the program at the entry of a frame's function. */
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
 * The logpoints that may have printed an output. A logpoint does not stop the program. Its output names its location if
 * the adapter reports locations. The program's own output at that location may name it as well. DAP event `output`.
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

/** Whether the breakpoint was requested on the line or bound to it. */
function isOnLine(session: SessionState, breakpoint: SourceBreakpoint, line: number): boolean {
  return (
    breakpoint.line === line ||
    matches(session, breakpoint).some((adapter) => adapter.line === line)
  );
}

/** The unqualified name of a function, as in `main.square`, `Scenario#square`, `ns::square(int)`. */
function nameOf(functionName: string): string {
  return (
    /(?<![^.#:\s()])([^.#:\s()]+)\s*(?:\([^]*)?$/.exec(functionName.trim())?.[1] ?? functionName
  ).trim();
}
