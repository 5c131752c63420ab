/** The beginning of a text, with its prefix. */
const TEXT = /([rbuft]{0,2})("""|'''|"|')/iy;
/** A character by its name. The longest name of Unicode has 88 characters. */
const NAMED = /^\\N\{[^}]*\}/;
const MAX_NAME = 100;
/** The levels of fields in fields. Python allows fewer. */
const MAX_FIELDS = 200;
const WORD = /[\p{L}\p{N}_]+/uy;

/** What a walk over Python code calls. */
interface Visitor {
  /** Returns what replaces a name, or another word, outside of texts. */
  readonly word?: (word: string) => string;
  /** @param isWithin whether the next line continues a text, brackets, or a line that ends with a backslash */
  readonly line?: (isWithin: boolean) => void;
}

/** Replaces the names outside of texts. The fields of f-strings are code. */
export function replacedNames(code: string, word: (name: string) => string): string {
  return new Walk(code, { word }).whole();
}

/** Whether each line begins a statement, and does not continue one. */
export function statementLines(lines: readonly string[]): readonly boolean[] {
  const begins = [true];
  new Walk(lines.join('\n'), { line: (isWithin) => begins.push(!isWithin) }).whole();
  return begins;
}

class Walk {
  private at = 0;
  /** The number of fields around the place. */
  private fields = 0;
  private out = '';

  constructor(
    private readonly code: string,
    private readonly visitor: Visitor,
  ) {}

  whole(): string {
    this.expression(false);
    return this.out;
  }

  /** Walks over code, or over the code of a field up to its format or its end. */
  private expression(isField: boolean): void {
    const { code } = this;
    for (let depth = 0; this.at < code.length;) {
      const sign = code.charAt(this.at);
      if (isField && depth === 0 && (sign === '}' || sign === ':')) return;
      if (this.text() || this.word()) continue;
      if ('([{'.includes(sign)) depth += 1;
      else if (')]}'.includes(sign)) depth = Math.max(0, depth - 1);
      if (sign === '#') this.comment();
      else if (sign === '\\') this.take(2, true);
      else this.take(1, isField || depth > 0);
    }
  }

  private word(): boolean {
    WORD.lastIndex = this.at;
    const word = WORD.exec(this.code)?.[0];
    if (word === undefined) return false;
    this.out += this.visitor.word?.(word) ?? word;
    this.at += word.length;
    return true;
  }

  private comment(): void {
    const end = this.code.indexOf('\n', this.at);
    this.take((end < 0 ? this.code.length : end) - this.at, false);
  }

  /** @returns whether a text begins here */
  private text(): boolean {
    TEXT.lastIndex = this.at;
    const [whole, prefix = '', quotes = ''] = TEXT.exec(this.code) ?? [];
    if (whole === undefined) return false;
    this.take(whole.length, true);
    const hasFields = /[ft]/i.test(prefix);
    while (this.at < this.code.length) {
      if (this.code.startsWith(quotes, this.at)) {
        this.take(quotes.length, true);
        break;
      }
      // A text with single quotes ends with its line. The code is wrong then.
      if (quotes.length === 1 && this.code.charAt(this.at) === '\n') break;
      if (this.code.startsWith(hasFields ? '{{' : '\\', this.at)) this.take(2, true);
      else if (hasFields && this.code.startsWith('\\', this.at)) this.escape(prefix);
      else if (hasFields && this.code.startsWith('{', this.at)) this.field();
      else this.take(1, true);
    }
    return true;
  }

  /** A backslash in an f-string: `\N{DIGIT ONE}` is no field. */
  private escape(prefix: string): void {
    const [name] = NAMED.exec(this.code.slice(this.at, this.at + MAX_NAME)) ?? [];
    this.take(name !== undefined && !/r/i.test(prefix) ? name.length : 2, true);
  }

  /** A field of an f-string, with its format, which may have fields of its own. */
  private field(): void {
    this.take(1, true);
    if (this.fields === MAX_FIELDS) return;
    this.fields += 1;
    this.expression(true);
    while (this.at < this.code.length && !this.code.startsWith('}', this.at)) {
      if (this.code.startsWith('{', this.at)) this.field();
      else this.take(1, true);
    }
    this.take(1, true);
    this.fields -= 1;
  }

  private take(count: number, isWithin: boolean): void {
    const taken = this.code.slice(this.at, this.at + count);
    this.out += taken;
    this.at += count;
    for (const sign of taken) if (sign === '\n') this.visitor.line?.(isWithin);
  }
}
