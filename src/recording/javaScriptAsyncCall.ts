/** The function in which the program stops after an asynchronous call whose end no place in the call shows. */
export const CALL_ENDED = 'agentDebuggerCallEnded';

/**
 * The code that recognizes one call of an asynchronous JavaScript function, also after it was suspended: a function that
 * returns an object for the call in which the program is stopped, or undefined if the runtime has no promise hooks
 * (Node before 16.14). The code expects `builtin`, `stack`, `identity` and `str`.
 *
 * Until its first `await`, the call is known by its depth. An `await` creates a promise in the frame of the call, and the
 * call resumes at the bottom of a stack while the hooks of this very promise run. A promise that an `await` wraps around
 * a value is resolved at once, and a second one follows. The promise that is resolved in the frame of the call without
 * having been created there is the promise of the call, so the call has ended. Its state is known a moment later.
 */
export const ASYNC_CALL = String.raw`(() => {
  const hooks = builtin('v8')?.promiseHooks;
  if (hooks === undefined) return undefined;
  // The frames of the program, without those that await it.
  const below = most => {
    const sites = stack(most), first = sites.findIndex(s => !s.isEval() && s.getFileName() !== 'node:internal/promise_hooks');
    const all = first < 0 ? [] : sites.slice(first), end = all.findIndex(s => s.isAsync());
    return end < 0 ? all : all.slice(0, end);
  };
  const begin = below(20000), own = identity(begin[0]), depth = begin.length, awaited = new WeakSet();
  // The states: it runs, an \`await\` has created a promise, that promise has a value, another call runs, or it has ended.
  let state = 'runs', isFirst = true, created, settled;
  const isIn = () => {
    const sites = below(isFirst ? depth + 30 : 20);
    if (identity(sites[0]) !== own) return false;
    return isFirst ? sites.length === depth : sites.slice(1).every(s => str(s.getFileName() ?? '').startsWith('node:internal/'));
  };
  const ${CALL_ENDED} = promise => { debugger; };
  const end = () => {
    if (settled === undefined || state === 'ended') return;
    const promise = settled;
    state = 'ended';
    off();
    ${CALL_ENDED}(promise);
  };
  const off = hooks.createHook({
    init: promise => {
      if (settled !== undefined) return end();
      if (state === 'others' || !isIn()) return;
      // Another call of the function begins.
      if (state === 'created') { state = 'others'; return; }
      created = promise;
      awaited.add(promise);
      state = 'created';
    },
    settled: promise => {
      if (settled !== undefined) return end();
      if (state === 'others' || !isIn()) return;
      if (state === 'created') state = promise === created ? 'wrapped' : 'others';
      else settled = promise;
    },
    before: promise => {
      if (settled !== undefined) return end();
      isFirst = false;
      state = awaited.has(promise) ? 'runs' : 'others';
    },
    after: () => {
      if (settled !== undefined) return end();
      state = 'others';
    },
  });
  return { isAt: () => state === 'runs' && isIn(), isOver: () => state === 'ended', end: () => { state = 'ended'; off(); } };
})`;
