import { strict as assert } from 'node:assert';
import {
  cutText,
  isCut,
  keptText,
  keptValue,
  MOST_OF_A_NAME,
  MOST_OF_A_TEXT,
  mostOfEach,
  wholeText,
  withoutTrace,
} from '../../../src/debugger/texts';

const lengthOf = (text: string, limit = 100): string =>
  /… \((.*) characters\)$/.exec(cutText(text, limit))?.[1] ?? 'whole';

describe('the length of a text that is cut', () => {
  it('is its own, also when it is cut twice', () => {
    const text = 'x'.repeat(260_000);
    assert.equal(lengthOf(text), '260000');
    assert.equal(lengthOf(cutText(text, 5000)), '260000');
    assert.ok(isCut(cutText(text, 100)));
  });

  it('of what debugpy, js-debug or lldb-dap has shortened is “at least”, also when it is cut twice', () => {
    const debugpy = `'${'x'.repeat(43_690)}...${'x'.repeat(21_845)}'`;
    assert.equal(lengthOf(debugpy), 'at least 65540');
    assert.equal(lengthOf(cutText(debugpy, 5000)), 'at least 65540');
    assert.ok(isCut(cutText(debugpy, 100)));
    assert.equal(lengthOf(`'${'x'.repeat(49_998)}…${'x'.repeat(49_999)}'`), 'at least 100000');
    assert.equal(lengthOf(`'${'x'.repeat(498)}…${'x'.repeat(499)}'`), 'at least 1000');
    assert.equal(lengthOf(`"${'x'.repeat(1024)}"...`), 'at least 1029');
    assert.equal(lengthOf(`[${'1, '.repeat(200)}...]`), 'at least 605');
  });

  it('of what delve has shortened is what it says', () => {
    assert.equal(lengthOf(`"${'x'.repeat(500)}...+259500 more"`), '260002');
  });

  it('of a text with dots in it is its own', () => {
    assert.equal(lengthOf(`${'x'.repeat(300)}... and on`), '310');
    assert.equal(lengthOf(`"..." ${'x'.repeat(300)}`), '306');
    assert.equal(lengthOf(`${'x'.repeat(500)}…${'x'.repeat(10)}`), '511', 'js-debug cuts at 1000');
    assert.equal(lengthOf(`${'x'.repeat(900)}…${'x'.repeat(3000)}`), '3901');
    assert.equal(lengthOf(`wait... ${'x'.repeat(300)}`), '308');
    assert.equal(lengthOf(`a … ${'x'.repeat(997)}`), '1001');
  });
});

describe('a text that is kept', () => {
  const long = 'x'.repeat(MOST_OF_A_NAME + 1);

  it('is kept whole up to its limit, and then cut with its length', () => {
    const most = 'x'.repeat(MOST_OF_A_NAME);
    assert.equal(keptText(most), most);
    assert.equal(keptText(long), `${most}… (2001 characters)`);
    assert.equal(keptText('abcdef', 3), 'abc… (6 characters)');
  });

  it('is none where an adapter sent none; numbers and truth values are values', () => {
    for (const value of [7, true, null, undefined, {}, []])
      assert.equal(keptText(value), undefined);
    assert.deepEqual(
      [7, false, 'text', null, {}].map((value) => keptValue(value)),
      ['7', 'false', 'text', undefined, undefined],
    );
  });

  it('that means something only whole is whole or none', () => {
    assert.deepEqual(
      ['abc', 'abcd', 7, null].map((value) => wholeText(value, 3)),
      ['abc', undefined, undefined, undefined],
    );
    assert.equal(wholeText(long), undefined);
  });

  it('of a list has the less room the more there are, but enough for a name', () => {
    assert.deepEqual([0, 1, 40].map(mostOfEach), [MOST_OF_A_TEXT, MOST_OF_A_TEXT, MOST_OF_A_TEXT]);
    assert.equal(mostOfEach(400), 10_000);
    assert.equal(mostOfEach(1_000_000), MOST_OF_A_NAME);
  });
});

describe('an adapter’s words', () => {
  it('are told without where in the adapter they were thrown', () => {
    const words = 'cannot launch\n    at start (/ext/adapter.js:10:5)\nsee the log\n';
    assert.equal(withoutTrace(words), 'cannot launch\nsee the log');
    assert.equal(withoutTrace('  at last (3 of 4:1)  '), '  at last (3 of 4:1)');
  });
});
