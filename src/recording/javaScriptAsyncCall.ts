/**
 * The function in which the program stops after an asynchronous call whose end no place in the call shows. Its variable
 * `call` is the promise of the call.
 */
const CALL_ENDED = 'agentDebuggerCallEnded';

/**
 * The code that recognizes one call of an asynchronous JavaScript function, also after it was suspended: a function that
 * returns an object for the call in which the program is stopped, or undefined if the runtime has no promise hooks
 * (Node before 16.14) or does not run the function as an asynchronous one. The code expects `builtin`, `stack`, `identity` and `str`.
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
  const begin = below(20000);
  // A compiler has made a generator of the function, or a part of it. Its helpers wait for the promises.
  if (begin.slice(0, 12).some(s => str(s).startsWith('Generator.next ') || /awaiter|async_?to_?generator|async_?generator_?step|^__async$|__generator/i.test(str(s.getFunctionName())))) return undefined;
  const own = identity(begin[0]), depth = begin.length, awaited = new WeakSet();
  // The states: it runs, an \`await\` has created a promise, that promise has a value, another call runs, or it has ended.
  let state = 'runs', isFirst = true, created, at, settled;
  const isIn = () => {
    const sites = below(isFirst ? depth + 30 : 20);
    if (identity(sites[0]) !== own) return false;
    return isFirst ? sites.length === depth : sites.slice(1).every(s => str(s.getFileName() ?? '').startsWith('node:internal/'));
  };
  const end = () => {
    if (settled === undefined || state === 'ended') return;
    state = 'ended';
    off();
    return settled;
  };
  // The program stops in a hook itself, so that a few steps lead to the code that runs next.
  const off = hooks.createHook({
    init: function ${CALL_ENDED}(promise) {
      const call = end();
      if (call !== undefined) { debugger; return; }
      if (state === 'others' || !isIn()) return;
      const [site] = below(20), place = site.getLineNumber() + ':' + site.getColumnNumber();
      // Another call of the function begins. An \`await\` of an object with a method \`then\` creates two promises.
      if (state === 'created' && place !== at) { state = 'others'; return; }
      created = promise;
      at = place;
      awaited.add(promise);
      state = 'created';
    },
    settled: function ${CALL_ENDED}(promise) {
      const call = end();
      if (call !== undefined) { debugger; return; }
      if (state === 'others' || !isIn()) return;
      if (state === 'created') state = promise === created ? 'wrapped' : 'others';
      else settled = promise;
    },
    before: function ${CALL_ENDED}(promise) {
      const call = end();
      if (call !== undefined) { debugger; return; }
      isFirst = false;
      state = awaited.has(promise) ? 'runs' : 'others';
    },
    after: function ${CALL_ENDED}() {
      const call = end();
      if (call !== undefined) { debugger; return; }
      state = 'others';
    },
  });
  return { isAt: () => state === 'runs' && isIn(), isOver: () => state === 'ended', end: () => { state = 'ended'; off(); } };
})`;

/** Whether a frame is that function. js-debug adds the class of `this` to its name. */
export function isCallEnd(frameName: string): boolean {
  return frameName === CALL_ENDED || frameName.endsWith(`.${CALL_ENDED}`);
}
