import { fields, type Fields } from '../debugger/protocol';

export interface RedactionSettings {
  readonly enabled: boolean;
  /** Regular expressions of the person's own; what they match is replaced. */
  readonly patterns: readonly string[];
}

/** A part of a text that is a credential. */
interface Found {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** One text of a result, and what stands before it so that its name counts: `API_KEY = ` before a variable's value. */
interface Piece {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string | number;
  readonly prefix: string;
  readonly text: string;
}

/** Longer texts are cut in the answer anyway; what is beyond is not shown. */
const MOST_CHARACTERS = 200_000;

/** As in an `.env` file: a constant's name that says what it holds. */
const SECRET_NAME = '\\b[A-Z][A-Z0-9_]*(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|PRIVATE_KEY|ACCESS_KEY)[A-Z0-9_]*';

/** Forms that the collection of vendors' keys leaves out: they belong to no vendor. The group `secret` is replaced. */
const FORMS: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  { kind: 'bearer token', pattern: /\b(?:bearer|basic)\s+(?<secret>[a-z0-9\-._~+/]{16,}=*)/dgi },
  { kind: 'environment secret', pattern: new RegExp(`${SECRET_NAME}\\s*=\\s*(["'\`])(?<secret>(?:(?!\\1)[^\\n]){6,})\\1`, 'dg') },
  { kind: 'environment secret', pattern: new RegExp(`${SECRET_NAME}\\s*=\\s*(?!\\d+\\b)(?<secret>[^\\s"'\`]{6,})`, 'dg') },
  { kind: 'password in an address', pattern: /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:(?<secret>[^\s/@]{3,})@/dgi },
];

/**
 * Replaces credentials in results by a marker with their kind. Which forms are credentials is the maintained collection
 * of secretlint (`@secretlint/secretlint-rule-preset-recommend`): keys of the known vendors, private keys, passwords in
 * addresses. What VS Code's own views show is not touched.
 */
export class Redactor {
  constructor(private readonly settings: () => RedactionSettings) {}

  /** The result, or a copy without credentials. Never throws: what cannot be checked is withheld. */
  async redact<Result extends Fields>(result: Result): Promise<Result> {
    const { enabled, patterns } = this.settings();
    if (!enabled) return result;
    const copy = structuredClone(result);
    const pieces = [...piecesOf(copy)];
    const whole = pieces.map((each) => each.prefix + each.text).join('\n');
    const found = [...(await credentialsIn(whole)), ...FORMS.flatMap((each) => matchesOf(whole, each.pattern, each.kind)), ...patterns.flatMap((each) => matchesOf(whole, readPattern(each), 'pattern'))];
    if (found.length === 0) return result;
    let offset = 0;
    for (const piece of pieces) {
      const from = offset + piece.prefix.length;
      const to = from + piece.text.length;
      const inside = found.filter((each) => each.start < to && each.end > from).map((each) => ({ ...each, start: Math.max(0, each.start - from), end: Math.min(piece.text.length, each.end - from) }));
      if (inside.length > 0) Reflect.set(piece.holder, piece.key, replaced(piece.text, inside));
      offset = to + 1;
    }
    return copy;
  }
}

/** All texts in a result; a variable's value with its name before it. */
function* piecesOf(value: unknown, name?: string): Generator<Piece> {
  if (typeof value !== 'object' || value === null) return;
  const holder = value as Record<string, unknown> | unknown[];
  const own = Array.isArray(holder) ? undefined : holder['name'];
  for (const [key, each] of Object.entries(holder)) {
    const isValue = key === 'value' || key === 'before' || key === 'now';
    const prefix = isValue && typeof own === 'string' ? `${own} = ` : name === 'env' || name === 'changed' ? `${key} = ` : '';
    if (typeof each === 'string') yield { holder, key: Array.isArray(holder) ? Number(key) : key, prefix, text: each.slice(0, MOST_CHARACTERS) };
    else yield* piecesOf(each, key);
  }
}

/** By the collection, which is loaded when it is first needed. */
async function credentialsIn(text: string): Promise<readonly Found[]> {
  const [{ lintSource }, { creator }] = await Promise.all([import(/* webpackChunkName: "credentials" */ '@secretlint/core'), import(/* webpackChunkName: "credentials" */ '@secretlint/secretlint-rule-preset-recommend')]);
  const { messages } = await lintSource({
    source: { filePath: 'result.txt', content: text, ext: '.txt', contentType: 'text' },
    options: { config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }] } },
  });
  return messages.flatMap(({ range: [start, end], messageId, data }) => {
    const kind = kindOf(messageId);
    // Some rules give the place of the whole assignment with the length of the key: the key itself is looked for.
    const secrets = Object.entries(fields(data)).flatMap(([name, each]) => (name === name.toUpperCase() && typeof each === 'string' && each.length >= 6 ? [each] : []));
    return secrets.length === 0 ? [{ start, end, kind }] : secrets.flatMap((each) => occurrences(text, each).map((at) => ({ start: at, end: at + each.length, kind })));
  });
}

function occurrences(text: string, part: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found.push(at);
  return found;
}

/** `AWSSecretAccessKey` → `AWS secret access key`; `GITHUB_TOKEN` → `GITHUB TOKEN`. */
function kindOf(messageId: string): string {
  return messageId.replaceAll('_', ' ').replace(/([a-z])([A-Z])/g, (_whole, one: string, other: string) => `${one} ${other.toLowerCase()}`).replace(/([A-Z])([A-Z])([a-z])/g, '$1 $2$3');
}

function matchesOf(text: string, pattern: RegExp | undefined, kind: string): readonly Found[] {
  if (pattern === undefined) return [];
  return [...text.matchAll(pattern)].flatMap((match) => {
    const [start, end] = match.indices?.groups?.['secret'] ?? match.indices?.[0] ?? [0, 0];
    return end > start ? [{ start, end, kind }] : [];
  });
}

/** One that is none is left out: the person sees what it does not do. */
function readPattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'dgu');
  } catch {
    return undefined;
  }
}

/** The text with each part replaced; parts that overlap are one. */
function replaced(text: string, parts: readonly Found[]): string {
  const sorted = [...parts].sort((one, other) => one.start - other.start);
  let shown = '';
  let at = 0;
  for (const { start, end, kind } of sorted) {
    if (end <= at) continue;
    if (start >= at) shown += `${text.slice(at, start)}[redacted: ${kind}]`;
    at = end;
  }
  return shown + text.slice(at);
}
