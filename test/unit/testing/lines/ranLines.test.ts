import { strict as assert } from 'node:assert';
import { readPythonLines } from '../../../../src/testing/lines/pythonLines';
import {
  onlyIn,
  rangesOf,
  rangesText,
  type RanFile,
  type RanLines,
} from '../../../../src/testing/lines/ranLines';

const file = (path: string, counts: Readonly<Record<number, readonly number[]>>): RanFile => ({
  path,
  lines: new Map(Object.entries(counts).map(([line, places]) => [Number(line), places])),
  isWhole: true,
});

const run = (files: readonly RanFile[], more: Partial<RanLines> = {}): RanLines => ({
  ...{ unit: 'line', unread: [], notes: [] },
  ...{ files, ...more },
});

const shown = (ranges: readonly { path: string; from: number; to: number }[] | undefined) =>
  ranges?.map(({ path, from, to }) => `${path}:${from}-${to}`);

describe('the lines that ran', () => {
  it('are joined over lines without code, but not over lines with another count', () => {
    const cart = file('cart.py', { 1: [1], 2: [1], 5: [1], 6: [3], 7: [0], 8: [3] });
    const ranges = rangesOf(
      cart,
      (_, [count = 0]) => count > 0,
      ([one], [other]) => one === other,
    );
    assert.equal(rangesText(ranges, cart), '1-5, 6 ×3, 8 ×3');
  });

  it('of only one run come shortest first, and each place of a line counts', () => {
    const one = run([file('a', { 1: [1], 2: [1], 3: [1] }), file('b', { 7: [1, 1, 0], 8: [2] })]);
    const other = run([file('a', { 1: [1], 2: [0], 3: [0] }), file('b', { 7: [1, 0, 1], 8: [1] })]);
    assert.deepEqual(shown(onlyIn(one, other)?.ranges), ['b:7-7', 'a:2-3']);
    assert.deepEqual(shown(onlyIn(other, one)?.ranges), ['b:7-7']);
  });

  it('of a file that only one run has loaded are all only in it', () => {
    const one = run([file('a', { 1: [1], 2: [0], 3: [1] })]);
    assert.deepEqual(shown(onlyIn(one, run([]))?.ranges), ['a:1-1', 'a:3-3']);
  });

  it('are not compared with a run that was not seen as a whole, or with another text', () => {
    const one = run([file('a', { 1: [1] }), file('b', { 1: [1, 1] }), file('c', { 1: [1] })]);
    assert.equal(onlyIn(one, run([], { missed: 'a tracer' })), undefined);
    const changed = run([file('a', { 1: [1] }), file('b', { 1: [0] })], { unread: ['c'] });
    const { ranges, changed: names } = onlyIn(one, changed) ?? {};
    assert.deepEqual([ranges, names], [[], ['b', 'c']]);
  });

  it('of Python are read, with what is to be known about them', () => {
    const text = JSON.stringify({
      ...{ missed: null, children: true, full: false, left_out: 0 },
      files: [{ path: '/a.py', ran: [[1, 2]], silent: [3] }],
    });
    const lines = readPythonLines(text);
    assert.deepEqual(
      [...(lines?.files[0]?.lines ?? [])].sort(([a], [b]) => a - b),
      [
        [1, [2]],
        [3, [0]],
      ],
    );
    assert.deepEqual(lines?.notes, ['Child processes are not counted.']);
    assert.equal(lines.missed, undefined);
    assert.equal(readPythonLines(text.slice(0, -4)), undefined);
    const left = readPythonLines(text.replace('"left_out":0', '"left_out":2'));
    assert.match(left?.missed ?? '', /2 files/);
  });
});
