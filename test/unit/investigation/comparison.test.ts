import { strict as assert } from 'node:assert';
import { compare, ErrorCollector, type ComparedRun } from '../../../src/investigation/comparison';

function run(
  record: Partial<ComparedRun['record']> = {},
  ...errors: readonly string[]
): ComparedRun {
  const collector = new ErrorCollector();
  for (const msg of errors)
    collector.add({ ts: 0, level: 'error', module: '', func: '', msg, kv: {} });
  return {
    record: {
      endedBy: 'exit',
      exitCode: 0,
      events: 5,
      source: 'command',
      dropped: 0,
      ...record,
    },
    errors: collector.finish(),
  };
}

const BEFORE = run({ exitCode: 1 }, 'Error: bad');

describe('the comparison of a run with the capture before the fix', () => {
  it('reports errors as fixed if the whole run was recorded', () => {
    const { verdict, gone } = compare(BEFORE, run());
    assert.deepEqual([verdict, gone], ['fixed', ['Error: bad']]);
  });

  for (const [what, record, reason] of [
    ['was stopped', { endedBy: 'stopped' }, /stopped before it ended/],
    ['ended with the window', { endedBy: 'window_closed' }, /window was closed/],
    ['could not be run', { endedBy: 'failed' }, /could not be completed/],
    ['ended in a way that nobody knows', { endedBy: undefined }, /It is unknown/],
    ['was too long to be kept', { dropped: 3 }, /dropped lines/],
  ] as const)
    it(`proves nothing if the run ${what}`, () => {
      const { verdict, reason: said } = compare(BEFORE, run({ exitCode: undefined, ...record }));
      assert.equal(verdict, 'inconclusive');
      assert.match(said, reason);
    });

  it('proves nothing if there were more kinds of errors than are kept', () => {
    const after = run();
    const cut = { ...after, errors: { ...after.errors, isCut: true } };
    assert.equal(compare(BEFORE, cut).verdict, 'inconclusive');
  });

  it('does not report errors as new if not all earlier errors are known', () => {
    const before = run({ exitCode: 1, dropped: 9 }, 'Error: bad');
    assert.equal(compare(before, run({}, 'Error: other')).verdict, 'inconclusive');
    assert.equal(compare(before, run()).verdict, 'fixed');
  });

  it('finds remaining errors in any run, however it ended', () => {
    for (const record of [{ endedBy: 'stopped' }, { dropped: 3 }, { endedBy: undefined }] as const)
      assert.equal(compare(BEFORE, run(record, 'Error: bad')).verdict, 'still_failing');
  });

  it('treats a run that no longer ends as a failure, unless it is a page', () => {
    const late = { endedBy: 'timeout', exitCode: undefined } as const;
    assert.equal(compare(BEFORE, run(late)).verdict, 'still_failing');
    assert.equal(compare(run({ endedBy: 'timeout' }, 'Error: bad'), run(late)).verdict, 'fixed');
    assert.equal(
      compare(run({ endedBy: 'stopped' }, 'Error: bad'), run(late)).verdict,
      'inconclusive',
    );
    const page = run({ source: 'page', exitCode: undefined }, 'Error: bad');
    assert.equal(compare(page, run({ ...late, source: 'page' })).verdict, 'fixed');
  });

  it('treats a crash and a non-zero exit code as failures', () => {
    assert.equal(compare(BEFORE, run({ endedBy: 'signal' })).verdict, 'still_failing');
    assert.equal(compare(BEFORE, run({ exitCode: 2 })).verdict, 'still_failing');
  });

  it('proves nothing if nothing failed before, or if nothing is printed now', () => {
    assert.equal(compare(run(), run()).verdict, 'inconclusive');
    assert.equal(compare(BEFORE, run({ events: 0 })).verdict, 'inconclusive');
  });
});
