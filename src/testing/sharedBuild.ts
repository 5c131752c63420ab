import { Interrupted } from '../debugger/requests';

/** A build that runs, and the number of calls that wait for it. */
interface RunningBuild {
  readonly done: Promise<unknown>;
  readonly abort: AbortController;
  waiting: number;
}

const running = new Map<string, RunningBuild>();

/**
 * Runs a build, or waits for the same build of an earlier call. A build may take longer than a call: if the time of the
 * last waiting call is up, the build goes on, and the next call waits for it. It is ended if the last call is cancelled.
 * @param key identifies the build
 * @param build runs the build until the signal ends it
 * @throws Interrupted
 */
export async function sharedBuild<T>(
  key: string,
  build: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  if (signal.aborted) throw new Interrupted();
  const entry = running.get(key) ?? begin(key, build);
  entry.waiting += 1;
  return await new Promise<T>((resolve, reject) => {
    const leave = (): void => {
      entry.waiting -= 1;
      if (entry.waiting === 0 && !isTimeUp(signal)) entry.abort.abort();
      reject(new Interrupted());
    };
    signal.addEventListener('abort', leave, { once: true });
    const settle = (then: () => void): void => {
      signal.removeEventListener('abort', leave);
      then();
    };
    // The same key stands for the same build, so the result is of this type.
    (entry.done as Promise<T>).then(
      (result) => settle(() => resolve(result)),
      (error: unknown) => settle(() => reject(error instanceof Error ? error : new Interrupted())),
    );
  });
}

function begin(key: string, build: (signal: AbortSignal) => Promise<unknown>): RunningBuild {
  const abort = new AbortController();
  const done = build(abort.signal).finally(() => running.delete(key));
  // The call that waits for it may be gone.
  done.catch(() => undefined);
  const entry = { done, abort, waiting: 0 };
  running.set(key, entry);
  return entry;
}

/** Whether a time limit has ended a wait (`timeLimit`), and not the person or the client. */
function isTimeUp({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
