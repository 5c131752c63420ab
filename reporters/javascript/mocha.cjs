'use strict';
const { begin, errorOf, guarded, watchExit, write } = require('./failures.cjs');

const ended = watchExit();

/** A reporter for mocha. */
module.exports = class {
  constructor(runner) {
    begin();
    runner.on('pass', (test) => this.report(test, 'passed'));
    runner.on('pending', (test) => this.report(test, 'skipped'));
    runner.on('fail', (test, error) =>
      this.report(test, test.type === 'hook' ? 'errored' : 'failed', error),
    );
    runner.on('end', ended);
  }

  report(test, status, error) {
    guarded(() => {
      // A hook for each test belongs to one test.
      const owner = (test.type === 'hook' ? test.ctx?.currentTest : undefined) ?? test;
      write({
        ...{ path: owner.titlePath(), file: test.file, status, durationMs: test.duration },
        error: error === undefined ? undefined : errorOf(error),
      });
    });
  }
};
