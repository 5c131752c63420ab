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
  it('a line is found by its text, and counted from 1', () => {
    assert.deepEqual(linesWith(LINES, 'function add(a, b) {'), [
      { line: 1, text: 'function add(a, b) {' },
    ]);
  });

  it('blanks around do not count, neither in the file nor in the text', () => {
    for (const content of ['const sum = a + b;', '  const sum = a + b;', '\tconst sum = a + b;  '])
      assert.deepEqual(linesWith(LINES, content), [{ line: 2, text: 'const sum = a + b;' }]);
  });

  it('blanks within count', () => {
    assert.deepEqual(linesWith(LINES, 'const  sum = a + b;'), []);
  });

  it('a line that is the text goes before lines that hold it', () => {
    assert.deepEqual(
      linesWith(LINES, 'return sum;').map((each) => each.line),
      [3],
    );
  });

  it('where no line is the text, those that hold it are found', () => {
    assert.deepEqual(
      linesWith(LINES, 'sum').map((each) => each.line),
      [2, 3, 6],
    );
  });

  it('all lines that are the text are found', () => {
    assert.deepEqual(
      linesWith(LINES, '}').map((each) => each.line),
      [4, 7],
    );
  });

  it('a text that is nowhere is found nowhere', () => {
    assert.deepEqual(linesWith(LINES, 'Return sum;'), []);
    assert.deepEqual(linesWith([], 'x'), []);
  });

  it('a text is taken as it is, not as a pattern', () => {
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

describe('where a line has gone', () => {
  it('one that is still there has not gone', () => {
    assert.equal(movedTo(['one', '  two', 'three'], 'two', 2), undefined);
  });

  it('one that is still there has not gone, though it is elsewhere as well', () => {
    assert.equal(movedTo(['two', 'one', 'two', 'two'], 'two', 3), undefined);
  });

  it('one whose line has become longer is still there', () => {
    assert.equal(movedTo(['one', 'two // here', 'two'], 'two', 2), undefined);
  });

  it('one that has moved down or up is found', () => {
    assert.equal(movedTo(['zero', 'one', 'two'], 'two', 2), 3);
    assert.equal(movedTo(['two', 'one'], 'two', 2), 1);
  });

  it('one that is past the new end of the file is found', () => {
    assert.equal(movedTo(['two'], 'two', 9), 1);
  });

  it('one that is gone has gone nowhere', () => {
    assert.equal(movedTo(['one', 'three'], 'two', 2), undefined);
    assert.equal(movedTo([], 'two', 2), undefined);
  });

  it('one that may be any of several has gone nowhere', () => {
    assert.equal(movedTo(['two', 'one', 'two'], 'two', 2), undefined);
    assert.equal(movedTo(['two a', 'one', 'two b'], 'two', 2), undefined);
  });

  it('of several that hold it, the only one that is it counts', () => {
    assert.equal(movedTo(['two a', 'one', 'two b', ' two '], 'two', 2), 4);
  });
});
