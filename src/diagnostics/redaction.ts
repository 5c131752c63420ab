import type { Redactor } from '../results/redact';
import type { CallFacts } from './callFacts';
import { REMOVED } from './messageText';

/** Fields that hold the value of what a `name` beside them names. */
const VALUES: ReadonlySet<string> = new Set(['value', 'before', 'now', 'result']);

/** A text in JSON, or its beginning where the JSON was cut. */
interface JsonText {
  readonly start: number;
  readonly end: number;
  /** What it is the value of; empty for a key. */
  readonly name: string;
  readonly value: string;
}

/** How deep JSON in a text of JSON is looked into: an MCP result repeats its content as text. */
const MOST_LEVELS = 3;

/**
 * Takes credentials out of what people are shown or send to others. Unlike results, which follow the person's setting,
 * diagnostics are always redacted: they leave the machine.
 */
export class DiagnosticsRedaction {
  private readonly known = new WeakMap<object, Promise<string>>();
  private readonly inputs = new WeakMap<object, Promise<string>>();

  /** @param secrets texts that are never shown, such as the key of the MCP server */
  constructor(
    private readonly redactor: Redactor,
    private readonly secrets: () => readonly string[] = () => [],
  ) {}

  /** Lines of text that is no JSON; `NAME=value` is recognized in them. */
  async lines(lines: readonly string[]): Promise<readonly string[]> {
    if (lines.length === 0) return [];
    const shown = await this.redactor.redact({
      lines: lines.map((line) => this.withoutSecrets(line)),
    });
    return shown.lines.map(withoutOptions);
  }

  /** What a call's result told, its values checked with their names. @param subject what `value` is the value of */
  async facts(facts: CallFacts, subject = ''): Promise<CallFacts> {
    const shown = withTexts(await this.redactor.redact({ ...facts }), (text) =>
      this.withoutSecrets(text),
    );
    const changes = shown.changes.map((each) =>
      isSecretName(each.name)
        ? { ...each, before: each.before === undefined ? undefined : REMOVED, now: REMOVED }
        : each,
    );
    const isSecret = shown.value !== undefined && isSecretName(subject);
    const value = isSecret ? REMOVED : shown.value;
    return { ...shown, value, changes, output: shown.output.map(withoutOptions) };
  }

  /** JSON, or the beginning of it. The texts in it are checked with their names. */
  async json(text: string, subject?: string): Promise<string> {
    return await this.jsonAt(this.withoutSecrets(text), subject, MOST_LEVELS);
  }

  /** The JSON of a record, redacted once for as long as the record lives. */
  async record(record: {
    readonly text: string;
    readonly subject?: string | undefined;
  }): Promise<string> {
    return await once(this.known, record, () => this.json(record.text, record.subject));
  }

  /** The JSON that a call was given, redacted once for as long as its record lives. */
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

  /** The values without credentials. Equal ones, of which messages are full, are checked once. */
  private async values(texts: readonly JsonText[]): Promise<readonly string[]> {
    const named = texts.map(({ name, value }) => prefixOf(name) + value);
    const different = [...new Set(named)];
    const { values } = await this.redactor.redact({ values: [...different] });
    const redacted = new Map(different.map((each, index) => [each, values[index] ?? '']));
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
  known: WeakMap<object, Promise<string>>,
  record: object,
  make: () => Promise<string>,
): Promise<string> {
  let shown = known.get(record);
  if (shown === undefined) {
    shown = make();
    known.set(record, shown);
    // What fails is tried again: the person may correct a pattern.
    shown.catch(() => known.delete(record));
  }
  return await shown;
}

/** The facts with each foreign text changed. */
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

/** Stricter than in results: nobody debugs by what is removed here. */
const SECRET_NAME =
  /pass(?:word|wd|phrase)|secret|credential|authorization|cookie|api[-_]?key|private[-_]?key|access[-_]?key|token$/i;

/** Whether what has this name is not shown, whatever it is. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.slice(-MOST_OF_A_NAME)) && !/^progressToken$/i.test(name);
}

/** A name's end says what it names: `process.env.API_KEY`. */
const MOST_OF_A_NAME = 100;

/** Only constants' names tell the redactor anything. */
function prefixOf(name: string): string {
  return /[A-Z]{2}/.test(name) ? `${name.slice(-MOST_OF_A_NAME).replace(/\s/g, ' ')} = ` : '';
}

/** `--password=…` among arguments. */
function withoutOptions(text: string): string {
  return text.replace(OPTION, `$1${REMOVED}`);
}

const OPTION =
  /((?:^|\s)--?[\w-]{0,40}(?:password|passwd|passphrase|secret|api-?key|token)[= ])(?!\[redacted|\[removed)[^\s"']{1,4096}/gi;

const TOKEN = /"((?:[^"\\]|\\.)*)("(\s*:)?|$)/gs;

/** The texts of JSON in their order, each with its name. */
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
    // Cut in the midst of an escape, or not JSON.
    return inside;
  }
}

/** Replaces the person's home folder by `~`, as it is written in text, in JSON (also within JSON) and in addresses. */
export function withoutHome(text: string, home: string): string {
  if (home.length < 2) return text;
  // VS Code writes the letter of a Windows drive small.
  const homes = [home, home.replace(/^[A-Z](?=:)/, (drive) => drive.toLowerCase())];
  const written = homes.flatMap((each) => {
    const inJson = asInJson(each);
    return [asInJson(inJson), inJson, each, each.replaceAll('\\', '/')];
  });
  return [...new Set(written)].reduce((shown, each) => shown.replaceAll(each, '~'), text);
}

function asInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
