import { connect } from 'node:net';

/** The pauses between two attempts, in milliseconds. The last one repeats. */
const PAUSES_MS = [50, 100, 200, 400] as const;
const LONGEST_PAUSE_MS = 500;

/**
 * Waits until a port of this computer listens. The operating systems have no event for this, and reading their tables
 * of sockets is possible only on some. So it connects and closes the connection at once, at growing intervals.
 * @returns false if the signal was aborted first
 */
export async function listens(port: number, signal: AbortSignal): Promise<boolean> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    if (await accepts(port, signal)) return true;
    await pauseBefore(attempt + 1, signal);
  }
  return false;
}

/** Whether a port of this computer accepts a connection now. It is closed at once. */
export async function accepts(port: number, signal: AbortSignal): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect({ host: 'localhost', port });
    const end = (isOpen: boolean): void => {
      signal.removeEventListener('abort', abort);
      socket.destroy();
      resolve(isOpen);
    };
    const abort = (): void => end(false);
    signal.addEventListener('abort', abort, { once: true });
    socket.once('connect', () => end(true));
    socket.on('error', () => end(false));
  });
}

/** Pauses before an attempt, until the signal is aborted. Attempts are counted from 0. */
export async function pauseBefore(attempt: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const ms = PAUSES_MS[attempt - 1] ?? LONGEST_PAUSE_MS;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
