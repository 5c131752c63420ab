import { adapterOf } from '../debugger/adapters/registry';
import type { Wait } from '../debugger/state/debugModel';
import { isOver, type DebugState, type SessionState } from '../debugger/state/state';
import type { RunControl } from './runControl';
import { unlessAborted } from '../util/unlessAborted';

/** The time that the adapter may take to take the request back, in milliseconds. */
const TAKE_BACK_MS = 1000;

/** The longest time of a timer. The wait ends with the stop, the session, or another request to pause. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** JavaScript that does nothing. An idle program that is asked to pause stops in it. */
const NOTHING = 'void 0';

/**
 * Takes back a pause at which the program has not stopped in time: no call may take its late stop for its own. Where the
 * adapter cannot take it back, the program goes on from that stop as soon as it comes. An idle JavaScript program is
 * made to stop there at once.
 */
export async function giveUpPause(
  control: Pick<RunControl, 'model' | 'host' | 'leases' | 'letGo'>,
  session: SessionState,
  thread: number,
): Promise<void> {
  const { model, host } = control;
  const { key, type } = session;
  if (model.state.sessions.get(key)?.pauseRequested !== true) return;
  model.dispatch({ type: 'pauseGivenUp', key, at: Date.now() });
  const late = model.wait((state) => lateStop(state, key), {
    timeoutMs: NO_LIMIT_MS,
    signal: new AbortController().signal,
  });
  const gone = passLateStop(control, late, thread);
  const { takesBackPause, evaluatesWhileRunning } = adapterOf(type);
  const evaluated = async (expression: string): Promise<unknown> =>
    await host.request(key, 'evaluate', { expression, context: 'repl' });
  if (takesBackPause !== undefined)
    evaluated(takesBackPause).then(
      // A stop that was on its way has come before the answer.
      () => late.abandon(),
      () => undefined,
    );
  else if (evaluatesWhileRunning === true) evaluated(NOTHING).catch(() => undefined);
  else return;
  await unlessAborted(gone, AbortSignal.timeout(TAKE_BACK_MS), () => undefined);
}

/** Lets the program go on from the late stop. Resolves when no such stop can come any more. */
async function passLateStop(
  control: Pick<RunControl, 'leases' | 'letGo'>,
  wait: Wait<SessionState | 'none'>,
  thread: number,
): Promise<void> {
  const late = await wait.settled;
  if (late.kind !== 'found' || late.value === 'none') return;
  const session = late.value;
  const stopped = session.lastStop?.threadId ?? thread;
  await control.letGo(session, stopped, control.leases.of(session)).catch(() => undefined);
}

/** The session in its late stop; `none` if the stop cannot come any more. */
function lateStop(state: DebugState, key: string): SessionState | 'none' | undefined {
  const session = state.sessions.get(key);
  if (session === undefined || isOver(state, session)) return 'none';
  if (session.lifecycle === 'stopped' && session.lastStop?.isGivenUp === true) return session;
  return session.pauseGivenUp === true ? undefined : 'none';
}
