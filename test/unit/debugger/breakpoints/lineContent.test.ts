import { strict as assert } from 'node:assert';
import { linesWith, movedTo } from '../../../../src/debugger/breakpoints/lineContent';

const LINES = [
  'function add(a, b) {',
  '  const sum = a + b;',
  '\treturn sum;',
  '}',
  '',
  '  return sum; // twice',
  '}',
];

describe('lines by their text', () => {
  it('are found by their text and counted from 1', () => {
    assert.deepEqual(linesWith(LINES, 'function add(a, b) {'), [
      { line: 1, text: 'function add(a, b) {' },
    ]);
  });

  it('match regardless of surrounding blanks, both in the file and in the text', () => {
    for (const content of ['const sum = a + b;', '  const sum = a + b;', '\tconst sum = a + b;  '])
      assert.deepEqual(linesWith(LINES, content), [{ line: 2, text: 'const sum = a + b;' }]);
  });

  it('do not match if inner blanks differ', () => {
    assert.deepEqual(linesWith(LINES, 'const  sum = a + b;'), []);
  });

  it('are preferred if they equal the text over lines that contain it', () => {
    assert.deepEqual(
      linesWith(LINES, 'return sum;').map((each) => each.line),
      [3],
    );
  });

  it('match by containing the text if no line equals it', () => {
    assert.deepEqual(
      linesWith(LINES, 'sum').map((each) => each.line),
      [2, 3, 6],
    );
  });

  it('are all returned if they equal the text', () => {
    assert.deepEqual(
      linesWith(LINES, '}').map((each) => each.line),
      [4, 7],
    );
  });

  it('are not found if the text does not occur', () => {
    assert.deepEqual(linesWith(LINES, 'Return sum;'), []);
    assert.deepEqual(linesWith([], 'x'), []);
  });

  it('match the text literally, not as a pattern', () => {
    assert.deepEqual(
      linesWith(['a.b', 'axb', '(x|y)'], 'a.b').map((each) => each.line),
      [1],
    );
    assert.deepEqual(
      linesWith(['a.b', 'axb', '(x|y)'], '(x|').map((each) => each.line),
      [3],
    );
  });
});

describe('the new place of a moved line', () => {
  it('is undefined if the line is still there', () => {
    assert.equal(movedTo(['one', '  two', 'three'], 'two', 2), undefined);
  });

  it('is undefined if the line is still there and elsewhere as well', () => {
    assert.equal(movedTo(['two', 'one', 'two', 'two'], 'two', 3), undefined);
  });

  it('is undefined if the line has become longer', () => {
    assert.equal(movedTo(['one', 'two // here', 'two'], 'two', 2), undefined);
  });

  it('is found if the line has moved down or up', () => {
    assert.equal(movedTo(['zero', 'one', 'two'], 'two', 2), 3);
    assert.equal(movedTo(['two', 'one'], 'two', 2), 1);
  });

  it('is found if the line was past the new end of the file', () => {
    assert.equal(movedTo(['two'], 'two', 9), 1);
  });

  it('is undefined if the line was removed', () => {
    assert.equal(movedTo(['one', 'three'], 'two', 2), undefined);
    assert.equal(movedTo([], 'two', 2), undefined);
  });

  it('is undefined if the line may be any of several', () => {
    assert.equal(movedTo(['two', 'one', 'two'], 'two', 2), undefined);
    assert.equal(movedTo(['two a', 'one', 'two b'], 'two', 2), undefined);
  });

  it('is the only line that equals the text, among several that contain it', () => {
    assert.equal(movedTo(['two a', 'one', 'two b', ' two '], 'two', 2), 4);
  });
});
