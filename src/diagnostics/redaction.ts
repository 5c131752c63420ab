import type { Redactor } from '../results/redact';
import type { CallFacts } from './callFacts';
import { REMOVED } from './messageText';

/** Properties that contain the value of the variable that the sibling property `name` names. */
const VALUES: ReadonlySet<string> = new Set(['value', 'before', 'now', 'result']);

/** A string in JSON, or its beginning if the JSON was cut. */
interface JsonText {
  readonly start: number;
  readonly end: number;
  /** The name to which the value belongs. Empty for a key. */
  readonly name: string;
  readonly value: string;
}

/**
 * The maximum number of levels of JSON inside JSON strings that are redacted. An MCP result repeats its content as
 * text.
 */
const MAX_LEVELS = 3;

/**
 * Removes credentials from all data that diagnostics show or write to a file. Results follow the person's setting, but
 * diagnostics are always redacted, because people send them to others.
 */
export class DiagnosticsRedaction {
  private readonly records = new WeakMap<object, Promise<string>>();
  private readonly inputs = new WeakMap<object, Promise<string>>();

  /** @param secrets texts that are never shown, such as the key of the MCP server */
  constructor(
    private readonly redactor: Redactor,
    private readonly secrets: () => readonly string[] = () => [],
  ) {}

  /** Redacts lines of text that is not JSON. `NAME=value` is recognized. */
  async lines(lines: readonly string[]): Promise<readonly string[]> {
    if (lines.length === 0) return [];
    const shown = await this.redactor.redact({
      lines: lines.map((line) => this.withoutSecrets(line)),
    });
    return shown.lines.map(withoutOptions);
  }

  /** Redacts a call's facts. Values are checked with their names. @param subject the name to which `value` belongs */
  async facts(facts: CallFacts, subject = ''): Promise<CallFacts> {
    const shown = withTexts(await this.redactor.redact({ ...facts }), (text) =>
      this.withoutSecrets(text),
    );
    const changes = shown.changes.map((change) =>
      isSecretName(change.name)
        ? { ...change, before: change.before === undefined ? undefined : REMOVED, now: REMOVED }
        : change,
    );
    const isSecret = shown.value !== undefined && isSecretName(subject);
    const value = isSecret ? REMOVED : shown.value;
    return { ...shown, value, changes, output: shown.output.map(withoutOptions) };
  }

  /** Redacts JSON, or the beginning of JSON. Strings are checked together with their names. */
  async json(text: string, subject?: string): Promise<string> {
    return await this.jsonAt(this.withoutSecrets(text), subject, MAX_LEVELS);
  }

  /** The redacted JSON of a record. It is cached as long as the record lives. */
  async record(record: {
    readonly text: string;
    readonly subject?: string | undefined;
  }): Promise<string> {
    return await once(this.records, record, () => this.json(record.text, record.subject));
  }

  /** The redacted input of a call. It is cached as long as the record lives. */
  async input(record: { readonly input: string }): Promise<string> {
    return await once(this.inputs, record, () => this.json(record.input));
  }

  private withoutSecrets(text: string): string {
    return this.secrets().reduce((shown, secret) => shown.replaceAll(secret, REMOVED), text);
  }

  private async jsonAt(text: string, subject: string | undefined, levels: number): Promise<string> {
    if (text === '') return '';
    const texts = textsOf(text, subject);
    const redacted = await this.values(texts);
    let shown = '';
    let at = 0;
    for (const [index, { start, end, value }] of texts.entries()) {
      const now = await this.inner(redacted[index] ?? '', subject, levels);
      if (now === value) continue;
      shown += text.slice(at, start) + JSON.stringify(now);
      at = end;
    }
    return shown + text.slice(at);
  }

  /** The values without credentials. Messages often repeat values, so equal values are checked once. */
  private async values(texts: readonly JsonText[]): Promise<readonly string[]> {
    const named = texts.map(({ name, value }) => prefixOf(name) + value);
    const different = [...new Set(named)];
    const { values } = await this.redactor.redact({ values: [...different] });
    const redacted = new Map(different.map((text, index) => [text, values[index] ?? '']));
    return texts.map(({ name, value }, index) => {
      if (isSecretName(name) && value !== '') return REMOVED;
      const shown = redacted.get(named[index] ?? '') ?? '';
      const prefix = prefixOf(name);
      return withoutOptions(shown.startsWith(prefix) ? shown.slice(prefix.length) : shown);
    });
  }

  private async inner(value: string, subject: string | undefined, levels: number): Promise<string> {
    return levels > 1 && /^\s*[[{]/.test(value)
      ? await this.jsonAt(value, subject, levels - 1)
      : value;
  }
}

async function once(
  cache: WeakMap<object, Promise<string>>,
  record: object,
  make: () => Promise<string>,
): Promise<string> {
  let shown = cache.get(record);
  if (shown === undefined) {
    shown = make();
    cache.set(record, shown);
    // A failure is not cached, because the person may correct a pattern.
    shown.catch(() => cache.delete(record));
  }
  return await shown;
}

/** Applies a change to each external text of the facts. */
function withTexts(facts: CallFacts, change: (text: string) => string): CallFacts {
  const one = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : change(text);
  return {
    ...facts,
    reason: one(facts.reason),
    value: one(facts.value),
    message: one(facts.message),
    output: facts.output.map(change),
    changes: facts.changes.map(({ name, before, now }) => ({
      name: change(name),
      before: one(before),
      now: change(now),
    })),
  };
}

/**
 * The names of secrets. The pattern is stricter than for results, because these values are not needed for debugging.
 */
const SECRET_NAME =
  /pass(?:word|wd|phrase)|secret|credential|authorization|cookie|api[-_]?key|private[-_]?key|access[-_]?key|token$/i;

/** Whether a value under this name is never shown. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.slice(-MAX_OF_A_NAME)) && !/^progressToken$/i.test(name);
}

/**
 * The maximum number of characters of a name, counted from its end. The end is the specific part:
 * `process.env.API_KEY`.
 */
const MAX_OF_A_NAME = 100;

/** The prefix for a value with this name. The redactor recognizes only names of constants. */
function prefixOf(name: string): string {
  return /[A-Z]{2}/.test(name) ? `${name.slice(-MAX_OF_A_NAME).replace(/\s/g, ' ')} = ` : '';
}

/** Removes the values of options such as `--password=…` from arguments. */
function withoutOptions(text: string): string {
  return text.replace(OPTION, `$1${REMOVED}`);
}

const OPTION =
  /((?:^|\s)--?[\w-]{0,40}(?:password|passwd|passphrase|secret|api-?key|token)[= ])(?!\[redacted|\[removed)[^\s"']{1,4096}/gi;

const TOKEN = /"((?:[^"\\]|\\[^]?)*)("(\s*:)?|$)/g;

/** The strings in JSON, in order, each with the name to which it belongs. */
function textsOf(json: string, subject: string | undefined): readonly JsonText[] {
  const found: JsonText[] = [];
  let key = '';
  let sibling = subject ?? '';
  let previous = '';
  for (const match of json.matchAll(TOKEN)) {
    const [whole, inside = '', , colon] = match;
    const value = decoded(inside);
    const end = match.index + whole.length - (colon?.length ?? 0);
    const isKey = colon !== undefined;
    const owner = VALUES.has(key) && sibling !== '' ? sibling : key;
    // After an option such as --token, the next argument is its value.
    const valueName = previous.startsWith('-') && isSecretName(previous) ? previous : owner;
    const name = isKey ? '' : valueName;
    if (isKey) key = value;
    else if (key === 'name') sibling = value;
    previous = isKey ? '' : value;
    found.push({ start: match.index, end, name, value });
  }
  return found;
}

function decoded(inside: string): string {
  try {
    const value: unknown = JSON.parse(`"${inside}"`);
    return typeof value === 'string' ? value : inside;
  } catch {
    // The text was cut in the middle of an escape sequence, or is not JSON.
    return inside;
  }
}

/** Replaces the person's home folder by `~` in plain text, in JSON, in JSON inside JSON, and in URIs. */
export function withoutHome(text: string, home: string): string {
  if (home.length < 2) return text;
  // VS Code writes the drive letter of Windows in lower case.
  const homes = [home, home.replace(/^[A-Z](?=:)/, (drive) => drive.toLowerCase())];
  const written = homes.flatMap((folder) => {
    const inJson = asInJson(folder);
    return [asInJson(inJson), inJson, folder, folder.replaceAll('\\', '/')];
  });
  return [...new Set(written)].reduce((shown, path) => shown.replaceAll(path, '~'), text);
}

function asInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
