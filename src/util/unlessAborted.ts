/**
 * Waits for work until the signal is aborted. Then it returns the result of `otherwise` and ignores the work's result.
 */
export async function unlessAborted<T, Other>(
  work: Promise<T>,
  signal: AbortSignal,
  otherwise: () => Other,
): Promise<T | Other> {
  return await new Promise((resolve, reject) => {
    const abort = (): void => resolve(otherwise());
    const settle = (): void => signal.removeEventListener('abort', abort);
    work.then(resolve, reject).finally(settle);
    // If the work has already ended, its result is used even if the signal is aborted.
    if (signal.aborted) queueMicrotask(abort);
    else signal.addEventListener('abort', abort, { once: true });
  });
}
