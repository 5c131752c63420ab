import { strict as assert } from 'node:assert';
import path from 'node:path';
import { call, cleanUp, errorOf, inWorkspace, marked, type Answer } from '../support/client';
import { LANGUAGES, skipWhereMissing } from '../languages/language';

const PLACE = 'tests/python';

interface Told extends Answer {
  readonly outcome?: string;
  readonly test?: string;
  readonly message?: string;
  readonly at?: { readonly file_path: string; readonly line_number: number };
  readonly frames?: readonly {
    readonly function_name: string;
    readonly variables?: Readonly<Record<string, string>>;
  }[];
}

async function debug(file: string, more: object): Promise<Told> {
  const answer = await call('debug_test', {
    ...{ file_path: path.join(PLACE, file), timeout_seconds: 60 },
    ...more,
  });
  if (process.env['SHOW'] !== undefined) console.log(JSON.stringify(answer, undefined, 1));
  return answer;
}

/** Asserts a failure with its place and some variables of its frame. */
function assertFailed(
  answer: Told,
  [file, marker]: readonly [file: string, marker: string],
  values: Readonly<Record<string, string>>,
): void {
  const text = JSON.stringify(answer);
  assert.deepEqual([answer.status, answer.outcome], ['completed', 'failed'], text);
  assert.equal(answer.at?.file_path, inWorkspace(path.join(PLACE, file)), text);
  assert.equal(answer.at.line_number, marked(path.join(PLACE, file), marker), text);
  for (const [name, value] of Object.entries(values))
    assert.equal(answer.frames?.[0]?.variables?.[name], value, text);
}

describe('debug_test with Python', function () {
  this.timeout(300_000);
  const python = LANGUAGES.find(({ name }) => name === 'Python');
  assert.ok(python);
  before(function () {
    skipWhereMissing(this, python);
  });
  afterEach(cleanUp);

  describe('names', () => {
    it('of inherited tests are found by the runner', async () => {
      const store = { store: "LoudStore {items: {'tea': 'green'}}" };
      const made = { made: "LoudStore {items: {'tea': 'green'}}" };
      const same = await debug('inherited/test_same_file.py', {
        test_name: 'TestLoud::test_roundtrip',
      });
      assertFailed(same, ['inherited/test_same_file.py', 'roundtrip'], made);
      const other = await debug('inherited/test_other_file.py', {
        test_name: 'TestLoud.test_roundtrip',
      });
      assertFailed(other, ['inherited/contract.py', 'contract'], store);
      assert.equal(other.test, 'TestLoud > test_roundtrip');
      for (const framework of ['pytest', 'unittest']) {
        const mixin = await debug('inherited/test_unit_style.py', {
          ...{ framework, test_name: 'LoudTest::test_roundtrip' },
        });
        assertFailed(mixin, ['inherited/test_unit_style.py', 'mixin'], made);
      }
    });

    it('of a class stand for its tests, and lines for the class or the method around them', async () => {
      const file = 'inherited/test_same_file.py';
      const line = (marker: string): object => ({ line: marked(path.join(PLACE, file), marker) });
      for (const more of [{ test_name: 'TestLoud' }, line('class')]) {
        const answer = await debug(file, more);
        assert.equal(answer.test, 'TestLoud > test_roundtrip', JSON.stringify(answer));
        assert.equal(answer.outcome, 'failed');
      }
      const inherited = await debug(file, line('inherited'));
      assert.equal(inherited.test, 'TestLoud > test_roundtrip', JSON.stringify(inherited));
      assert.deepEqual(inherited['others'], { passed: 1 });
    });

    it('that the runner does not know are told with its own names', async () => {
      const answer = await debug('inherited/test_other_file.py', { test_name: 'test_roundtrips' });
      const error = errorOf(answer, 'test_not_found');
      assert.deepEqual(error['names'], ['TestLoud::test_roundtrip'], JSON.stringify(error));
    });
  });

  it('keeps the options of the project, and names those that it leaves out', async () => {
    const total = await debug('options/test_shop.py', { test_name: 'test_total' });
    assertFailed(total, ['options/test_shop.py', 'total'], { basket: '[1, 2]', total: '3' });
    assert.deepEqual([total['expected'], total['actual']], ['6', '3']);
    assert.deepEqual(total['dropped_options'], ['--pdb']);
    const remembers = await debug('options/test_shop.py', { test_name: 'test_remembers' });
    assert.equal(remembers.outcome, 'passed', JSON.stringify(remembers));
    const old = await debug('options/test_shop.py', { test_name: 'test_no_old_calls' });
    assertFailed(old, ['options/test_shop.py', 'warns'], { prices: '[1, 2]' });
    assert.deepEqual(
      old.frames?.map((frame) => frame.function_name),
      ['old_total', 'test_no_old_calls'],
    );
  });

  it('reports the subtests that failed, and the notes of an exception', async () => {
    const half = await debug('subtests/test_subtests.py', { test_name: 'test_half' });
    assertFailed(half, ['subtests/test_subtests.py', 'subtest'], { n: '6', expected: '3' });
    assert.equal(half['subtest'], '(n=6)', JSON.stringify(half));
    const [further] = half['further_failures'] as Answer[];
    assert.equal(further?.['subtest'], '(n=9)', JSON.stringify(half));
    const load = await debug('subtests/test_subtests.py', { test_name: 'test_load' });
    assert.deepEqual(load['notes'], ['while reading row 17 of prices.csv']);
  });

  it('reports the error for which a run ended, not what was printed before it', async () => {
    const crash = await debug('crash/test_crash.py', {
      ...{ framework: 'unittest', test_name: 'test_crash' },
    });
    const text = JSON.stringify(crash);
    assert.equal(crash.outcome, 'errored', text);
    assert.match(crash.message ?? '', /ended by SIGABRT/, text);
    assert.equal(crash.at?.line_number, marked(`${PLACE}/crash/test_crash.py`, 'abort'), text);
    assert.match(JSON.stringify(crash['output']), /first attempt failed/, text);
    const startup = await debug('startup/test_it.py', { test_name: 'test_one' });
    assert.equal(startup.outcome, 'errored', JSON.stringify(startup));
    assert.equal(startup.message, 'database is not there');
    assert.equal(startup.at?.line_number, marked(`${PLACE}/startup/conftest.py`, 'database'));
    const imports = await debug('imports/test_it.py', { test_name: 'test_one' });
    assert.equal(imports.message, "No module named 'nowhere'", JSON.stringify(imports));
    assert.equal(imports.at?.line_number, marked(`${PLACE}/imports/conftest.py`, 'import'));
    const wrong = await debug('stay/test_stock.py', {
      ...{ test_name: 'test_total', args: ['--nonsense'] },
    });
    assert.match(wrong.message ?? '', /unrecognized arguments: --nonsense/, JSON.stringify(wrong));
    assert.match(JSON.stringify(wrong['output']), /--nonsense/);
  });

  describe('that stays', () => {
    /** Continues to the end, and returns the exit code and what was printed. */
    async function continued(): Promise<readonly [code: unknown, output: string]> {
      const end = await call('continue_debugging', { timeout_seconds: 40 });
      const text = JSON.stringify(end);
      assert.equal(end.status, 'completed', text);
      return [end['exit_code'], text];
    }

    it('stops at the failure itself, and then ends as plain pytest does', async () => {
      const answer = await debug('stay/test_stock.py', {
        ...{ test_name: 'test_negative', on_failure: 'stay' },
      });
      const text = JSON.stringify(answer);
      assert.deepEqual([answer.status, answer.outcome], ['stopped', 'failed'], text);
      assert.equal(answer.at?.line_number, marked(`${PLACE}/stay/test_stock.py`, 'negative'), text);
      const value = await call('evaluate_expression', { expression: 'quantity' });
      assert.equal(value['result'] ?? value['value'], '-1', JSON.stringify(value));
      const [code, output] = await continued();
      assert.equal(code, 1, output);
      assert.match(output, /1 failed/);
      assert.doesNotMatch(output, /agent_debugger|INTERNALERROR/);
    });

    it('lets a teardown of 6 s run to its end', async () => {
      const answer = await debug('stay/test_stock.py', {
        ...{ test_name: 'test_closes', on_failure: 'stay' },
      });
      assert.equal(answer.status, 'stopped', JSON.stringify(answer));
      const [code, output] = await continued();
      assert.equal(code, 1, output);
      assert.match(output, /service closed/);
    });

    it('says why it does not stop', async () => {
      const crash = await debug('crash/test_crash.py', {
        ...{ framework: 'unittest', test_name: 'test_crash', on_failure: 'stay' },
      });
      const text = JSON.stringify(crash);
      assert.deepEqual([crash['program'], crash['not_stayed']], ['ended', 'process_ended'], text);
    });

    for (const framework of ['pytest', 'unittest'])
      it(`stops at the failing subtest of ${framework}`, async () => {
        const isPytest = framework === 'pytest';
        const [file, name] = isPytest
          ? ['subtests/test_subtests.py', 'test_half']
          : ['test_units.py', 'test_first_price'];
        const answer = await debug(file, { framework, test_name: name, on_failure: 'stay' });
        const text = JSON.stringify(answer);
        assert.equal(answer.status, 'stopped', text);
        const line = marked(path.join(PLACE, file), isPytest ? 'subtest' : 'first');
        assert.equal(answer.at?.line_number, line, text);
        assert.equal(answer['subtest'], isPytest ? '(n=6)' : '(price=3)', text);
        const [code, output] = await continued();
        assert.equal(code, 1, output);
      });
  });

  describe('and trace_function', () => {
    const file = `${PLACE}/stay/test_stock.py`;
    const test = { file_path: file, test_name: 'test_total' };

    it('ends as plain pytest does after a trace in a test', async () => {
      const trace = await call('trace_function', { function_name: 'price', file_path: file, test });
      assert.equal(trace['program'], 'stopped', JSON.stringify(trace));
      const end = await call('continue_debugging', { timeout_seconds: 40 });
      assert.deepEqual([end.status, end['exit_code']], ['completed', 1], JSON.stringify(end));
      assert.match(JSON.stringify(end), /1 failed/);
    });

    it('reports the calls of an assertion without those of pytest', async () => {
      const answer = await call('trace_function', {
        ...{ function_name: 'test_total', file_path: file, test },
      });
      const text = JSON.stringify(answer['trace']);
      assert.match(text, /price\(quantity=2\) → 6/);
      assert.doesNotMatch(text, /_saferepr|_call_reprcompare|_should_repr|format_explanation/);
    });
  });
});
