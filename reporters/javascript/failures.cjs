'use strict';
const { appendFileSync } = require('node:fs');
const { inspect } = require('node:util');
const { framesOf, framesInStack } = require('./frames.cjs');
const { watchHang } = require('./hang.cjs');
const { recorder } = require('./recorder.cjs');

/** The file that the extension reads, with one JSON object per line. Tests may change the environment later. */
const REPORT = process.env.AGENT_DEBUGGER_REPORT;

const inspectOptions = {
  ...{ depth: 8, maxArrayLength: 200, maxStringLength: 10_000 },
  ...{ breakLength: 80, getters: false },
};

const MAX_OF_A_TEXT = 20_000;
const MAX_FURTHER = 20;

function write(entry) {
  try {
    appendFileSync(REPORT, `${JSON.stringify(entry)}\n`);
  } catch {
    // The program goes on without the extension.
  }
}

/** Runs a part of a reporter. What goes wrong there is never the outcome of a test. */
function guarded(part) {
  try {
    return part();
  } catch (error) {
    write({ toolFailure: plain(error?.stack ?? error) });
    return undefined;
  }
}

function plain(text) {
  return String(text)
    .replace(/\u001b\[[0-9;]*m/g, '')
    .slice(0, MAX_OF_A_TEXT);
}

function shown(value, other) {
  // The stack of an error contains places of this run.
  if (value instanceof Error) return plain(`${typeOf(value)}: ${value.message}`);
  if (typeof value !== 'string') return inspect(value, inspectOptions).slice(0, MAX_OF_A_TEXT);
  const isText = typeof other === 'string' && (value.includes('\n') || other.includes('\n'));
  return (isText ? value : JSON.stringify(value)).slice(0, MAX_OF_A_TEXT);
}

function typeOf(error) {
  return plain(error?.name || error?.constructor?.name || typeof error).slice(0, 200);
}

function causesOf(error) {
  const causes = Array.isArray(error?.errors) ? error.errors.slice(0, 5).map(described) : [];
  for (let cause = error?.cause; cause != null && causes.length < 5; cause = cause.cause)
    causes.push(described(cause));
  return causes;
}

function described(error) {
  if (typeof error !== 'object' || error === null) return describedPrimitive(error);
  return { type: typeOf(error), message: plain(error.message ?? inspect(error)) };
}

/** Assertion libraries also set these properties for assertions that do not compare two values. */
function isCompared({ expected, actual }, message) {
  return expected !== actual && (expected !== undefined || message.includes('undefined'));
}

/**
 * Describes an error that a runner reports: its text, its frames with their values, and where it was thrown.
 * @param text the stack as the runner shows it. Default: the stack of the error.
 * @param thrown the records of what the test has thrown, if it is something else than the error that the runner reports
 */
function errorOf(error, text, thrown = locatedRecords(error)) {
  const isObject = typeof error === 'object' && error !== null;
  const stack = plain(text ?? (isObject ? (error.stack ?? '') : ''));
  const said = isObject ? saidBy(error) : { ...describedPrimitive(error), causes: [] };
  return { ...said, stack, ...placesOf(thrown, framesInStack(stack)) };
}

function describedPrimitive(value) {
  return { type: value === null ? 'null' : typeof value, message: plain(value) };
}

function saidBy(error) {
  const values = error.matcherResult ?? error;
  const hasValues = 'expected' in values || 'actual' in values;
  const message = plain(error.message ?? inspect(error));
  return {
    type: typeOf(error),
    message,
    ...(hasValues && isCompared(values, message)
      ? {
          expected: shown(values.expected, values.actual),
          actual: shown(values.actual, values.expected),
        }
      : {}),
    causes: causesOf(error),
  };
}

/** Returns the frames of each time that an error was thrown, or the reason why there are none. */
function locatedRecords(error) {
  const records = recorder.recordsOf(error);
  // Where none of the person's own code is on the stack, there is nothing to look at.
  const thrown = records.find((record) => record.frames.length > 0);
  return {
    records: records.map(located),
    reason: reasonFor(error, records),
    stopAt: thrown?.site === undefined ? undefined : JSON.stringify([thrown.site, thrown.number]),
  };
}

/** Why an error has no values. V8 does not pause where the stack is full. */
function reasonFor(error, records) {
  if (error?.message === 'Maximum call stack size exceeded') return 'stack_overflow';
  return records.length > 0 ? 'thrown_outside_own_code' : recorder.reason;
}

function located(record) {
  return record.frames.map(({ name, variables, omitted, ...at }) => ({
    ...{ name, variables, omitted },
    ...recorder.places.of(at),
  }));
}

/**
 * Returns the frames of an error with their values.
 * @param stack the frames that the runner shows
 * @param raw the frames of the runtime, if the runner maps their places
 */
function placesOf({ records = [], reason, stopAt }, stack, raw) {
  const frames = framesOf(records, stack, raw);
  const hasValues = frames.some(({ variables }) => variables !== undefined);
  return { frames, stopAt, withoutValues: hasValues ? undefined : reason };
}

/** Describes the errors of a test: the first one, and the others. */
function errorsOf(errors) {
  const [first, ...further] = errors;
  if (first === undefined) return undefined;
  return further.length === 0 ? first : { ...first, further: further.slice(0, MAX_FURTHER) };
}

/**
 * A test may end the process, also by a signal, which no listener notices. Then the report has a beginning only.
 * @returns what tells that the runner has ended by itself
 */
function watchExit() {
  let isOver = false;
  write({ began: true });
  process.on('exit', (code) => {
    if (!isOver) write({ exited: code });
  });
  return () => {
    if (!isOver) write({ over: true });
    isOver = true;
  };
}

/**
 * Begins to record the exceptions of the test. In a run under the debugger it is told at which exception the program is
 * to stay stopped; otherwise such a run is not recorded, because the debugger would hear of each pause.
 * @param waits whether the runner has loaded nothing of the person's own yet
 */
function begin({ waits = false } = {}) {
  const { AGENT_DEBUGGER_SECONDS: seconds, AGENT_DEBUGGER_STOP: target } = process.env;
  const isForStay = process.env.AGENT_DEBUGGER_STAY !== undefined;
  if (recorder.session !== undefined) return;
  if (target !== undefined)
    guarded(() => {
      const onStop = () => write({ stopping: true });
      recorder.start({ target: JSON.parse(target), onStop, waits });
    });
  else if (seconds !== undefined) {
    recorder.start({ isUnlimited: isForStay, waits });
    guarded(() => watchHang(REPORT));
  }
}

module.exports = {
  ...{ begin, describedPrimitive, errorOf, errorsOf, framesInStack, guarded, locatedRecords },
  ...{ placesOf, plain, recorder, REPORT, saidBy, watchExit, write },
};
