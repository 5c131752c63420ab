import { fields } from '../debugger/protocol';
import { merged, type FoundCredential } from './found';
import type { Turns } from './turns';

/** What a rule of the collection reports. */
interface ReportMatch {
  readonly message: { readonly messageId: string; readonly data?: unknown };
  readonly range: readonly [number, number];
}

interface Rule {
  readonly meta: { readonly id: string };
  create(context: object, options: object): { file?(source: object): unknown };
}

/** As much as a rule is given at once: its slowest form takes about a microsecond for each character of the worst text. */
const PART = 32_768;

/** So much of what follows is given with each part: the longest form, of GitHub's apps, has 12,027 characters. */
const OVERLAP = 16_384;

/** Comments by which a person switches rules off in a source file; here a program would. */
const COMMENTS = '@secretlint/secretlint-rule-filter-comments';

/**
 * Keys of the known vendors, private keys and passwords in addresses, by secretlint's maintained collection, which is
 * loaded when it is first needed. Its rules are run here and not by its own runner, which heeds comments in the text
 * (`secretlint-disable`), compares all findings with each other, and keeps what it has measured.
 * @returns in their order; none overlaps another
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
      for (const each of await foundBy(rule, part)) {
        // It may go on beyond the part: the rest of its line counts as the rest of it.
        const end =
          isCut && each.end === part.length ? endOfLine(text, start + each.end) : start + each.end;
        found.push({ ...each, start: start + each.start, end });
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
  // Without a path: one rule would read the file of that name.
  await rule
    .create(context, {})
    .file?.({ content: text, filePath: '', ext: '.txt', contentType: 'text' });
  return reports.map(({ message, range: [start, end] }) => {
    const kind = kindOf(message.messageId);
    // Some rules give the place of the whole assignment with the length of the key: the key itself is looked for there.
    const secret = Object.entries(fields(message.data)).flatMap(([name, each]) =>
      name === name.toUpperCase() && typeof each === 'string' && each.length >= LEAST_SECRET
        ? [each]
        : [],
    )[0];
    const at = secret === undefined ? -1 : text.indexOf(secret, start);
    return secret === undefined || at === -1
      ? { start, end, kind }
      : { start: at, end: at + secret.length, kind };
  });
}

/** What is shorter in a report is no key but what the rule says of it. */
const LEAST_SECRET = 6;

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** `AWSSecretAccessKey` → `AWS secret access key`; `GITHUB_TOKEN` → `GITHUB TOKEN`. */
function kindOf(messageId: string): string {
  return messageId
    .replaceAll('_', ' ')
    .replace(
      /([a-z])([A-Z])/g,
      (_whole, one: string, other: string) => `${one} ${other.toLowerCase()}`,
    )
    .replace(/([A-Z])([A-Z])([a-z])/g, '$1 $2$3');
}
