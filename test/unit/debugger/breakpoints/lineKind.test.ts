import { strict as assert } from 'node:assert';
import { lineKind, nextCode } from '../../../../src/debugger/breakpoints/lineKind';

const kinds = (text: string, file: string): string =>
  text
    .split('\n')
    .map((_, index) => lineKind(text.split('\n'), index + 1, file)[0])
    .join('');

describe('the kind of a line', () => {
  it('is blank, comment or code, by language', () => {
    assert.equal(kinds('a\n\n  # b\nc # d', 'x.py'), 'cbcc');
    assert.deepEqual(
      [lineKind(['# b'], 1, 'x.py'), lineKind(['# b'], 1, 'x.js'), lineKind(['-- b'], 1, 'x.LUA')],
      ['comment', 'code', 'comment'],
    );
    assert.deepEqual(
      ['/* a', ' * b', ' */', 'c', '/* d */', '/* e */ f()', '* g'].map((_, index, all) =>
        lineKind(all, index + 1, 'x.ts'),
      ),
      ['comment', 'comment', 'comment', 'code', 'comment', 'code', 'code'],
    );
  });

  it('is only blank or code in a language whose comments are unknown', () => {
    assert.deepEqual(
      [lineKind(['// a', ' '], 1, 'x.cobol'), lineKind(['// a', ' '], 2, 'x.cobol')],
      ['code', 'blank'],
    );
  });

  it('is code after the end of a comment', () => {
    assert.equal(lineKind(['/*', '*/ x();'], 2, 'x.c'), 'code');
    assert.equal(lineKind(['const glob = "/*";', 'next();'], 2, 'x.js'), 'code');
  });

  it('determines the next line of code', () => {
    assert.equal(nextCode(['# a', '', '# b', 'c'], 1, 'x.py'), 4);
    assert.equal(nextCode(['a', '', '# b'], 1, 'x.py'), undefined);
  });
});
