import { adapterError } from '../../debugger/requests';
import type { MoveCommand } from '../../debugger/host';
import { notStopped } from '../../debugger/inspection/inspector';
import type { Report } from '../../results/views/stopReport';
import type { SessionState } from '../../debugger/state/state';
import type { Call, ToolServices } from '../services';
import { armed, happening, outcomeOf, stopCounts, type RunOutcome } from './waiting';

/** Lets a thread go on and waits for what happens next. The wait is armed before the request is sent. */
export async function move(
  services: ToolServices,
  call: Call,
  session: SessionState,
  thread: number,
  command: MoveCommand,
  deadline: number,
  how: Report = 'whole',
): Promise<RunOutcome> {
  const { model } = services;
  const stop = session.threads.get(thread)?.stop;
  if (stop === undefined) throw notStopped(session, thread);
  const over = services.moves.begin(session, stop);
  const since = stopCounts(model.state);
  const wait = armed(services, (state) => happening(state, session.key, since, thread), {
    timeoutMs: Math.max(0, deadline - performance.now()),
    signal: call.signal,
  });
  const sent = send(services, session, thread, command).then(
    () => {
      // From its answer on the state tells what is held still.
      over();
      return new Promise<never>(() => undefined);
    },
    (error: unknown) => {
      wait.abandon();
      throw error;
    },
  );
  // A stop may come before the request is answered, and an adapter may never answer: the wait does not depend on it.
  return await Promise.race([
    sent,
    outcomeOf(services, call, session.key, wait, deadline, how),
  ]).finally(over);
}

/** @throws Failure `adapter_error` when the adapter refused */
async function send(
  { model, host }: Pick<ToolServices, 'model' | 'host'>,
  session: SessionState,
  thread: number,
  command: MoveCommand,
): Promise<void> {
  const before = session.resumeCount;
  const failed = await host.move(session.key, thread, command).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const now = model.state.sessions.get(session.key);
  if (now === undefined || command === 'pause') {
    if (failed !== undefined) throw adapterError(session, command, failed);
    return;
  }
  // VS Code's command does nothing when its own list of threads lags behind: then the request is ours to send.
  if (now.resumeCount === before && now.lifecycle === 'stopped') {
    await host.request(session.key, command, { threadId: thread }).catch((error: unknown) => {
      throw adapterError(session, command, error instanceof Error ? error.message : String(error));
    });
    return;
  }
  if (now.resume?.outcome === 'failed')
    throw adapterError(session, command, now.resume.message ?? failed ?? '');
}
