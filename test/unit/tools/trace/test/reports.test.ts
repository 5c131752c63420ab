import { strict as assert } from 'node:assert';
import { readOwnReport } from '../../../../../src/tools/trace/test/readReport';
import { lineDiff } from '../../../../../src/tools/trace/test/textDiff';
import { observedVerdict, verdictOf } from '../../../../../src/tools/trace/test/testReport';
import type { ChosenTest } from '../../../../../src/tools/trace/test/testFramework';

const TEST: ChosenTest = { path: ['cart', 'adds'], line: 3, isTemplate: false };

const FILE = '/app/cart.test.js';

const lines = (...entries: object[]): string =>
  entries.map((each) => `${JSON.stringify(each)}\n`).join('');

describe('the report of a test runner', () => {
  it('has the outcome of the selected test, whatever else ran', () => {
    const report = readOwnReport(
      lines(
        { path: ['cart', 'adds'], status: 'passed', durationMs: 2 },
        { path: ['other', 'adds'], status: 'failed', error: { message: 'no' } },
      ),
      [],
      TEST,
    );
    const verdict = verdictOf(report, { test: TEST, file: FILE });
    assert.equal(verdict.outcome, 'passed');
    assert.deepEqual(verdict.others, {});
  });

  it('has no outcome of another test in another file, or on another line', () => {
    const report = readOwnReport(
      lines(
        { path: ['cart', 'adds'], file: FILE, status: 'passed' },
        { path: ['cart', 'adds'], file: '/app/other.test.js', status: 'failed', error: {} },
      ),
      [],
      TEST,
    );
    assert.equal(verdictOf(report, { test: TEST, file: FILE }).outcome, 'passed');
    const test: ChosenTest = { path: ['cart', '${name}'], line: 3, endLine: 3, isTemplate: true };
    const rows = readOwnReport(
      lines(
        { path: ['cart', 'one'], line: 3, status: 'passed' },
        { path: ['cart', 'two'], line: 3, status: 'passed' },
        { path: ['cart', 'boom'], line: 4, status: 'failed', error: {} },
      ),
      [],
      test,
    );
    const { outcome, others } = verdictOf(rows, { test, file: FILE });
    assert.deepEqual([outcome, others], ['passed', { passed: 1 }]);
  });

  it('is not skipped because a subtest was skipped', () => {
    const test: ChosenTest = { path: ['TestRows'], line: 1, isTemplate: false };
    const plan = { test } as const;
    const skipped = { kind: 'skipped', path: ['TestRows', 'one'], reason: 'later' } as const;
    const ran = { kind: 'ran', path: ['TestRows'] } as const;
    assert.equal(observedVerdict([skipped, ran], plan).outcome, 'passed');
    const whole = { ...skipped, path: ['TestRows'] };
    assert.equal(observedVerdict([whole, ran], plan).outcome, 'skipped');
  });

  it('has the failure of one row of a table, and counts the others', () => {
    const test: ChosenTest = { path: ['test_rows'], line: 1, isTemplate: false };
    const report = readOwnReport(
      lines(
        { path: ['test_rows[1]'], line: 1, status: 'passed' },
        { path: ['test_rows[2]'], line: 1, status: 'failed', error: { message: 'two' } },
        { path: ['test_rows[3]'], line: 1, status: 'failed', error: { message: 'three' } },
      ),
      [],
      test,
    );
    const verdict = verdictOf(report, { test, file: FILE });
    assert.equal(verdict.error?.message, 'two');
    assert.deepEqual(verdict.others, { passed: 1, failed: 1 });
  });

  it('is read up to a line that was cut, and reports no test if none ran', () => {
    const { tests } = readOwnReport(
      `${lines({ path: ['cart', 'adds'], status: 'skipped', reason: 'later' })}{"path":["ca`,
      [],
      TEST,
    );
    assert.deepEqual(
      tests.map(({ outcome, reason }) => [outcome, reason]),
      [['skipped', 'later']],
    );
    assert.equal(
      verdictOf(readOwnReport(undefined, [], TEST), { test: TEST, file: FILE }).outcome,
      'not_found',
    );
    const left = lines({ path: ['cart', 'other'], status: 'skipped', isUnmatched: true });
    assert.equal(
      verdictOf(readOwnReport(left, [], TEST), { test: TEST, file: FILE }).outcome,
      'not_found',
    );
  });

  it('has the frames of a stack, and of an error that its program printed', () => {
    const { tests } = readOwnReport(
      lines({
        path: ['cart', 'adds'],
        status: 'failed',
        error: {
          type: 'Error',
          message: 'no',
          stack:
            'Error: no\n    at add (file:///app/cart.mjs:4:7)\n    at /app/a b.js:1:2\n    at node:internal/x:3:4',
        },
      }),
      [],
      TEST,
    );
    assert.deepEqual(tests[0]?.error?.frames, [
      { name: 'add', path: '/app/cart.mjs', line: 4, column: 7 },
      { name: '', path: '/app/a b.js', line: 1, column: 2 },
    ]);
    const { error } = readOwnReport(
      undefined,
      [
        '/app/cart.test.js:2',
        'const = 3;',
        '      ^',
        '',
        "SyntaxError: Unexpected token '='",
        '    at wrapSafe (node:internal/modules:1:2)',
      ],
      TEST,
    );
    assert.equal(error?.type, 'SyntaxError');
    assert.deepEqual(
      error.frames.map(({ path, line }) => [path, line]),
      [['/app/cart.test.js', 2]],
    );
    assert.equal(verdictOf({ tests: [], error }, { test: TEST, file: FILE }).outcome, 'errored');
  });
});

describe('the difference of two texts', () => {
  it('is shown by lines, with a few equal lines around it', () => {
    const text = (changed: string): string =>
      ['a', 'b', 'c', 'd', changed, 'f', 'g', 'h', 'i'].join('\n');
    assert.deepEqual(lineDiff(text('e'), text('E')), [
      '…',
      ' c',
      ' d',
      '-e',
      '+E',
      ' f',
      ' g',
      '…',
    ]);
    assert.deepEqual(lineDiff('a\nb', 'a\nx\nb'), [' a', '+x', ' b']);
    const long = Array.from({ length: 1000 }, (_, at) => String(at)).join('\n');
    assert.deepEqual(lineDiff(long, long.replace('500', 'x')).slice(2, 6), [
      ' 499',
      '-500',
      '+x',
      ' 501',
    ]);
  });
});
