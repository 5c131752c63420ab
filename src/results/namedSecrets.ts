import { beginningOf, Ends, isKind, Kind } from './characters';
import type { FoundCredential } from './found';
import { QuotedTexts } from './quotedTexts';
import { isSecretHeader, strengthOf, type NameStrength } from './secretNames';
import { isNoSecret, looksRandom } from './secretValues';

/**
 * Finds credentials by the name before them: in query strings and form bodies (`access_token=…&`), JSON
 * (`"password": "…"`, also inside JSON strings), headers (`Cookie: …`) and previews of objects (`{password: '…'}`,
 * `User(password='…')`, `{:password=>"…"}`). A program chooses the text, so the time is linear: the search starts at
 * `=`, `:` and `,`, and reads a bounded number of characters before them. What follows is read once.
 */
export function namedSecrets(text: string, isStrict = false): readonly FoundCredential[] {
  return new NamedSecrets(text, isStrict).find();
}

/**
 * Finds the same where the name is on an earlier line than the value: in the parts of a form and in pairs of name and
 * value (`{"name": "password", "value": "…"}`).
 */
export function secretsAcrossLines(text: string): readonly FoundCredential[] {
  return new NamedSecrets(text, false).findAcrossLines();
}

/** Whether the next line of a form's part is a secret. */
export function beginsSecretPart(line: string): boolean {
  const name = PART.exec(line.slice(0, MAX_OF_A_HEAD))?.[1];
  return name !== undefined && strengthOf(name) === 'certain';
}

const KIND = 'secret';

/** The maximum number of characters of a name, and of blanks and backslashes next to it. */
const MAX_OF_A_NAME = 64;
const MAX_BLANKS = 10;

/** The number of characters of a value under a name that only possibly says that it is a credential. */
const MAX_OF_A_POSSIBLE = 256;

const LEAST = 3;

const SCHEME =
  /(?:bearer|basic|digest|negotiate|ntlm|token|apikey|api-key|hawk|aws4-hmac-sha256)[ \t]{1,10}/iy;
const WHOLE_LINE = /^(?:digest|hawk|aws4)/i;
/** What may stand before a quote: `b'…'`, `&"…"`, `0x7ffe… "…"`, PHP's `string(7) "…"`. */
const BEFORE_QUOTE =
  /(?:[bBuUrRLfF@&]{1,2}|0x[\da-fA-F]{1,16} |string\(\d{1,9}\) )?(?=\\{0,32}["'`])/y;
const MULTIPART =
  /form-data;[ \t]{0,9}name=\\*"([\w.[\]-]{1,64})\\*"(?:;[^\r\n\\]{0,200})?(?:\r?\n|\\r\\n|\\n){1,2}([^\r\n\\]{1,4096})/g;
const PAIR =
  /\\{0,32}["']?(?:name|key)\\{0,32}["']?[ \t]{0,9}:[ \t]{0,9}\\{0,32}["']([\w.$@-]{1,64})\\{0,32}["'][ \t\r\n]{0,20},[ \t\r\n]{0,20}\\{0,32}["']?value\\{0,32}["']?[ \t]{0,9}:[ \t]{0,9}(?=\\{0,32}["'])/g;

const PART = /form-data;[ \t]{0,9}name="([\w.[\]-]{1,64})"/;
const MAX_OF_A_HEAD = 500;
const OPTION = /(?<=^|[\s"'`])--?([\w-]{1,64})[ \t]{1,3}(?!-)["'`]?([^\s"'`]{3,4096})/gm;

const ELEMENT = /<([\w:.-]{1,64})(?:\s[^<>]{0,200})?>([^<>\r\n]{3,4096})(?=<\/)/g;

/** What stands in a line of its own after the name of a credential but is none. */
const NO_VALUE =
  /^(?:str|string|bytes|char|any|unknown|object|number|int|bool|boolean|secretstr|text|required|optional|invalid|incorrect|wrong|correct|valid|failed|ok|yes|no)[!?]?$/i;

/** The name before a separator. */
interface Name {
  readonly start: number;
  readonly isQuoted: boolean;
  /** Whether blanks stand between the name and the separator. */
  readonly isApart: boolean;
  readonly isHeader: boolean;
  readonly strength: NameStrength;
}

interface Value {
  readonly start: number;
  readonly end: number;
}

class NamedSecrets {
  private readonly found: FoundCredential[] = [];
  private readonly quotes: QuotedTexts;
  private readonly words: Ends;
  private readonly queryValues: Ends;
  private readonly headerLines: Ends;
  private readonly lines: Ends;

  constructor(
    private readonly text: string,
    private readonly isStrict: boolean,
  ) {
    this.quotes = new QuotedTexts(text);
    this.words = Ends.before(text, Kind.NoWordValue);
    this.queryValues = Ends.before(text, Kind.NoQueryValue);
    this.headerLines = Ends.before(text, Kind.NoHeader);
    this.lines = Ends.before(text, Kind.LineEnd);
  }

  find(): readonly FoundCredential[] {
    const { text } = this;
    let next = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (at < next || !isKind(text, at, Kind.Separator)) continue;
      const name = this.nameBefore(at);
      if (name !== undefined) next = this.at(at, name);
    }
    this.named(text.matchAll(OPTION));
    if (text.includes('</')) this.named(text.matchAll(ELEMENT));
    return this.found;
  }

  findAcrossLines(): readonly FoundCredential[] {
    if (this.text.includes('form-data;')) this.named(this.text.matchAll(MULTIPART));
    for (const match of this.text.matchAll(PAIR))
      if (strengthOf(match[1] ?? '') === 'certain' || isSecretHeader(match[1] ?? ''))
        this.quoted(match.index + match[0].length, 'certain');
    return this.found;
  }

  /** Adds the values of matches whose groups are the name and the value, which is at the end. */
  private named(matches: Iterable<RegExpMatchArray>): void {
    for (const match of matches) {
      const [whole, name = '', value = ''] = match;
      const end = (match.index ?? 0) + whole.length;
      if (strengthOf(name) === 'certain')
        this.add({ start: end - value.length, end }, 'certain', true);
    }
  }

  /** Looks at one separator. @returns the position at which the search goes on */
  private at(separator: number, name: Name): number {
    const { text } = this;
    const sign = text[separator];
    // A list of raw headers or arguments: ['Cookie', 'sid=…'], ["--password", "…"].
    if (sign === ',')
      return name.isHeader || (text[name.start] === '-' && name.strength === 'certain')
        ? (this.quoted(this.afterBlanks(separator + 1), 'certain') ?? separator)
        : separator;
    const follows = text[separator + 1];
    if (sign === '=' && follows === '=') return separator + 1;
    const isArrow = (sign === '=' && follows === '>') || (sign === ':' && follows === '=');
    const first = separator + (isArrow ? 2 : 1);
    const start = this.afterBlanks(first);
    if (name.strength !== 'inQuery') {
      const end = this.list(start, name);
      if (end !== undefined) return end;
      if (sign === ':' && name.isHeader && this.isHeaderPlace(name)) return this.header(start);
      if (sign === ':') return isArrow ? separator : this.previewed(start, name);
    }
    return sign === ':' || start > first || name.isApart ? separator : this.word(separator, name);
  }

  /** Reads a quoted value, or a list of them. Undefined if something else follows. */
  private list(start: number, { strength, isHeader }: Name): number | undefined {
    if (this.text[start] !== '[') return this.quoted(start, strength, isHeader);
    if (strength !== 'certain') return undefined;
    let end: number | undefined;
    let at = this.afterSpace(start + 1);
    for (;;) {
      const next = this.quoted(at, strength, isHeader);
      if (next === undefined) return end;
      end = next;
      at = this.afterSpace(next);
      if (this.text[at] === ',') at = this.afterSpace(at + 1);
    }
  }

  /** Reads a quoted value. Undefined if there is none. */
  private quoted(start: number, strength: NameStrength, isHeader = false): number | undefined {
    BEFORE_QUOTE.lastIndex = start;
    const before = BEFORE_QUOTE.exec(this.text);
    if (before === null) return undefined;
    const value = this.quotes.read(start + before[0].length);
    if (value === undefined) return undefined;
    const shown = isHeader ? { ...value, start: this.afterScheme(value.start) } : value;
    return this.add(shown, strength, true) ? value.next : value.start;
  }

  /** Reads the value of a header, to the end of its line or of the quotes that hold it. */
  private header(start: number): number {
    const from = this.afterScheme(start);
    const scheme = this.text.slice(start, Math.min(from, start + 40));
    const end = (WHOLE_LINE.test(scheme) ? this.lines : this.headerLines).after(from);
    const value = trimmed(this.text, from, end);
    // A sentence such as “authorization: the user is unknown” is not a header.
    const head = this.text.slice(value.start, Math.min(value.end, value.start + 200));
    if (from === start && !head.includes('=') && head.split(/[ \t]+/).length > 2) return start;
    return this.add(value, 'certain', true) ? end : start;
  }

  /** Reads a value without quotes after a colon, as previews and configuration files have it. */
  private previewed(start: number, name: Name): number {
    const { text } = this;
    if (name.strength !== 'certain' || !this.isFirst(name)) return start;
    const end = this.words.after(start);
    if (isKind(text, end, Kind.Opening)) return start;
    const value = text.slice(start, Math.min(end, start + MAX_OF_A_POSSIBLE));
    // In a line of its own, any word but a type counts. Elsewhere, one without a digit may be code or a sentence.
    const isLine = this.isFirst(name, '\n') && this.lines.after(start) === end;
    const mayBe = /\d/.test(value) || (isLine && !NO_VALUE.test(value));
    return mayBe && this.add({ start, end }, 'certain', false) ? end : start;
  }

  /** Reads a value that follows an equals sign directly. */
  private word(separator: number, name: Name): number {
    const { text } = this;
    const { strength } = name;
    const start = separator + 1;
    const before = text[name.start - 1] ?? '';
    const isQuery =
      before === '?' ||
      before === '&' ||
      before === '#' ||
      text[this.queryValues.after(start)] === '&';
    const end = (isQuery ? this.queryValues : this.words).after(start);
    if (!isQuery && (strength === 'inQuery' || isKind(text, end, Kind.Opening))) return start;
    const value = trimmed(text, start, end);
    if (!isQuery && isProperty(text.slice(value.start, Math.min(value.end, value.start + 200))))
      return start;
    const inQuery = strength === 'possible' ? 'certain' : strength;
    return this.add(value, isQuery ? inQuery : strength, isQuery) ? end : start;
  }

  private add({ start, end }: Value, strength: NameStrength, mayBeNumber: boolean): boolean {
    if (end - start < LEAST) return false;
    const head = this.text.slice(start, Math.min(end, start + MAX_OF_A_POSSIBLE));
    if (end - start <= MAX_OF_A_POSSIBLE && isNoSecret(head, mayBeNumber)) return false;
    if (strength !== 'certain' && !looksRandom(head)) return false;
    this.found.push({ start, end, kind: KIND });
    return true;
  }

  /** The name before a separator; undefined if it says nothing about its value. */
  private nameBefore(separator: number): Name | undefined {
    const { text } = this;
    const apart = beginningOf(text, separator, Kind.Blank, MAX_BLANKS);
    let end = apart;
    if (text[separator] === ',' && !isQuote(text[end - 1])) return undefined;
    // ["password"]=, user[password]=, user%5Bpassword%5D=
    if (text[end - 3] === '%' && /%5d/i.test(text.slice(end - 3, end))) end -= 3;
    if (text[end - 1] === ']') end -= 1;
    const isQuoted = isQuote(text[end - 1]);
    if (isQuoted) {
      end -= 1;
      while (text[end - 1] === '\\' && apart - end < MAX_BLANKS) end -= 1;
    }
    const start = beginningOf(text, end, Kind.Named, MAX_OF_A_NAME);
    if (end - start < LEAST) return undefined;
    const { isHeader, strength } = meaningOf(text.slice(start, end));
    if (strength === undefined) return undefined;
    const known = this.isStrict && strength === 'possible' ? 'certain' : strength;
    return { start, isQuoted, isApart: apart < separator, isHeader, strength: known };
  }

  /** Whether a name stands where a header may begin, and not in the middle of a sentence. */
  private isHeaderPlace({ start, isQuoted }: Name): boolean {
    return !isQuoted && /^$|[\s"'`>{(=,|\\]/.test(this.text[start - 1] ?? '');
  }

  /** Whether a name is the first word of its line, or follows a brace, a comma or a colon. */
  private isFirst({ start }: Name, before = '\n{,(:'): boolean {
    const { text } = this;
    let at = start;
    while (at > 0 && /["'`:\\]/.test(text[at - 1] ?? '') && start - at < MAX_BLANKS) at -= 1;
    const previous = text[beginningOf(text, at, Kind.Blank, MAX_OF_A_NAME) - 1];
    return previous === undefined || before.includes(previous);
  }

  private afterScheme(start: number): number {
    SCHEME.lastIndex = start;
    return start + (SCHEME.exec(this.text)?.[0].length ?? 0);
  }

  private afterBlanks(start: number): number {
    let at = start;
    while (at < start + MAX_BLANKS && at < this.text.length && isKind(this.text, at, Kind.Blank))
      at += 1;
    return at;
  }

  private afterSpace(start: number): number {
    let at = start;
    while (at < start + MAX_OF_A_NAME && /\s/.test(this.text[at] ?? '')) at += 1;
    return at;
  }
}

/** What names mean. Programs print the same names again and again. */
const MEANINGS = new Map<string, { isHeader: boolean; strength: NameStrength | undefined }>();
const MAX_MEANINGS = 2000;

function meaningOf(name: string): { isHeader: boolean; strength: NameStrength | undefined } {
  const known = MEANINGS.get(name);
  if (known !== undefined) return known;
  const isHeader = isSecretHeader(name);
  const meaning = { isHeader, strength: isHeader ? 'certain' : strengthOf(name) } as const;
  if (MEANINGS.size >= MAX_MEANINGS) MEANINGS.clear();
  MEANINGS.set(name, meaning);
  return meaning;
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'" || character === '`';
}

/** The range without backslashes and blanks at its end, which belong to what the text is in. */
function trimmed(text: string, start: number, end: number): Value {
  let last = end;
  while (last > start && /[\s\\]/.test(text[last - 1] ?? '')) last -= 1;
  return { start, end: last };
}

/** Whether a value is code that reads a property of the same meaning: `password=config.password`. */
function isProperty(value: string): boolean {
  return /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/.test(value) && strengthOf(value) === 'certain';
}
