import { strict as assert } from 'node:assert';
import { call, cleanUp } from '../support/client';
import { assertNothingLeft, compileNative, needs, trace, withText, type Traced } from './tracing';

const PYTHON = { program: 'python/depth.py', file_path: 'python/depth.py', depth: 1 };
const NODE = { program: 'node/depth.mjs', file_path: 'node/depth.mjs', depth: 1 };

describe('trace_function with opened callees', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  const trails = (answer: Traced): string => JSON.stringify(answer, undefined, 1);

  for (const [name, input] of [
    ['Python', PYTHON],
    ['Node', NODE],
  ] as const)
    it(`${name}: shows the rounds of a generator where its consumer makes them`, async function () {
      needs(this, name);
      const answer = await trace({ ...input, function_name: 'consume' });
      const text = trails(answer);
      assert.equal(withText(answer, '> numbers(limit=2)').length, 3, text);
      assert.equal(withText(answer, '< yields').length, 2, text);
      assert.equal(withText(answer, '| n = 1').length, 1, text);
      assert.equal(withText(answer, '| n: 1 → 2').length, 1, text);
      assert.match(withText(answer, 'number = 10')[0] ?? '', /^1[57] for /, text);
      assert.match(withText(answer, 'number: 10 → 20')[0] ?? '', /^1[57]  /, text);
      assert.equal(withText(answer, '> add(').length, 2, text);
      assert.match(withText(answer, 'last = 10')[0] ?? '', /^1[68] last = add\(/, text);
      assert.match(withText(answer, 'last: 10 → 30')[0] ?? '', /^1[68]  /, text);
      assert.equal(answer.returned, '30', text);
      await assertNothingLeft();
    });

  it('Python: traces a generator as a whole, without its consumer', async function () {
    needs(this, 'Python');
    const answer = await trace({ ...PYTHON, function_name: 'numbers' });
    const text = trails(answer);
    assert.deepEqual(
      answer.trace.map((line) => line.split(' ')[0]),
      ['2', '3', '4', '5', '3', '4', '5', '3'],
      text,
    );
    assert.equal(answer.returned, 'None', text);
  });

  it('Python: shows what the last line of a call changes', async function () {
    needs(this, 'Python');
    const work = await trace({ ...PYTHON, function_name: 'work' });
    const text = trails(work);
    assert.match(withText(work, 'note(log, "a")')[0] ?? '', /log: \[\] → \['a'\]$/, text);
    assert.match(withText(work, 'note(log, "b")')[0] ?? '', /log: \['a'\] → \['a', 'b'\]$/, text);
    assert.deepEqual(withText(work, 'threw'), [], text);
    assert.deepEqual(work.argument_changes, ["log: [] → ['a', 'b']"], text);
    const fill = await trace({ ...PYTHON, function_name: 'Box.fill' });
    assert.deepEqual(fill.argument_changes, ["self.items: [] → ['pen']"], trails(fill));
  });

  it('Python: shows a generator expression as a call of its own', async function () {
    needs(this, 'Python');
    const answer = await trace({ ...PYTHON, function_name: 'squares', depth: 2 });
    const text = trails(answer);
    assert.equal(withText(answer, '> <genexpr>()').length, 1, text);
    assert.equal(withText(answer, '> double(x=1)').length, 1, text);
    assert.equal(withText(answer, '> double(x=2)').length, 1, text);
    assert.deepEqual(withText(answer, '.0'), [], text);
    assert.equal(answer.returned, '10', text);
  });

  it('C++: continues where an exception of a callee is caught', async function () {
    needs(this, 'C++');
    const program = compileNative('catches');
    const cpp = { program, file_path: 'native/catches.cpp', depth: 1 };
    const total = await trace({ ...cpp, function_name: 'total' });
    const text = trails(total);
    assert.equal(withText(total, '> parse(').length, 3, text);
    assert.deepEqual(
      withText(total, 'threw'),
      [
        '  8 throw std::invalid_argument("empty text");  | threw std::invalid_argument("empty text")',
        '  < threw std::invalid_argument("empty text")',
      ],
      text,
    );
    assert.deepEqual(withText(total, 'caught at'), ['16  | caught at 20'], text);
    assert.match(withText(total, 'sum -= 1')[0] ?? '', /^21 .*\| sum: 12 → 11$/, text);
    assert.deepEqual(withText(total, 'catch (...)'), [], text);
    assert.equal(total.returned, '82', text);
    await assertNothingLeft();

    const outer = await trace({ ...cpp, function_name: 'outer' });
    assert.equal(outer['threw'], 'std::invalid_argument("empty text")', trails(outer));
    assert.match(outer.at ?? '', /catches\.cpp:\d+ main$/, trails(outer));
    await assertNothingLeft();
  });

  it('C++: traces one thread while another one passes the same lines', async function () {
    needs(this, 'C++');
    const program = compileNative('catchThreads');
    const cpp = { program, file_path: 'native/catchThreads.cpp', depth: 1 };
    const traced = { ...cpp, function_name: 'total', condition: 'rounds == 3' };
    for (let time = 1; time <= 3; time += 1) {
      const answer = await trace(traced);
      const text = trails(answer);
      assert.equal(answer['ended_by'], undefined, text);
      assert.equal(withText(answer, '> parse(').length, 3, text);
      assert.equal(withText(answer, 'caught at').length, 1, text);
      assert.equal(answer.returned, '23', text);
      await assertNothingLeft();
      const end = await call('continue_debugging', { timeout_seconds: 20 });
      assert.equal(end.status, 'completed', JSON.stringify(end));
      assert.equal(end['exit_code'], 0, JSON.stringify(end));
    }
  });
});
