import { strict as assert } from 'node:assert';
import { REAL_SCRUB } from './support';

describe('redaction in an investigation', () => {
  it('keeps a document complete, however long it is', async () => {
    const line = `${'x'.repeat(98)}\n`;
    for (const text of [`${'y'.repeat(49_999)}\n${line}`, line.repeat(506), line.repeat(25_000)])
      assert.equal(await REAL_SCRUB.text(text), text);
  });

  it('removes credentials anywhere in a long document', async () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const text = Array.from({ length: 3000 }, (_, index) =>
      index % 500 === 0 ? `token ${key}` : 'x'.repeat(50),
    ).join('\n');
    assert.ok(!(await REAL_SCRUB.text(text)).includes(key));
  });

  it('removes telephone numbers as people write them', async () => {
    for (const number of [
      '(415) 555-2671',
      '415-555-2671',
      '415.555.2671',
      '+1 (415) 555-2671',
      '1-415-555-2671',
      '+49 (0)30 901820',
      '+86 138 0013 8000',
      '13800138000',
    ])
      assert.equal(
        await REAL_SCRUB.text(`call ${number}, please`),
        'call [redacted: phone number], please',
        number,
      );
  });

  it('keeps numbers that are no telephone numbers', async () => {
    for (const text of [
      'at f (app.js:415:555)',
      'f(415) 555-26710',
      '2026-03-01 10:20:30',
      '127.0.0.1:8080',
      'version 415.555.26',
      'id 4155552671',
      '3.14159-2653589',
      'total(415) 555 2671',
      '0.415-555-2671',
      'a-415-555-2671',
    ])
      assert.equal(await REAL_SCRUB.text(text), text);
  });
});
