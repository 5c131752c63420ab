import { strict as assert } from 'node:assert';
import { Failure } from '../../../src/results/failure';
import { Redactor, type RedactionSettings } from '../../../src/results/redact';
import { listOf } from '../../../src/debugger/protocol';

const redactor = (settings: Partial<RedactionSettings> = {}): Redactor =>
  new Redactor(() => ({ enabled: true, patterns: [], ...settings }));

const redact = (
  result: Record<string, unknown>,
  expression?: string,
): Promise<Record<string, unknown>> => redactor().redact(result, expression);

/** The length of each text as it is shown, without the note about its original length. */
async function shownLengths(texts: number, length: number): Promise<ReadonlySet<number>> {
  const text = 'tea '.repeat(length / 4 + 1).slice(0, length);
  const { lines } = await redact({ lines: Array.from({ length: texts }, () => text) });
  return new Set(
    listOf(lines).map((line) => String(line).replace(/… \(\d+ characters\)$/, '').length),
  );
}

describe('redaction: the text that is searched', () => {
  it('is limited for one text, and more so for many texts, but never below a minimum', async () => {
    assert.deepEqual(await shownLengths(1, 60_000), new Set([50_000]));
    assert.deepEqual(await shownLengths(1, 50_000), new Set([50_000]));
    assert.deepEqual(await shownLengths(100, 25_000), new Set([20_000]));
    assert.deepEqual(await shownLengths(1200, 2100), new Set([2000]));
  });

  it('is the same object if there is nothing to replace', async () => {
    const result = { status: 'success', text: 'tea and cake' };
    assert.equal(await redact(result), result);
  });

  it('has the expression as the name of the top-level result, and of nothing else', async () => {
    const cake = "'tea and cake'";
    const expression = 'process.env.DB_PASSWORD';
    assert.deepEqual(
      await redact({ result: cake, other: cake, inner: { result: cake } }, expression),
      {
        result: "'[redacted: environment secret]'",
        other: cake,
        inner: { result: cake },
      },
    );
  });

  it('has a variable’s name before its value, on one line and shortened if it is long', async () => {
    const cake = "'tea and cake'";
    const named = (name: unknown): Promise<Record<string, unknown>> =>
      redact({ variables: [{ name, value: cake }] });
    for (const name of ['DB_PASSWORD', `${'x.'.repeat(1000)}DB_PASSWORD`, 'all\nDB_PASSWORD'])
      assert.match(JSON.stringify(await named(name)), /redacted/, name);
    assert.deepEqual(await named(7), { variables: [{ name: 7, value: cake }] });
  });
});

describe('redaction: unusable patterns of the person', () => {
  const unusable = ['', '('];

  it('are reported by their number, and refuse the call', async () => {
    await assert.rejects(redactor({ patterns: unusable }).check(), (error: unknown) => {
      assert.ok(error instanceof Failure && error.code === 'redaction_failed');
      assert.match(error.message, /^Pattern 2 .* cannot be used/);
      assert.match(error.hint, /Nothing was done/);
      return true;
    });
  });

  it('do not matter while redaction is switched off', async () => {
    await redactor({ patterns: unusable, enabled: false }).check();
  });

  it('do not include empty patterns', async () => {
    const result = { text: 'tea and cake' };
    assert.equal(await redactor({ patterns: [''] }).redact(result), result);
  });
});
