/**
 * Returns a signal that is aborted after a time, for use in `AbortSignal.any`. Node 20 forgets an `AbortSignal.timeout`
 * in such a list at the next garbage collection, because nothing else holds it.
 * @param ms the time in milliseconds
 */
export function timeLimit(ms: number): AbortSignal {
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(new DOMException('The time is up.', 'TimeoutError')),
    ms,
  );
  // The limit alone does not keep a process running.
  timer.unref();
  return limit.signal;
}
