import { strict as assert } from 'node:assert';
import { LANGUAGES, skipWhereMissing } from '../languages/language';
import { call, cleanUp } from '../support/client';
import { assertNothingLeft, untilQuick, withText, type Traced } from './tracing';

const CALLS = 'python/calls';

async function traceIn(file: string, name: string, more: object = {}): Promise<Traced> {
  const place = { file_path: `${CALLS}/${file}`, function_name: name };
  const program = { program: `${CALLS}/${file}` };
  return (await call('trace_function', {
    ...place,
    ...('test' in more ? {} : program),
    ...more,
  })) as Traced;
}

describe('a traced Python call', function () {
  this.timeout(300_000);
  const python = LANGUAGES.find(({ name }) => name === 'Python');
  assert.ok(python);
  before(function () {
    skipWhereMissing(this, python);
  });
  afterEach(cleanUp);

  for (const [name, args, returned] of [
    ['add', { a: '1', b: '2' }, '3'],
    ['Box.__len__', { self: '<Box n=4>' }, '4'],
    ['Box.twice', { self: '<Box n=4>' }, '8'],
  ] as const)
    it(`is found if its function is on one line: ${name}`, async () => {
      const answer = await traceIn('one_line.py', name);
      const text = JSON.stringify(answer);
      assert.deepEqual([answer.arguments, answer.returned], [args, returned], text);
      assert.equal(answer.executed_lines, 1, text);
      await assertNothingLeft();
    });

  it('has the exception that a library catches', async () => {
    const answer = await traceIn('swallowed.py', 'price');
    assert.equal(answer['threw'], "ValueError('negative -6')", JSON.stringify(answer));
    const failing = await traceIn('test_asserted.py', 'test_price');
    assert.match(String(failing['threw']), /^AssertionError.*6 != 7/, JSON.stringify(failing));
  });

  it('is one of several concurrent calls of a coroutine', async () => {
    const answer = await traceIn('gathered.py', 'price');
    const text = JSON.stringify(answer);
    assert.deepEqual([answer.returned, answer.executed_lines], ['50', 4], text);
    assert.ok(withText(answer, 'total: 5 → 50').length === 1, text);
    assert.ok(!text.includes('fig') && answer['ended_by'] === undefined, text);
  });

  it('is left by an exception that its caller swallows', async () => {
    await untilQuick(6, async () => {
      await cleanUp();
      const begun = performance.now();
      const answer = await traceIn('delivered.py', 'deliver', { max_seconds: 60 });
      const text = JSON.stringify(answer);
      assert.equal(answer['threw'], "KeyError('email')", text);
      assert.deepEqual(
        answer.trace.map((line) => line.slice(0, 1)),
        ['5', '6', '7'],
        text,
      );
      assert.match(answer.at ?? '', /delivered\.py:\d+ main$/, text);
      return (performance.now() - begun) / 1000;
    });
  });

  it('ends in time while it sleeps, and the program does not stop later', async () => {
    await untilQuick(5, async () => {
      const begun = performance.now();
      const answer = await traceIn('sleeps.py', 'nap', { max_seconds: 3 });
      const seconds = (performance.now() - begun) / 1000;
      const text = JSON.stringify(answer);
      assert.deepEqual([answer['ended_by'], answer['program']], ['max_seconds', 'running'], text);
      assert.equal(answer.executed_lines, 2, text);
      await assertNothingLeft();
      const ended = await call('wait_for_stop', { timeout_seconds: 60 });
      assert.equal(ended.status, 'completed', JSON.stringify(ended));
      return seconds;
    });
  });

  it('is a whole fixture of pytest, and the run goes on as without a trace', async () => {
    const answer = await traceIn('test_fixture.py', 'stock', {
      test: { file_path: `${CALLS}/test_fixture.py`, test_name: 'test_ok' },
    });
    const text = JSON.stringify(answer);
    assert.deepEqual([answer.returned, answer.executed_lines], ['None', 5], text);
    const ended = await call('wait_for_stop', { timeout_seconds: 20 });
    // The run may have ended before the call that waits for it. The state then has its exit code.
    const later = [await call('get_debug_output'), await call('get_debug_state')];
    const whole = JSON.stringify([answer, ended, ...later]);
    assert.match(whole, /1 failed/);
    assert.match(whole, /"exit_code":1/);
    assert.doesNotMatch(whole, /INTERNALERROR/);
  });
});
