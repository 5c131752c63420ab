import { timeLimit } from '../../util/timeLimit';

/**
 * Records a CPU profile of the extension host for a number of seconds, or until the signal is aborted. The seconds begin
 * when the profiler has started, which may take a second on a busy machine.
 * @returns the profile as JSON
 */
export async function cpuProfile(seconds: number, cancelled: AbortSignal): Promise<string> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    const signal = AbortSignal.any([cancelled, timeLimit(seconds * 1000)]);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const { profile } = await session.post('Profiler.stop');
    return JSON.stringify(profile);
  } finally {
    session.disconnect();
  }
}
