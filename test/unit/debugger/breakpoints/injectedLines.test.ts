import { strict as assert } from 'node:assert';
import {
  injectedMessage,
  isInjectedLine,
  readInjectedLine,
} from '../../../../src/debugger/breakpoints/injectedLines';

describe('the output of injected logpoints', () => {
  const message = injectedMessage('0123', 2, ['n', 'total']);
  const printed = message.replace('{n}', '7').replace('{total}', '"a | b"');

  it('is read back, whatever precedes it', () => {
    assert.equal(isInjectedLine(printed), true);
    for (const text of [`${printed}\n`, `> [Go 1]: ${printed}\r\n`])
      assert.deepEqual(readInjectedLine('0123', text), { point: 2, values: ['7', '"a | b"'] });
  });

  it('does not match another collection, and the program’s own output does not match it', () => {
    assert.equal(readInjectedLine('4567', printed), undefined);
    assert.equal(isInjectedLine('n = 7, total = 3'), false);
    assert.equal(readInjectedLine('0123', 'n = 7'), undefined);
  });

  it('has a valid point number, and values that may contain line breaks', () => {
    const at = (point: string): number | undefined =>
      readInjectedLine('0123', printed.replace('0123 2', `0123 ${point}`))?.point;
    assert.deepEqual(['12', '2x', 'x2', ''].map(at), [12, undefined, undefined, undefined]);
    const lines = printed.replace('7', 'a\nb');
    assert.deepEqual(readInjectedLine('0123', lines)?.values[0], 'a\nb');
  });
});
