'use strict';
const { begin, guarded, locatedRecords, recorder } = require('./failures.cjs');

/**
 * The property with the frames of an error and their values. vitest sends errors to its main process as copies, with
 * all properties that have a name, own and inherited.
 */
const FRAMES = '__agentDebuggerFrames';

const wrapped = new WeakSet();

/** Makes the errors of this worker carry their frames. The error objects themselves are unchanged. */
function watch() {
  begin();
  if (Object.hasOwn(Error.prototype, FRAMES)) return;
  Object.defineProperty(Error.prototype, FRAMES, {
    configurable: true,
    get() {
      return guarded(() => textOf(this));
    },
  });
  recorder.onRecord = wrapCopies;
}

function textOf(error) {
  return JSON.stringify(locatedRecords(error));
}

/**
 * Adds the frames to the copy that an error makes of itself, such as that of chai. JSON does not show them, except in
 * vitest 1 and 2, which send the copy as it is.
 */
function wrapCopies(error) {
  let owner = error;
  while (owner !== null && !Object.hasOwn(owner, 'toJSON')) owner = Object.getPrototypeOf(owner);
  const { value: toJSON, writable } =
    (owner && Object.getOwnPropertyDescriptor(owner, 'toJSON')) ?? {};
  if (typeof toJSON !== 'function' || !writable || wrapped.has(toJSON)) return;
  const wrapper = function (...args) {
    const copy = Reflect.apply(toJSON, this, args);
    if (typeof copy === 'object' && copy !== null && copy !== this)
      guarded(() =>
        Object.defineProperty(copy, FRAMES, {
          ...{ value: textOf(this), configurable: true },
          enumerable: Number.parseInt(process.env.AGENT_DEBUGGER_VITEST ?? '', 10) <= 2,
        }),
      );
    return copy;
  };
  wrapped.add(wrapper);
  owner.toJSON = wrapper;
}

module.exports = { FRAMES, watch };
