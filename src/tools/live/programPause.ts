import { adapterOf } from '../../debugger/adapters/registry';
import type { SessionState } from '../../debugger/state/state';
import { epochsOf } from '../../control/nextOutcome';
import type { Lease } from '../../control/leases';
import type { Outcome } from '../../control/outcome';
import type { MoveOptions } from '../../control/runControl';
import type { Call, ToolServices } from '../services';

/** The time that a program may take to pause, in milliseconds. */
const PAUSE_LIMIT_MS = 5000;

/** The time after which a JavaScript program that has not paused is idle, in milliseconds. */
const IDLE_MS = 3000;

/** Code that does nothing. */
const NOTHING = 'void 0';

/** A program that is stopped so that its stacks can be read. */
export interface Paused {
  readonly kind: 'paused';
  readonly session: SessionState;
  /** The thread of the pause that this call requested. Undefined if the program was stopped for another reason. */
  readonly ours: number | undefined;
}

/** Pauses a program if it runs. Returns another outcome if it does not pause in time, or ends. */
export async function pauseProgram(
  services: ToolServices,
  session: SessionState,
  call: Call,
  lease?: Lease,
): Promise<Paused | Exclude<Outcome, { kind: 'stopped' }>> {
  const { control, inspector, model } = services;
  const before = model.state.sessions.get(session.key) ?? session;
  if (before.lifecycle === 'stopped') return { kind: 'paused', session: before, ours: undefined };
  const thread = (await inspector.threads(session, call.signal))[0]?.id ?? 0;
  const canWake = adapterOf(session.type).evaluatesWhileRunning === true;
  const limitsOf = (ms: number): MoveOptions => ({
    deadline: performance.now() + ms,
    signal: call.signal,
    lease,
  });
  const first = await control.pause(session, thread, limitsOf(canWake ? IDLE_MS : PAUSE_LIMIT_MS));
  const outcome =
    first.kind === 'timeout' && canWake
      ? await wake(services, session, call, limitsOf(PAUSE_LIMIT_MS))
      : first;
  if (outcome.kind === 'timeout') await control.giveUpPause(session, thread);
  if (outcome.kind !== 'stopped') return outcome;
  const { sessionKey, stop } = outcome;
  const stopped = model.state.sessions.get(sessionKey);
  if (stopped === undefined) return { kind: 'ended', rootKey: sessionKey };
  const ours = stop.reason === 'pause' ? (stop.threadId ?? thread) : undefined;
  return { kind: 'paused', session: stopped, ours };
}

/** An idle JavaScript program pauses only where it runs code. So it runs code that does nothing. */
async function wake(
  { control, inspector, model }: ToolServices,
  session: SessionState,
  call: Call,
  limits: MoveOptions,
): Promise<Outcome> {
  const stops = control.next(session.key, limits, epochsOf(model.state));
  inspector
    .send(session, 'evaluate', { expression: NOTHING, context: 'repl' }, call.signal)
    .catch(() => undefined);
  return await stops;
}
