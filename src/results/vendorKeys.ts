import { fields } from '../debugger/protocol';
import { merged, type FoundCredential } from './found';
import type { Turns } from './turns';

/** A finding of a rule of the collection. */
interface ReportMatch {
  readonly message: { readonly messageId: string; readonly data?: unknown };
  readonly range: readonly [number, number];
}

interface Rule {
  readonly meta: { readonly id: string };
  create(context: object, options: object): { file?(source: object): unknown };
}

/**
 * The number of characters that a rule checks at once. The slowest rule takes about a microsecond per character of the
 * worst text.
 */
const PART = 32_768;

/** The overlap of parts, in characters. The longest key, that of GitHub's apps, has 12,027 characters. */
const OVERLAP = 16_384;

/**
 * The rule for comments that switch rules off in a source file. It is not used here, because a program could switch the
 * rules off.
 */
const COMMENTS = '@secretlint/secretlint-rule-filter-comments';

/**
 * Finds vendors' keys, private keys and passwords in URLs with secretlint's maintained collection, which is loaded when
 * it is first needed. Its rules are run here and not by secretlint's own runner, which honors comments in the text
 * (`secretlint-disable`), compares all findings with each other, and keeps its measurements.
 * @returns the keys, in order and without overlaps
 */
export async function keysOfVendors(
  text: string,
  turns: Turns,
): Promise<readonly FoundCredential[]> {
  const { rules } = await import(
    /* webpackChunkName: "credentials" */ '@secretlint/secretlint-rule-preset-recommend'
  );
  const all: readonly Rule[] = rules;
  const found: FoundCredential[] = [];
  for (let start = 0; start === 0 || start + OVERLAP < text.length; start += PART) {
    const part = text.slice(start, start + PART + OVERLAP);
    const isCut = start + part.length < text.length;
    for (const rule of all) {
      if (rule.meta.id === COMMENTS) continue;
      for (const key of await foundBy(rule, part)) {
        // The key may continue beyond the part, so the rest of its line is included.
        const end =
          isCut && key.end === part.length ? endOfLine(text, start + key.end) : start + key.end;
        found.push({ ...key, start: start + key.start, end });
      }
      await turns.next();
    }
  }
  return merged(found);
}

async function foundBy(rule: Rule, text: string): Promise<readonly FoundCredential[]> {
  const reports: ReportMatch[] = [];
  const context = {
    sharedOptions: {},
    createTranslator: () => (messageId: string, data: unknown) => ({
      message: '',
      messageId,
      data,
    }),
    report: (report: ReportMatch) => void reports.push(report),
    ignore: () => undefined,
  };
  // The path is empty, because one rule would read the file of that name.
  await rule
    .create(context, {})
    .file?.({ content: text, filePath: '', ext: '.txt', contentType: 'text' });
  return reports.map(({ message, range: [start, end] }) => {
    const kind = kindOf(message.messageId);
    // Some rules report the start of the whole assignment with the length of the key, so the key is searched from
    // there.
    const secret = Object.entries(fields(message.data)).flatMap(([name, value]) =>
      name === name.toUpperCase() && typeof value === 'string' && value.length >= MIN_SECRET
        ? [value]
        : [],
    )[0];
    const at = secret === undefined ? -1 : text.indexOf(secret, start);
    return secret === undefined || at === -1
      ? { start, end, kind }
      : { start: at, end: at + secret.length, kind };
  });
}

/** The minimum length of a key. Shorter values in a finding are descriptions. */
const MIN_SECRET = 6;

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/**
 * Converts a message id to a readable kind: `AWSSecretAccessKey` → `AWS secret access key`; `GITHUB_TOKEN` → `GITHUB
 * TOKEN`.
 */
function kindOf(messageId: string): string {
  return messageId
    .replaceAll('_', ' ')
    .replace(
      /([a-z])([A-Z])/g,
      (_whole, one: string, other: string) => `${one} ${other.toLowerCase()}`,
    )
    .replace(/([A-Z])([A-Z])([a-z])/g, '$1 $2$3');
}
