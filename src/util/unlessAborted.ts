/** Waits for work until the signal is aborted; then the result is that of `otherwise`, and the work is left to itself. */
export async function unlessAborted<T, Other>(
  work: Promise<T>,
  signal: AbortSignal,
  otherwise: () => Other,
): Promise<T | Other> {
  return await new Promise((resolve, reject) => {
    const abort = (): void => resolve(otherwise());
    const settle = (): void => signal.removeEventListener('abort', abort);
    work.then(resolve, reject).finally(settle);
    // Work that has ended already counts, also when the signal is aborted.
    if (signal.aborted) queueMicrotask(abort);
    else signal.addEventListener('abort', abort, { once: true });
  });
}
