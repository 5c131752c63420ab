import { strict as assert } from 'node:assert';
import {
  agreesAsShown,
  cutText,
  isCut,
  keptText,
  keptValue,
  MAX_OF_A_NAME,
  MAX_OF_A_TEXT,
  mostOfListedText,
  wholeText,
  withoutTrace,
} from '../../../src/debugger/texts';

const lengthOf = (text: string, limit = 100): string =>
  /… \((.*) characters\)$/.exec(cutText(text, limit))?.[1] ?? 'whole';

describe('the length of a cut text', () => {
  it('is the text’s own length, even if the text is cut twice', () => {
    const text = 'x'.repeat(260_000);
    assert.equal(lengthOf(text), '260000');
    assert.equal(lengthOf(cutText(text, 5000)), '260000');
    assert.ok(isCut(cutText(text, 100)));
  });

  it('is “at least” if debugpy, js-debug or lldb-dap has shortened the text, even if it is cut twice', () => {
    const debugpy = `'${'x'.repeat(43_690)}...${'x'.repeat(21_845)}'`;
    assert.equal(lengthOf(debugpy), 'at least 65540');
    assert.equal(lengthOf(cutText(debugpy, 5000)), 'at least 65540');
    assert.ok(isCut(cutText(debugpy, 100)));
    assert.equal(lengthOf(`'${'x'.repeat(49_998)}…${'x'.repeat(49_999)}'`), 'at least 100000');
    assert.equal(lengthOf(`'${'x'.repeat(498)}…${'x'.repeat(499)}'`), 'at least 1000');
    assert.equal(lengthOf(`"${'x'.repeat(1024)}"...`), 'at least 1029');
    assert.equal(lengthOf(`[${'1, '.repeat(200)}...]`), 'at least 605');
  });

  it('is the length that delve reports for a text that it has shortened', () => {
    assert.equal(lengthOf(`"${'x'.repeat(500)}...+259500 more"`), '260002');
  });

  it('is the text’s own length if the text contains dots', () => {
    assert.equal(lengthOf(`${'x'.repeat(300)}... and on`), '310');
    assert.equal(lengthOf(`"..." ${'x'.repeat(300)}`), '306');
    assert.equal(lengthOf(`${'x'.repeat(500)}…${'x'.repeat(10)}`), '511', 'js-debug cuts at 1000');
    assert.equal(lengthOf(`${'x'.repeat(900)}…${'x'.repeat(3000)}`), '3901');
    assert.equal(lengthOf(`wait... ${'x'.repeat(300)}`), '308');
    assert.equal(lengthOf(`a … ${'x'.repeat(997)}`), '1001');
  });
});

describe('two texts of values', () => {
  const scope =
    '*vm.Scope {Index: 0, Len: 9, Acc: interface {}(map[string]int) [], Ints: []int len: 9';
  const whole = `${scope}, cap: 9, [1,2,3,4,5,6,7,8,9], Floats: nil}`;
  const long =
    '*vm.Scope {Index: 0, Len: 9, Acc: interface {}(map[string]int) [], Ints: []int len: 8, nil}';

  it('may show one value if one is the beginning of the other', () => {
    for (const cut of [
      `${scope}...`,
      `${scope}…`,
      cutText(`${scope}...`, 60),
      cutText(whole, 50),
    ]) {
      assert.ok(agreesAsShown(cut, whole), cut);
      assert.ok(agreesAsShown(whole, cut), cut);
      assert.ok(!agreesAsShown(cut, long) || cut.length < 100, cut);
    }
    assert.ok(agreesAsShown(`${scope}...`, cutText(whole, 50)));
  });

  it('are of different values if their parts, or the lengths from which they were cut, differ', () => {
    for (const [one, other] of [
      ['[1, 2]', '[1, 2, 3]'],
      [cutText('a'.repeat(500), 50), cutText('a'.repeat(501), 50)],
      [`${scope}...`, long],
      ["'Load...'", "'Load... more'"],
      [`${scope}...`, scope],
      ['…', '5'],
      ["'ab'", "'ab… (300 characters)"],
    ] as const)
      assert.ok(!agreesAsShown(one, other), `${one} ${other}`);
  });
});

describe('a kept text', () => {
  const long = 'x'.repeat(MAX_OF_A_NAME + 1);

  it('is whole up to its limit, and otherwise cut with its length', () => {
    const most = 'x'.repeat(MAX_OF_A_NAME);
    assert.equal(keptText(most), most);
    assert.equal(keptText(long), `${most}… (2001 characters)`);
    assert.equal(keptText('abcdef', 3), 'abc… (6 characters)');
  });

  it('is undefined if an adapter sent no text; numbers and booleans are accepted as values', () => {
    for (const value of [7, true, null, undefined, {}, []])
      assert.equal(keptText(value), undefined);
    assert.deepEqual(
      [7, false, 'text', null, {}].map((value) => keptValue(value)),
      ['7', 'false', 'text', undefined, undefined],
    );
  });

  it('is whole or undefined if only the whole text has a meaning', () => {
    assert.deepEqual(
      ['abc', 'abcd', 7, null].map((value) => wholeText(value, 3)),
      ['abc', undefined, undefined, undefined],
    );
    assert.equal(wholeText(long), undefined);
  });

  it('has less room the longer its list is, but enough for a name', () => {
    assert.deepEqual([0, 1, 40].map(mostOfListedText), [
      MAX_OF_A_TEXT,
      MAX_OF_A_TEXT,
      MAX_OF_A_TEXT,
    ]);
    assert.equal(mostOfListedText(400), 10_000);
    assert.equal(mostOfListedText(1_000_000), MAX_OF_A_NAME);
  });
});

describe('an adapter’s message', () => {
  it('is reported without the location in the adapter at which it was thrown', () => {
    const answerText = 'cannot launch\n    at start (/ext/adapter.js:10:5)\nsee the log\n';
    assert.equal(withoutTrace(answerText), 'cannot launch\nsee the log');
    assert.equal(withoutTrace('  at last (3 of 4:1)  '), '  at last (3 of 4:1)');
  });
});
