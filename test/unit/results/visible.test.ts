import { strict as assert } from 'node:assert';
import { visible, visibleText } from '../../../src/results/visible';

describe('text that a program may hide or reorder', () => {
  it('is shown as escapes, for every such character', () => {
    assert.equal(visibleText('a\u202etxt.exe\u202c'), 'a\\u202etxt.exe\\u202c');
    assert.equal(
      visibleText('pay\u200bload\ufeff\u2066\u00ad'),
      'pay\\u200bload\\ufeff\\u2066\\u00ad',
    );
    assert.equal(visibleText('\u{e0041}\u{e0042}'), '\\udb40\\udc41\\udb40\\udc42');
    assert.equal(visibleText('\u009b31m\u2028\u007f'), '\\u009b31m\\u2028\\u007f');
    const format = /\p{Cf}/u;
    for (let code = 0x80; code <= 0xe01ff; code += 1) {
      const character = String.fromCodePoint(code);
      if (format.test(character))
        assert.doesNotMatch(visibleText(`a${character}!`), format, code.toString(16));
    }
  });

  it('stays as it is if a reader sees it, also in other scripts and in emoji', () => {
    const texts = [
      'plain\n\ttext',
      '価格 1',
      'می\u200cخواهم',
      '👩\u200d👧',
      'क\u094d\u200dष',
      'é €',
    ];
    for (const text of texts) assert.equal(visibleText(text), text);
    assert.equal(visibleText('a\u200d\u200d\u200cb'), 'a\\u200d\\u200d\\u200cb');
  });

  it('is found in names and in nested values, and other values are not copied', () => {
    const value = { list: [{ 'na\u202eme': 'x\u200b' }], count: 3, none: null };
    assert.deepEqual(visible(value), {
      list: [{ 'na\\u202eme': 'x\\u200b' }],
      count: 3,
      none: null,
    });
    const plain = { list: ['a'] };
    assert.equal(visible(plain), plain);
  });
});
