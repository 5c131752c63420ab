import { strict as assert } from 'node:assert';
import path from 'node:path';
import { call, cleanUp, inWorkspace, marked, type Answer } from '../support/client';

const PLACE = 'tests/javascript';
const WAIT = { timeout_seconds: 120 };

interface Told extends Answer {
  readonly outcome?: string;
  readonly test?: string;
  readonly message?: string;
  readonly project?: string;
  readonly projects?: Readonly<Record<string, string>>;
  readonly at?: { readonly file_path: string; readonly line_number: number };
  readonly frames?: readonly {
    readonly function_name: string;
    readonly variables?: Readonly<Record<string, string>>;
  }[];
}

async function debug(file: string, test: string | number, more: object = {}): Promise<Told> {
  const started = performance.now();
  const answer = await call('debug_test', {
    file_path: path.join(PLACE, file),
    ...(typeof test === 'string' ? { test_name: test } : { line: test }),
    ...WAIT,
    ...more,
  });
  if (process.env['SHOW'] !== undefined)
    console.log(
      `${file} ${test}: ${Math.round(performance.now() - started)} ms\n${JSON.stringify(answer, undefined, 1)}`,
    );
  return answer;
}

/** Asserts a failure with its place and some variables of its innermost frame. */
function assertFailed(
  answer: Told,
  [file, marker]: readonly [file: string, marker: string],
  values: Readonly<Record<string, string>>,
): void {
  const text = JSON.stringify(answer);
  assert.equal(answer.outcome, 'failed', text);
  assert.equal(answer.at?.file_path, inWorkspace(path.join(PLACE, file)), text);
  assert.equal(answer.at.line_number, marked(path.join(PLACE, file), marker), text);
  for (const [name, value] of Object.entries(values))
    assert.equal(answer.frames?.[0]?.variables?.[name], value, text);
}

const testIn = (file: string, name: string): object => ({
  test: { file_path: path.join(PLACE, file), test_name: name },
});

describe('debug_test with JavaScript', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  describe('as the project runs its tests', () => {
    const CART = 'config-above/packages/cart/cart.test.js';

    it('uses a configuration in a folder above the package, and names the options that it cannot keep', async () => {
      const answer = await debug(CART, 'gross');
      assertFailed(answer, [CART, 'gross'], { gross: '12' });
      assert.deepEqual([answer['expected'], answer['actual']], ['13 EUR', '12 EUR']);
      assert.deepEqual(answer['dropped_options'], ['--maxWorkers 2'], JSON.stringify(answer));
    });

    it('lets trace_function reach a call with that configuration', async () => {
      const answer = await call('trace_function', {
        ...testIn(CART, 'gross'),
        file_path: path.join(PLACE, 'config-above/shared/tax.js'),
        function_name: 'tax',
        max_seconds: 60,
      });
      const text = JSON.stringify(answer);
      assert.equal((answer['arguments'] as Record<string, string>)['net'], '10', text);
      assert.equal(answer['returned'], '2', text);
    });

    for (const [runner, file] of [
      ['vitest', 'two-projects/length.test.js'],
      ['jest', 'two-projects/with-jest/length.test.js'],
    ] as const)
      it(`${runner}: reports a test in several projects by project`, async () => {
        const answer = await debug(file, 'length');
        const text = JSON.stringify(answer);
        assertFailed(answer, [file, `${runner} length`], { length: '10' });
        assert.equal(answer['framework'], runner, text);
        assert.equal(answer.project, 'imperial', text);
        assert.deepEqual(answer.projects, { metric: 'passed', imperial: 'failed' }, text);
        const option = runner === 'jest' ? '--selectProjects' : '--project';
        const one = await debug(file, 'length', { args: [option, 'metric'] });
        assert.equal(one.outcome, 'passed', JSON.stringify(one));
      });

    it('vitest: collects values in all projects', async () => {
      const file = path.join(PLACE, 'two-projects/length.test.js');
      const answer = await call('collect_values', {
        ...testIn('two-projects/length.test.js', 'length'),
        probes: [{ file_path: file, line: marked(file, 'unit'), expressions: ['unit'] }],
        max_seconds: 90,
      });
      // Each project may have a process of its own, whose id is then in a row.
      const rows = answer['rows'] as readonly (readonly unknown[])[];
      assert.deepEqual(rows.map((row) => row.at(-1)).sort(), ['"cm"', '"in"']);
    });
  });

  describe('with functions of the project that declare tests', () => {
    const MATRIX = 'wrappers/matrix.test.js';

    it('vitest: finds the tests by a line, and by the names that vitest prints', async () => {
      const line = marked(path.join(PLACE, MATRIX), 'in wrapper');
      const byLine = await debug(MATRIX, line);
      assertFailed(byLine, [MATRIX, 'wrapped'], { kind: "'a'", sum: '2' });
      assert.equal(byLine.test, 'sum > a > adds (a)', JSON.stringify(byLine));
      assert.deepEqual(byLine['others'], { failed: 1 });
      const byName = await debug(MATRIX, 'sum > b > adds (b)');
      assertFailed(byName, [MATRIX, 'wrapped'], { kind: "'b'" });
      assert.equal('others' in byName, false, JSON.stringify(byName));
    });

    it('vitest: traces a call of such a test', async () => {
      const answer = await call('trace_function', {
        test: {
          file_path: path.join(PLACE, MATRIX),
          line: marked(path.join(PLACE, MATRIX), 'in wrapper'),
        },
        file_path: path.join(PLACE, 'wrappers/double.js'),
        function_name: 'double',
        max_seconds: 60,
      });
      assert.equal(answer['returned'], '2', JSON.stringify(answer));
    });

    it('node:test: finds the test by a line, and by its name', async () => {
      const file = 'wrappers/wrap.test.cjs';
      const line = marked(path.join(PLACE, file), 'in node wrapper');
      for (const test of [line, 'sum > adds (x)', 'adds (x)']) {
        const answer = await debug(file, test);
        assertFailed(answer, [file, 'node wrapped'], { sum: '2' });
        assert.equal(answer.test, 'sum > adds (x)', JSON.stringify(answer));
      }
    });
  });

  describe('that stays at the failure', () => {
    for (const [runner, file, variable, value] of [
      ['node', 'stay/stay.test.js', 'first', '1'],
      ['mocha', 'stay-mocha/stay.test.js', 'Object.keys(order)[0]', "'id'"],
      ['jest', 'stay-jest/stay.test.js', 'Object.keys(order)[0]', "'id'"],
      ['later jest', 'stay-jest/stay.test.js', 'Object.keys(order)[0]', "'id'"],
      ['vitest', 'stay-vitest/stay.test.ts', 'Object.keys(order)[0]', "'id'"],
    ] as const)
      it(`${runner}: stops at that very exception, whose text differs from run to run, and goes on as the plain run`, async () => {
        const test = runner === 'later jest' ? 'waits' : 'adds';
        const answer = await debug(file, test, { on_failure: 'stay' });
        const text = JSON.stringify(answer);
        assert.equal(answer.status, 'stopped', text);
        assertFailed(answer, [file, `${runner} stays`], {});
        const read = await call('evaluate_expression', { expression: variable });
        assert.equal(read['result'] ?? read['value'], value, JSON.stringify(read));
        const ended = await call('continue_debugging', { timeout_seconds: 60 });
        const endText = JSON.stringify(ended);
        assert.equal(ended.status, 'completed', endText);
        assert.doesNotMatch(endText, /ENOENT|agent-debugger/, endText);
        assert.match(endText, /"exit_code":1/, endText);
      });

    it('says why it cannot stay at an error that is never thrown', async () => {
      const answer = await debug('stay-mocha/stay.test.js', 'calls back', { on_failure: 'stay' });
      const text = JSON.stringify(answer);
      assertFailed(answer, ['stay-mocha/stay.test.js', 'mocha made'], {});
      assert.deepEqual([answer['program'], answer['not_stayed']], ['ended', 'never_thrown'], text);
      assert.equal(answer['without_values'], 'never_thrown', text);
    });
  });
});
