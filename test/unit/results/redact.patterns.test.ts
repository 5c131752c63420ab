import { strict as assert } from 'node:assert';
import { Failure } from '../../../src/results/failure';
import { Redactor, type UnusablePattern } from '../../../src/results/redact';
import { redact } from '../support/credentials';

describe('the person’s own patterns of credentials', () => {
  it('matches of the person’s own patterns are replaced, or only their group `secret` if they have one', async () => {
    const result = await redact(
      { a: 'customer 4711', b: 'pin=1234' },
      { patterns: ['customer \\d+', 'pin=(?<secret>\\d+)', ''] },
    );
    assert.deepEqual(result, { a: '[redacted: pattern]', b: 'pin=[redacted: pattern]' });
  });

  for (const [what, patterns] of Object.entries({
    'is none': ['customer', '(('],
    'looks ahead': ['a(?=b)'],
    'refers back': ['(a)\\1'],
    'is no text': [42],
    'is no list': [{ pattern: 'a' }],
  })) {
    it(`a pattern of the person that ${what} is reported once, and nothing is shown until it is corrected`, async () => {
      const reported: UnusablePattern[] = [];
      let now: readonly unknown[] = patterns;
      const redactor = new Redactor(
        () => ({ enabled: true, patterns: now }),
        (unusable) => reported.push(unusable),
      );
      const withheld = (error: unknown): boolean =>
        error instanceof Failure && error.code === 'redaction_failed';
      await assert.rejects(redactor.check(), withheld);
      await assert.rejects(redactor.redact({ a: 'customer 4711' }), withheld);
      assert.deepEqual(
        reported.map((unusable) => [unusable.number, unusable.pattern]),
        [[patterns.length, patterns.at(-1)]],
      );
      now = ['customer'];
      await redactor.check();
      assert.deepEqual(await redactor.redact({ a: 'customer 4711' }), {
        a: '[redacted: pattern] 4711',
      });
      now = patterns;
      await assert.rejects(redactor.check(), withheld);
      assert.equal(reported.length, 2);
    });
  }

  it('an answer is withheld if a pattern takes too long on it, without a long block', async () => {
    // The search from each place runs to the end of the text, so this engine is quadratic here, too.
    const text = 'a'.repeat(50_000);
    await assert.rejects(
      new Redactor(
        () => ({ enabled: true, patterns: ['a[^b]*b|a', '(?:a[^b]*b|a){1,2}'] }),
        () => undefined,
        200,
      ).redact({ lines: Array.from({ length: 20 }, () => text) }),
      (error: unknown) =>
        error instanceof Failure &&
        error.code === 'redaction_failed' &&
        /takes too long/.test(error.message),
    );
  });
});
