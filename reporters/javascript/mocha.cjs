'use strict';
const {
  begin,
  errorOf,
  guarded,
  locatedRecords,
  recorder,
  watchExit,
  write,
} = require('./failures.cjs');

const ended = watchExit();

/** A reporter for mocha. */
module.exports = class {
  constructor(runner) {
    begin();
    this.started = 0;
    this.reported = 0;
    this.watchFailures(runner);
    runner.on('test', (test) => this.start(test));
    runner.on('pass', (test) => this.report(test, 'passed'));
    runner.on('pending', (test) => this.report(test, 'skipped'));
    runner.on('fail', (test, error) =>
      this.report(test, test.type === 'hook' ? 'errored' : 'failed', error),
    );
    runner.on('end', ended);
  }

  /** mocha replaces what is no error by an error of its own before it reports it. */
  watchFailures(runner) {
    const { fail } = runner;
    runner.fail = (test, thrown, ...more) => {
      this.thrown = thrown;
      return Reflect.apply(fail, runner, [test, thrown, ...more]);
    };
  }

  /** Tells which test runs, in case that it ends the process. */
  start(test) {
    this.started += 1;
    const id = this.started;
    guarded(() => write({ running: true, id, path: test.titlePath(), file: test.file }));
  }

  report(test, status, error) {
    // A hook may fail after the test has been reported.
    const id = this.started > this.reported ? this.started : undefined;
    this.reported = this.started;
    guarded(() => {
      // A hook for each test belongs to one test.
      const owner = (test.type === 'hook' ? test.ctx?.currentTest : undefined) ?? test;
      write({
        ...{ id, path: owner.titlePath(), file: test.file, status, durationMs: test.duration },
        error: error === undefined ? undefined : described(error, this.thrown),
      });
    });
  }
};

/** Describes an error that mocha reports. @param thrown what the test gave to mocha */
function described(error, thrown) {
  const value = replacedBy(error, thrown);
  // The stack of mocha's own error is that of mocha.
  return value === undefined ? errorOf(error) : errorOf(error, '', locatedRecords(value[0]));
}

const REPLACED = / was thrown, throw an Error :\)$/;
const NO_REASON = 'Promise rejected with no or falsy reason';

/** Returns what the test has thrown, in a list, if mocha reports an error of its own instead. */
function replacedBy(error, thrown) {
  if (error?.code === 'ERR_MOCHA_INVALID_EXCEPTION') return [error.value];
  if (error?.message === NO_REASON) return [recorder.lastFalsy()];
  if (!REPLACED.test(error?.message)) return undefined;
  // A value that nobody has caught is replaced before it becomes the failure of a test.
  return [thrown instanceof Error ? recorder.primitiveIn(error.message) : thrown];
}
