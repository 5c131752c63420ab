import { strict as assert } from 'node:assert';
import { googleTest } from '../../../src/testing/googletest/googleTest';
import type { ChosenTest } from '../../../src/testing/testFramework';

const TEST: ChosenTest = { path: ['Cart', 'Adds'], line: 3, isTemplate: false };

describe('the report of GoogleTest', () => {
  const read = (report: object | undefined, output: readonly string[] = []) =>
    googleTest.readOutcome(report && JSON.stringify(report), output, TEST);

  it('has disabled tests as skipped', () => {
    const entry = { name: 'DISABLED_Adds', status: 'NOTRUN', result: 'SUPPRESSED' };
    const { tests } = read({
      testsuites: [
        { name: 'Cart', testsuite: [entry, { name: 'Adds', status: 'NOTRUN' }] },
        { name: 'DISABLED_Shop', testsuite: [{ name: 'Sells', status: 'NOTRUN' }] },
      ],
    });
    assert.deepEqual(
      tests.map(({ path: names, outcome, reason }) => [names.join('.'), outcome, reason]),
      [
        ['Cart.DISABLED_Adds', 'skipped', 'disabled'],
        ['DISABLED_Shop.Sells', 'skipped', 'disabled'],
      ],
    );
  });

  it('has all failures of a test, because an EXPECT does not end it', () => {
    const failures = ['/app/a.cc:3\nExpected: one', '/app/a.cc:5\nExpected: two'];
    const { tests } = read({
      testsuites: [
        {
          name: 'Cart',
          testsuite: [
            { name: 'Adds', status: 'RUN', failures: failures.map((failure) => ({ failure })) },
          ],
        },
      ],
    });
    const [{ error } = {}] = tests;
    assert.equal(error?.message, 'Expected: one');
    assert.deepEqual(
      error.further?.map(({ message, frames: [frame] }) => [message, frame?.line]),
      [['Expected: two', 5]],
    );
  });

  it('selects the output of one row of a test with parameters', () => {
    const printed = [
      '[ RUN      ] Rows/Cart.Adds/0',
      'zero',
      '[       OK ] Rows/Cart.Adds/0 (0 ms)',
      '[ RUN      ] Rows/Cart.Adds/1',
      'one',
      '/app/a.cc:3: Failure',
      '[  FAILED  ] Rows/Cart.Adds/1, where GetParam() = 1 (0 ms)',
    ];
    const { ownOutput } = googleTest;
    assert.deepEqual(ownOutput?.(printed, ['Rows/Cart', 'Adds/1']), ['one']);
    assert.deepEqual(ownOutput(printed), ['zero']);
  });

  it('is missing if a test has ended the process', () => {
    assert.match(read(undefined, ['[ RUN      ] Cart.Adds']).error?.message ?? '', /exited/);
    assert.equal(read(undefined, ['no library']).error, undefined);
  });
});
