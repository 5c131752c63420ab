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
});
