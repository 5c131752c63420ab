import { fields, type Fields } from '../debugger/protocol';
import { cutText, VALUES_BY_NAME } from './fit';

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

/** What is looked through in all, and in one text at the least and the most; what is beyond is cut off and not shown. */
const MOST_IN_ALL = 2_000_000;
const LEAST_CHARACTERS = 2_000;
const MOST_CHARACTERS = 50_000;

/** As in an `.env` file: a constant's name that says what it holds. Every repetition has an end: no text takes long. */
const SECRET_NAME = '\\b[A-Z][A-Z0-9_]{0,60}?(?:SECRET|TOKEN(?!S)|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|PRIVATE_KEY|ACCESS_KEY)[A-Z0-9_]{0,60}';

/** Unmistakable beginnings of vendors' keys, for what is left of one when a debugger has shortened a text. */
const KEY_BEGINNINGS = '(?:gh[pousr]_|github_pat_|glpat-|sk-(?:ant-|proj-)|sk_live_|xox[abprs]-|npm_|AIza|hf_|dckr_pat_|shpat_|SG\\.|eyJ[\\w-]{8,200}\\.)';

/** Forms that the collection of vendors' keys leaves out: they belong to no vendor, or are a part of a key. The group `secret` is replaced. */
const FORMS: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  { kind: 'bearer token', pattern: /\bbearer[ \t]{1,10}(?<secret>[a-z0-9\-._~+/]{16,4000}=*)/dgi },
  { kind: 'basic credentials', pattern: /\bbasic[ \t]{1,10}(?<secret>[a-z0-9\-._~+/]{16,4000}=*)/dgi },
  // RFC 7519: header, claims and signature.
  { kind: 'JSON web token', pattern: /\beyJ[\w-]{8,4000}\.eyJ[\w-]{8,20000}\.[\w-]{16,4000}/dg },
  { kind: 'Google key', pattern: /\bAIza[\w-]{35}(?![\w-])/dg },
  // Also a short one, and one whose end was cut off.
  { kind: 'private key', pattern: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\[rn]|[\s'"+,]){0,20}(?<secret>(?:Proc-Type|[a-z0-9+/]{16})(?:(?!-----END)(?:\\[rn]|[\w+/=:,.\s…-])){0,20000})/dgi },
  { kind: 'part of a key', pattern: new RegExp(`(?<![\\w-])${KEY_BEGINNINGS}[\\w.-]{4,200}…[\\w.-]{0,200}`, 'dg') },
  { kind: 'environment secret', pattern: new RegExp(`${SECRET_NAME}[ \\t]{0,10}=[ \\t]{0,10}(["'\`])(?<secret>(?:(?!\\1)[^\\n]){6,4000})\\1`, 'dg') },
  { kind: 'environment secret', pattern: new RegExp(`${SECRET_NAME}[ \\t]{0,10}=[ \\t]{0,10}(?<secret>[^\\s"'\`(){}\\[\\]<>;]{6,4000})(?![^\\s"'\`;]*[({])`, 'dg') },
  { kind: 'password in an address', pattern: /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{0,200}:(?<secret>[^\s/@]{3,500})@/dgi },
];

/** What stands where a secret would, and is none: the want of one is what an agent may be looking for. */
const NO_SECRET = /^(?:undefined|none|null|nil|true|false|[-+]?[\d_.,]+n?)[;,)]?$/i;

/** What a caller steers by; no text of a program is in it. */
const UNTOUCHED: ReadonlySet<string> = new Set(['status', 'code', 'reason', 'session_id', 'timestamp', 'state', 'owner', 'by']);

/**
 * Replaces credentials in results by a marker with their kind. Which forms are credentials is the maintained collection
 * of secretlint (`@secretlint/secretlint-rule-preset-recommend`): keys of the known vendors, private keys, passwords in
 * addresses. What VS Code's own views show is not touched.
 */
export class Redactor {
  constructor(private readonly settings: () => RedactionSettings) {}

  /**
   * The result, or a copy without credentials.
   * @param expression what a top-level `result` is the value of: `process.env.API_KEY` is a name, too
   * @throws Error when it cannot be checked: then it must not be shown
   */
  async redact<Result extends Fields>(result: Result, expression?: string): Promise<Result> {
    const { enabled, patterns } = this.settings();
    if (!enabled) return result;
    const copy = structuredClone(result);
    const all = [...piecesOf(copy, expression)];
    const limit = Math.min(MOST_CHARACTERS, Math.max(LEAST_CHARACTERS, Math.floor(MOST_IN_ALL / Math.max(1, all.length))));
    let isChanged = false;
    const pieces = all.map((each) => {
      if (each.text.length <= limit) return each;
      isChanged = true;
      const text = cutText(each.text, limit);
      Reflect.set(each.holder, each.key, text);
      return { ...each, text };
    });
    const own = patterns.flatMap((each) => readPattern(each) ?? []);
    const credentials = [...(await credentialsIn(pieces.map((each) => each.prefix + each.text).join('\n')))].sort((one, other) => one.start - other.start);
    let next = 0;
    let offset = 0;
    for (const piece of pieces) {
      const whole = piece.prefix + piece.text;
      const found = [...FORMS.flatMap((each) => matchesOf(whole, each.pattern, each.kind)), ...own.flatMap((each) => matchesOf(whole, each, 'pattern'))];
      while ((credentials[next]?.end ?? Infinity) <= offset) next += 1;
      for (let at = next; (credentials[at]?.start ?? Infinity) < offset + whole.length; at += 1) {
        const each = credentials[at];
        if (each !== undefined) found.push({ ...each, start: each.start - offset, end: each.end - offset });
      }
      const { length } = piece.prefix;
      const inside = found.filter((each) => each.end > length).map((each) => ({ ...each, start: Math.max(0, each.start - length), end: Math.min(piece.text.length, each.end - length) }));
      if (inside.length > 0) {
        isChanged = true;
        Reflect.set(piece.holder, piece.key, replaced(piece.text, inside));
      }
      offset += whole.length + 1;
    }
    return isChanged ? copy : result;
  }
}

/** All texts in a result; a variable's value with its name before it. */
function* piecesOf(value: unknown, expression?: string, name?: string): Generator<Piece> {
  if (typeof value !== 'object' || value === null) return;
  const holder = value as Record<string, unknown> | unknown[];
  const isByName = name !== undefined && VALUES_BY_NAME.has(name) && !Array.isArray(holder);
  const own = Array.isArray(holder) || isByName ? undefined : holder['name'];
  for (const [key, each] of Object.entries(holder)) {
    if (UNTOUCHED.has(key) && !isByName) continue;
    const isValue = key === 'value' || key === 'before' || key === 'now';
    const of = isValue && typeof own === 'string' ? own : isByName ? key : key === 'result' && name === undefined ? expression : undefined;
    const prefix = of === undefined ? '' : `${of.slice(-200).replaceAll('\n', ' ')} = `;
    if (typeof each === 'string') yield { holder, key: Array.isArray(holder) ? Number(key) : key, prefix, text: each };
    else yield* piecesOf(each, undefined, key);
  }
}

/** By the collection, which is loaded when it is first needed. */
async function credentialsIn(text: string): Promise<readonly Found[]> {
  const [{ lintSource }, { creator }] = await Promise.all([import(/* webpackChunkName: "credentials" */ '@secretlint/core'), import(/* webpackChunkName: "credentials" */ '@secretlint/secretlint-rule-preset-recommend')]);
  const { messages } = await lintSource({
    source: { filePath: 'result.txt', content: text, ext: '.txt', contentType: 'text' },
    options: { config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }] } },
  });
  return messages.map(({ range: [start, end], messageId, data }) => {
    const kind = kindOf(messageId);
    // Some rules give the place of the whole assignment with the length of the key: the key itself is looked for there.
    const secret = Object.entries(fields(data)).flatMap(([name, each]) => (name === name.toUpperCase() && typeof each === 'string' && each.length >= 6 ? [each] : []))[0];
    const at = secret === undefined ? -1 : text.indexOf(secret, start);
    return secret === undefined || at === -1 ? { start, end, kind } : { start: at, end: at + secret.length, kind };
  });
}

/** `AWSSecretAccessKey` → `AWS secret access key`; `GITHUB_TOKEN` → `GITHUB TOKEN`. */
function kindOf(messageId: string): string {
  return messageId.replaceAll('_', ' ').replace(/([a-z])([A-Z])/g, (_whole, one: string, other: string) => `${one} ${other.toLowerCase()}`).replace(/([A-Z])([A-Z])([a-z])/g, '$1 $2$3');
}

function matchesOf(text: string, pattern: RegExp, kind: string): readonly Found[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const [start, end] = match.indices?.groups?.['secret'] ?? match.indices?.[0] ?? [0, 0];
    const isOne = kind !== 'environment secret' || !NO_SECRET.test(text.slice(start, end));
    return end > start && isOne ? [{ start, end, kind }] : [];
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
