import { strict as assert } from 'node:assert';
import { goTest } from '../../../src/testing/go/goTest';
import { googleTest } from '../../../src/testing/googletest/googleTest';
import type { ChosenTest } from '../../../src/testing/testFramework';

const TEST: ChosenTest = { path: ['Cart', 'Adds'], line: 3, isTemplate: false };

describe('a test of Go that is observed', () => {
  const observe = async (
    functionName: string,
    values: Readonly<Record<string, string>>,
    callers: readonly string[] = [],
  ) =>
    await goTest.observer?.observe(
      functionName,
      (expression) => Promise.resolve(values[expression]),
      callers,
    );

  it('is none if it is the one that runs all others', async () => {
    assert.equal(await observe('testing.tRunner', { 't.common.name': '""' }), undefined);
    assert.deepEqual(await observe('testing.tRunner', { 't.common.name': '"TestA/b"' }), {
      kind: 'ran',
      path: ['TestA', 'b'],
    });
  });

  it('has a message of any length', async () => {
    const text = `    cart_test.go:9: 总数不对: ${'x'.repeat(60)}\n`;
    const bytes = [...Buffer.from(text)];
    const slices = Object.fromEntries(
      Array.from({ length: Math.ceil(bytes.length / 32) }, (_, index) => {
        const [from, to] = [index * 32, Math.min(bytes.length, index * 32 + 32)];
        const shown = `[]uint8 len: ${to - from}, cap: 99, [${bytes.slice(from, to).join(',')}]`;
        return [`c.output[${from}:${to}]`, shown];
      }),
    );
    const values = { 'c.name': '"TestA"', 'len(c.output)': String(bytes.length), ...slices };
    const failed = await observe('testing.(*common).Fail', values);
    assert.deepEqual(failed, {
      kind: 'failed',
      path: ['TestA'],
      message: `总数不对: ${'x'.repeat(60)}`,
    });
  });

  it('fails in a deferred function, but not again because of its panic', async () => {
    const values = { 'c.name': '"TestA"', 'len(c.output)': '0' };
    const byTest = ['shop.TestA.func1', 'runtime.gopanic', 'shop.TestA', 'testing.tRunner'];
    const byRunner = ['testing.tRunner.func1', 'runtime.gopanic', 'shop.TestA', 'testing.tRunner'];
    const fail = 'testing.(*common).Fail';
    assert.equal((await observe(fail, values, byTest))?.kind, 'failed');
    assert.equal(await observe(fail, values, byRunner), undefined);
  });

  it('is an example whose output is compared', async () => {
    const example = async (stdout: string, output: string, isUnordered = 'false') =>
      await observe('testing.(*InternalExample).processRunResult', {
        'eg.Name': '"Example"',
        stdout: JSON.stringify(stdout),
        'eg.Output': JSON.stringify(output),
        'eg.Unordered': isUnordered,
      });
    assert.equal((await example('a\nb\n', 'a\nb\n'))?.kind, 'ran');
    assert.equal((await example('b\na\n', 'a\nb\n', 'true'))?.kind, 'ran');
    assert.deepEqual(await example('b\na\n', 'a\nb\n'), {
      kind: 'failed',
      path: ['Example'],
      message: 'got:\nb\na\nwant:\na\nb',
    });
  });
});

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
