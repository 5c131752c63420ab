import { strict as assert } from 'node:assert';
import { changeText } from '../../../../../src/tools/trace/function/traceResult';

describe('the change of an argument', () => {
  it('is shown whole if it is short', () => {
    assert.equal(changeText({ name: 'total', before: '1', now: '2' }), 'total: 1 → 2');
    assert.equal(changeText({ name: 'total', before: undefined, now: '2' }), 'total = 2');
  });

  it('begins shortly before the difference of two long texts', () => {
    const object = (last: boolean): string =>
      `ServerResponse {${Array.from({ length: 20 }, (_, at) => `_field${at}: ${at}`).join(', ')}, _last: ${last}}`;
    const text = changeText({ name: 'response', before: object(false), now: object(true) });
    assert.match(text, /^response: ….*_last: false} → ….*_last: true}$/);
    assert.ok(text.length < 100, text);
  });
});
