'use strict';
const {
  begin,
  describedPrimitive,
  guarded,
  locatedRecords,
  recorder,
  write,
} = require('./failures.cjs');

/**
 * The property with the frames of an error and their values. vitest sends errors to its main process as copies, with
 * all properties that have a name, own and inherited.
 */
const FRAMES = '__agentDebuggerFrames';

const wrapped = new WeakSet();

/** Makes the errors of this worker carry their frames. The error objects themselves are unchanged. */
function watch() {
  begin();
  // In a run that is to stay at a failure, the debugger begins to stop at exceptions here: vitest throws and handles
  // hundreds before it loads a test. No other run has the variable.
  if (process.env.AGENT_DEBUGGER_STOP !== undefined) debugger;
  if (Object.hasOwn(Error.prototype, FRAMES)) return;
  Object.defineProperty(Error.prototype, FRAMES, {
    configurable: true,
    get() {
      return guarded(() => textOf(this));
    },
  });
  recorder.onRecord = (value) => {
    const isObject = typeof value === 'object' && value !== null;
    if (isObject) wrapCopies(value);
    if (!isObject || !(FRAMES in value)) guarded(() => tell(value));
  };
}

/** The maximum number of thrown values that are no errors and whose frames are told. */
const MAX_TOLD = 200;
let told = 0;

/** Tells the main process of a thrown value that can't carry its frames: it gets only a text, or a copy. */
function tell(value) {
  if ((told += 1) > MAX_TOLD) return;
  const isObject = typeof value === 'object' && value !== null;
  const { type, message } = describedPrimitive(value);
  write({
    thrown: isObject ? ownTexts(value) : { message },
    type: isObject ? (value.constructor?.name ?? 'Object') : type,
    test: globalThis.__vitest_worker__?.current?.id,
    ...locatedRecords(value),
  });
}

/** The texts of the simple properties of an object, by which its copy is recognised. No getter runs. */
function ownTexts(value) {
  const properties = Object.entries(Object.getOwnPropertyDescriptors(value));
  const simple = properties.flatMap(([name, { value: own }]) =>
    ['string', 'number', 'boolean'].includes(typeof own) ? [[name, String(own)]] : [],
  );
  return Object.fromEntries(simple);
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
