import { strict as assert } from 'node:assert';
import { changed, changesIn, shuffled } from '../../campaign/change/changes';
import { maskOf } from '../../campaign/change/mask';
import type { Language } from '../../campaign/project';

function changesOf(text: string, language: Language): readonly string[] {
  return changesIn(text, language, 'a').map(
    ({ line, column, from, to }) => `${line}:${column} ${from} → ${to}`,
  );
}

describe('the changer of the campaign', () => {
  it('changes one operator or constant of a line', () => {
    assert.deepEqual(changesOf('if a <= b and c == 12:\n    return True\n', 'python'), [
      '1:6 <= → <',
      '1:17 == → !=',
      '1:11 and → or',
      '1:20 12 → 13',
      '2:12 True → False',
    ]);
    assert.deepEqual(changesOf('return a - b === c && !d;', 'javascript'), [
      '1:10 - → +',
      '1:14 === → !==',
      '1:20 && → ||',
    ]);
  });

  it('leaves strings, comments, generic types and parts of names alone', () => {
    assert.deepEqual(changesOf('x = "a < b" # 1 < 2\n"""\n3 < 4\n"""\n', 'python'), []);
    assert.deepEqual(changesOf('let v: Vec<u8> = f32x(\'a\', "1 + 1");', 'rust'), []);
    assert.deepEqual(changesOf('const r = /[/"] < 3/; // 4\n`5 < 6`; x1.5;', 'javascript'), []);
  });

  it('leaves imports and preprocessor lines alone', () => {
    assert.deepEqual(changesOf('#if VERSION > 10\nimport a1 as b\n', 'cpp'), []);
    assert.deepEqual(changesOf('from a import b1 # 1\nimport x\n', 'python'), []);
  });

  it('plants a change at its place, and only there', () => {
    const fault = { file: 'a.go', line: 2, column: 6, from: '<', to: '<=' };
    assert.equal(changed('a < b\nif x < y {\n', fault), 'a < b\nif x <= y {\n');
    assert.throws(() => changed('a\nif x > y {\n', fault), /a\.go:2 has no </);
  });

  it('keeps lines and columns in masked text', () => {
    const text = 'a /* b\n c */ d "e\\"f" g';
    const masked = maskOf(text, 'java');
    assert.equal(masked, 'a     \n      d        g');
    assert.equal(maskOf("fn f<'a>(c: &'a str) { 'x' }", 'rust'), "fn f<'a>(c: &'a str) {     }");
  });

  it('orders changes by the seed only', () => {
    const items = [1, 2, 3, 4, 5, 6, 7, 8];
    assert.deepEqual(shuffled(items, 'a'), shuffled(items, 'a'));
    assert.notDeepEqual(shuffled(items, 'a'), shuffled(items, 'b'));
    assert.deepEqual([...shuffled(items, 'a')].sort(), items);
  });
});
