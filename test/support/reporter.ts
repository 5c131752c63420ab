import * as Mocha from 'mocha';

/** Mocha's own report, with a final line that has the numbers of passed, failed and skipped tests. */
class Reporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      console.log(
        `${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}`,
      );
    });
  }
}

export = Reporter;
