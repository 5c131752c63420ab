import { strict as assert } from 'node:assert';
import { cutText, isCut } from '../../../src/debugger/texts';

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
    assert.equal(lengthOf(`wait... ${'x'.repeat(300)}`), '308');
    assert.equal(lengthOf(`a … ${'x'.repeat(997)}`), '1001');
  });
});
