'use strict';
const { begin, errorOf, guarded, recorder, watchExit, write } = require('./failures.cjs');

const ended = watchExit();

/** A reporter for mocha. */
module.exports = class {
  constructor(runner) {
    begin();
    this.started = 0;
    this.reported = 0;
    runner.on('test', (test) => this.start(test));
    runner.on('pass', (test) => this.report(test, 'passed'));
    runner.on('pending', (test) => this.report(test, 'skipped'));
    runner.on('fail', (test, error) =>
      this.report(test, test.type === 'hook' ? 'errored' : 'failed', error),
    );
    runner.on('end', ended);
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
        error: error === undefined ? undefined : described(error),
      });
    });
  }
};

/** mocha puts anything else than an error that is thrown into the text of an error of its own. */
function described(error) {
  const [, type, text] =
    /^the (\w+) ([^]*) was thrown, throw an Error :\)$/.exec(error?.message) ?? [];
  return errorOf(error, undefined, type === undefined ? error : recorder.primitiveIn(text));
}
