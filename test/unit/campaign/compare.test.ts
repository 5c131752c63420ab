import { strict as assert } from 'node:assert';
import { compare, median, timeLimitOf, type Compared, type Told } from '../../campaign/compare';
import type { TruthTest } from '../../campaign/project';

const TRUTH: TruthTest = {
  name: 'adds',
  file: '/p/a.test.js',
  verdict: 'failed',
  message: 'Expected values to be equal:\n\n1 !== 2',
  at: { file: '/p/a.test.js', line: 7 },
  locals: ['total', 'cart'],
  selector: ['adds'],
};

const TOLD: Told = {
  status: 'completed',
  outcome: 'failed',
  message: 'Expected values  to be equal:\n1 !== 2',
  at: { file_path: '/p/a.test.js', line_number: 7 },
  frames: [
    { function_name: 'library (3 frames)' },
    { function_name: 'adds', file_path: '/p/a.test.js', variables: { total: '1', cart: '{}' } },
  ],
};

function wrong(compared: Compared): readonly string[] {
  return Object.entries(compared).flatMap(([what, check]: [string, { isRight: boolean }]) =>
    check.isRight ? [] : what,
  );
}

describe('the comparison of the campaign', () => {
  it('accepts an answer that says what the runner says', () => {
    const compared = compare(TRUTH, TOLD);
    assert.deepEqual(Object.keys(compared), ['verdict', 'message', 'place', 'variables']);
    assert.deepEqual(wrong(compared), []);
  });

  it('names each difference', () => {
    assert.deepEqual(wrong(compare(TRUTH, { ...TOLD, outcome: 'passed' })), ['verdict']);
    assert.deepEqual(wrong(compare(TRUTH, { ...TOLD, message: 'another' })), ['message']);
    const at = { file_path: '/p/a.test.js', line_number: 8 };
    assert.deepEqual(wrong(compare(TRUTH, { ...TOLD, at })), ['place']);
    const frames = [{ function_name: 'adds', file_path: '/p/a.test.js', variables: { cart: '' } }];
    assert.deepEqual(wrong(compare(TRUTH, { ...TOLD, frames })), ['variables']);
    const error = { status: 'error', code: 'ambiguous_test', message: 'Two tests.' };
    assert.deepEqual(compare(TRUTH, error).verdict.got, 'error ambiguous_test Two tests.');
    assert.deepEqual(wrong(compare(TRUTH, error)), ['verdict', 'message', 'place', 'variables']);
  });

  it('asks for no place that the runner does not name, and for no values of what was never thrown', () => {
    const { at, ...unplaced } = TRUTH;
    assert.ok(at);
    assert.equal(compare(unplaced, TOLD).place, undefined);
    const never = { ...TOLD, frames: [], without_values: 'never_thrown' };
    assert.deepEqual(wrong(compare(TRUTH, never)), []);
  });

  it('compares only the verdict of a test that passed', () => {
    const passed = { ...TRUTH, verdict: 'passed' as const };
    assert.deepEqual(Object.keys(compare(passed, TOLD)), ['verdict']);
    assert.equal(compare(passed, TOLD).verdict.isRight, false);
    assert.equal(compare(passed, { status: 'completed', outcome: 'passed' }).verdict.isRight, true);
  });

  it('compares what the runner printed at the place that the answer names', () => {
    const log = { message: 'a log', at: { file: '/p/other.py', line: 1 } };
    const test = { ...TRUTH, ...log, besides: [{ message: TRUTH.message, at: TRUTH.at }] };
    const { message, place } = compare(test, TOLD);
    assert.deepEqual([message?.isRight, place?.isRight], [true, true]);
    assert.equal(compare({ ...TRUTH, ...log, besides: [log] }, TOLD).place?.isRight, false);
  });

  it('compares no numbers of a message that differs from run to run', () => {
    const told = { ...TOLD, message: 'took 13 ms' };
    const test = { ...TRUTH, message: 'took 4 ms' };
    assert.equal(compare(test, told).message?.isRight, false);
    assert.equal(compare({ ...test, varies: true }, told).message?.isRight, true);
    assert.equal(
      compare({ ...test, varies: true, message: 'took 4 s' }, told).message?.isRight,
      false,
    );
  });

  it('takes the limits from the aims', () => {
    assert.equal(timeLimitOf('pytest', 2000), 4000);
    assert.equal(timeLimitOf('go_test', 2000), 5000);
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 2, 3]), 2.5);
    assert.ok(Number.isNaN(median([])));
  });
});
