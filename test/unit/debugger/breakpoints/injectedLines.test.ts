import { strict as assert } from 'node:assert';
import {
  injectedMessage,
  isInjectedLine,
  readInjectedLine,
} from '../../../../src/debugger/breakpoints/injectedLines';

describe('what injected logpoints print', () => {
  const message = injectedMessage('0123', 2, ['n', 'total']);
  const printed = message.replace('{n}', '7').replace('{total}', '"a | b"');

  it('is read back, whatever stands before it', () => {
    assert.equal(isInjectedLine(printed), true);
    for (const text of [`${printed}\n`, `> [Go 1]: ${printed}\r\n`])
      assert.deepEqual(readInjectedLine('0123', text), { point: 2, values: ['7', '"a | b"'] });
  });

  it('is none of another collection, and no output of the program', () => {
    assert.equal(readInjectedLine('4567', printed), undefined);
    assert.equal(isInjectedLine('n = 7, total = 3'), false);
    assert.equal(readInjectedLine('0123', 'n = 7'), undefined);
  });

  it('has a number, whatever follows it', () => {
    const at = (point: string): number | undefined =>
      readInjectedLine('0123', printed.replace('0123 2', `0123 ${point}`))?.point;
    assert.deepEqual(['12', '2x', 'x2', ''].map(at), [12, undefined, undefined, undefined]);
    const lines = printed.replace('7', 'a\nb');
    assert.deepEqual(readInjectedLine('0123', lines)?.values[0], 'a\nb');
  });
});
