import { DebuggerError } from '../debugger/debuggerError';
import type { BreakpointBook } from '../debugger/breakpoints/breakpointBook';
import type { HostBreakpoint } from '../debugger/host';
import { Interrupted } from '../debugger/requests';
import type { AdapterBreakpoint, SessionState } from '../debugger/state/state';
import { epochsOf, nextOutcome, stoppedSince } from './nextOutcome';
import type { Outcome } from './outcome';
import type { MoveOptions, RunControl } from './runControl';

/** How long an adapter may take to answer that it has the breakpoint. */
const BIND_LIMIT_MS = 3000;

/** How long a temporary breakpoint waits for the program to reach it after its call has ended. */
const A_DAY_MS = 24 * 60 * 60 * 1000;

export interface RunToLine {
  readonly session: SessionState;
  readonly thread: number;
  readonly path: string;
  readonly line: number;
}

export interface RunToLineOutcome {
  readonly outcome: Outcome;
  /** The line at which the adapter can stop for the one that was asked for; undefined where it did not say. */
  readonly boundLine: number | undefined;
}

/**
 * Runs to a line by a temporary breakpoint; an unconditional one that is there already is used instead. The temporary
 * one is removed when the program stops or ends: where the wait ended first, the program still stops there.
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
  // VS Code keeps one breakpoint a place: another there would not be set, and the program would run past.
  if (other !== undefined)
    throw new DebuggerError({ kind: 'placeTaken', breakpointId: book.idOf(other) });
  const temporary = control.temporary.add({ kind: 'source', path, line });
  const bound = (): AdapterBreakpoint | undefined => boundOf(book, temporary.breakpoint, session);
  const since = epochsOf(control.model.state);
  let isAwaited = false;
  try {
    await answered(control, session, bound, options.signal);
    const now = control.model.state.sessions.get(session.key);
    // The person may have moved it meanwhile: then it is where it is now.
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
  return book.boundIn(breakpoint).find((each) => each.session.key === session.key)?.adapter;
}

/** Waits until the adapter has answered for the breakpoint, or for 3 seconds. @throws Interrupted */
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
