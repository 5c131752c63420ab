import { DebuggerError } from '../debugger/debuggerError';
import type { BreakpointBook } from '../debugger/breakpoints/breakpointBook';
import type { HostBreakpoint } from '../debugger/host';
import { Interrupted } from '../debugger/requests';
import type { AdapterBreakpoint, SessionState } from '../debugger/state/state';
import { epochsOf, nextOutcome, stoppedSince } from './nextOutcome';
import type { Outcome } from './outcome';
import type { MoveOptions, RunControl } from './runControl';

/** The time that an adapter may take to respond to the breakpoint, in milliseconds. */
const BIND_LIMIT_MS = 3000;

/**
 * The time for which a temporary breakpoint is kept after its call has ended, so that the program can still reach it.
 */
const A_DAY_MS = 24 * 60 * 60 * 1000;

export interface RunToLine {
  readonly session: SessionState;
  readonly thread: number;
  readonly path: string;
  readonly line: number;
}

export interface RunToLineOutcome {
  readonly outcome: Outcome;
  /** The line to which the adapter bound the requested line; undefined if it did not report one. */
  readonly boundLine: number | undefined;
}

/**
 * Runs to a line with a temporary breakpoint. If an unconditional breakpoint exists there, it is used instead. The
 * temporary breakpoint is removed when the program stops or ends. If the wait ends first, the program still stops
 * there.
 * @throws DebuggerError `placeTaken` and those of `RunControl.move`; Interrupted
 */
export async function runToLine(
  control: RunControl,
  book: BreakpointBook,
  { session, thread, path, line }: RunToLine,
  options: MoveOptions,
): Promise<RunToLineOutcome> {
  const others = book.at(path, line);
  if (others.some(stopsAlways)) {
    const outcome = await control.move(session, thread, 'continue', options);
    return { outcome, boundLine: undefined };
  }
  const [other] = others;
  // VS Code keeps one breakpoint per location. A second one would not be set, and the program would run past it.
  if (other !== undefined)
    throw new DebuggerError({ kind: 'placeTaken', breakpointId: book.idOf(other) });
  const temporary = control.temporary.add({ kind: 'source', path, line });
  const bound = (): AdapterBreakpoint | undefined => boundOf(book, temporary.breakpoint, session);
  const since = epochsOf(control.model.state);
  let isAwaited = false;
  try {
    await answered(control, session, bound, options.signal);
    const now = control.model.state.sessions.get(session.key);
    // The person may have moved the program in the meantime. Then its current stop is the outcome.
    const stopped = now === undefined ? undefined : stoppedSince(now, session.epoch);
    if (stopped !== undefined) return { outcome: stopped, boundLine: undefined };
    const before = bound();
    const outcome = await control.move(session, thread, 'continue', options);
    isAwaited = outcome.kind === 'timeout' || outcome.kind === 'cancelled';
    return { outcome, boundLine: (bound() ?? before)?.line };
  } finally {
    if (isAwaited)
      void control.model
        .wait((state) => nextOutcome(state, session.key, since), {
          timeoutMs: A_DAY_MS,
          signal: new AbortController().signal,
        })
        .settled.then(() => temporary.dispose());
    else temporary.dispose();
  }
}

function stopsAlways({ enabled, condition, hitCondition, logMessage }: HostBreakpoint): boolean {
  return enabled && !condition && !hitCondition && !logMessage;
}

function boundOf(
  book: BreakpointBook,
  breakpoint: HostBreakpoint,
  session: SessionState,
): AdapterBreakpoint | undefined {
  return book.boundIn(breakpoint).find((bound) => bound.session.key === session.key)?.adapter;
}

/** Waits up to 3 seconds until the adapter has responded to the breakpoint. @throws Interrupted */
async function answered(
  control: RunControl,
  session: SessionState,
  bound: () => AdapterBreakpoint | undefined,
  signal: AbortSignal,
): Promise<void> {
  const settled = await control.model.wait(
    (state) => !state.sessions.has(session.key) || bound() !== undefined || undefined,
    { timeoutMs: BIND_LIMIT_MS, signal },
  ).settled;
  if (settled.kind === 'cancelled') throw new Interrupted();
}
