import { strict as assert } from 'node:assert';
import { valuesOf } from '../../../src/testing/report/reportedValues';
import { lineDiff } from '../../../src/testing/report/textDiff';
import type { ReportedError } from '../../../src/testing/runReport';

const error = (values: Pick<ReportedError, 'expected' | 'actual'>): ReportedError => ({
  type: undefined,
  message: 'not equal',
  frames: [],
  causes: [],
  ...values,
});

describe('the values of a failed assertion', () => {
  it('are shown whole if they are short', () => {
    assert.deepEqual(valuesOf(error({ expected: '[1, 2]', actual: '[1, 3]' })), {
      expected: '[1, 2]',
      actual: '[1, 3]',
    });
    assert.deepEqual(valuesOf(error({ expected: '[1, 2]' })), {});
    assert.deepEqual(valuesOf(undefined), {});
  });

  it('are cut to the part that differs, and so are the lines of their difference', () => {
    const before = 'a'.repeat(1000);
    const shown = valuesOf(error({ expected: `${before}one`, actual: `${before}two` }));
    const text = JSON.stringify(shown);
    assert.match(shown.expected ?? '', /^…a+one$/);
    assert.match(shown.actual ?? '', /^…a+two$/);
    assert.match(shown.diff?.[0] ?? '', /^-…a+one$/);
    assert.match(shown.diff?.[1] ?? '', /^\+…a+two$/);
    assert.ok(text.length < 600, text);
  });

  it('have a difference of which only the pairs of long lines are cut to what differs', () => {
    const long = 'b'.repeat(300);
    const lines = (...changed: string[]): string =>
      ['1', '2', '3', '4', '5', '6', ...changed].join('\n');
    const { diff } = valuesOf(error({ expected: lines(`${long}x`), actual: lines(`${long}y`) }));
    assert.deepEqual(diff?.slice(0, 3), ['…', ' 5', ' 6']);
    assert.match(diff[3] ?? '', /^-…b+x$/);
    assert.match(diff[4] ?? '', /^\+…b+y$/);
    const removed = valuesOf(error({ expected: lines(`${long}x`), actual: lines() }));
    assert.match(removed.diff?.at(-1) ?? '', /^-b{150,}…/);
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
