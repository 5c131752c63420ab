/** Kinds of characters, as bits. */
export enum Kind {
  Blank = 0x1,
  Letter = 0x2,
  /** Characters of a constant's name: `A-Z0-9_`. */
  Constant = 0x4,
  /** `\w`. */
  Word = 0x8,
  /** `\w` and `-`. */
  Token = 0x10,
  /** `\w`, `-` and `.`. */
  Dotted = 0x20,
  /** Characters of a URL's scheme: `a-z0-9+.-`. */
  Scheme = 0x40,
  /** Characters that an unquoted value cannot contain: blanks, quotes, brackets, `;`. */
  NoValue = 0x80,
  /** Characters that end a token of a statement: blanks, quotes, `;`. */
  NoStatement = 0x100,
  /** Characters that open a call or a block. */
  Opening = 0x200,
  LineEnd = 0x400,
  /** Characters that end the user name in a URL: blanks, `/`, `:`, `@`. */
  NoUser = 0x800,
  /** Characters that end the password in a URL: blanks, `/`, `@`. */
  NoPassword = 0x1000,
  /** Characters after the scheme of an `Authorization` header (RFC 9110, `token68`), without the `=` at its end. */
  Token68 = 0x2000,
  /** Characters of the name of a value in a preview, a query or a header: `\w`, `-`, `.`, `$`, `@`. */
  Named = 0x4000,
  /** Characters that end a value without quotes: blanks, quotes, brackets, `;`, `,`, `&`, `|`. */
  NoWordValue = 0x8000,
  /** Characters that end a value of a query or a form: blanks, quotes, `&`, `<`, `>`. */
  NoQueryValue = 0x10000,
  /** Characters that end the value of a header: line ends, quotes, `\`. */
  NoHeader = 0x20000,
  /** Characters between a name and its value: `=`, `:`, `,`. */
  Separator = 0x40000,
}

const SPACE =
  Kind.NoValue |
  Kind.NoStatement |
  Kind.NoUser |
  Kind.NoPassword |
  Kind.NoWordValue |
  Kind.NoQueryValue;

const ASCII: readonly (readonly [RegExp, number])[] = [
  [/[ \t]/, Kind.Blank],
  [/[a-z]/i, Kind.Letter],
  [/[A-Z0-9_]/, Kind.Constant],
  [/\w/, Kind.Word],
  [/[\w-]/, Kind.Token],
  [/[\w.-]/, Kind.Dotted],
  [/[a-z0-9+.-]/i, Kind.Scheme],
  [/["'`(){}[\]<>;]/, Kind.NoValue],
  [/["'`;]/, Kind.NoStatement],
  [/[({]/, Kind.Opening],
  [/\n/, Kind.LineEnd],
  [/[/:@]/, Kind.NoUser],
  [/[/@]/, Kind.NoPassword],
  [/[\w.~+/-]/, Kind.Token68],
  [/[\w.$@-]/, Kind.Named],
  [/["'`(){}[\]<>;,&|]/, Kind.NoWordValue],
  [/["'`&<>]/, Kind.NoQueryValue],
  [/["'`\\\r\n]/, Kind.NoHeader],
  [/[=:,]/, Kind.Separator],
  [/\s/, SPACE],
];

const KINDS = Uint32Array.from({ length: 128 }, (_, code) =>
  ASCII.reduce(
    (bits, [pattern, kind]) => (pattern.test(String.fromCharCode(code)) ? bits | kind : bits),
    0,
  ),
);

function kindsAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  // Outside ASCII, only blanks (`\s`) matter.
  return KINDS[code] ?? (/\s/.test(text.charAt(at)) ? SPACE : 0);
}

export function isKind(text: string, at: number, kind: Kind): boolean {
  return (kindsAt(text, at) & kind) !== 0;
}

/** The start of the run of characters of a kind before a position. */
export function beginningOf(text: string, end: number, kind: Kind, most = Infinity): number {
  let at = end;
  while (at > 0 && end - at < most && isKind(text, at - 1, kind)) at -= 1;
  return at;
}

/**
 * Finds the end of a run of characters: the next character that is (or is not) of a kind, or the end of the text. If
 * the positions are in ascending order, each character is read once.
 */
export class Ends {
  private from = 0;
  private end = -1;

  private constructor(
    private readonly text: string,
    private readonly kind: Kind,
    private readonly isInside: boolean,
  ) {}

  /** Finds the ends of runs that contain only characters of this kind. */
  static of(text: string, kind: Kind): Ends {
    return new Ends(text, kind, true);
  }

  /** Finds the ends of runs that contain no characters of this kind. */
  static before(text: string, kind: Kind): Ends {
    return new Ends(text, kind, false);
  }

  after(position: number): number {
    if (position >= this.from && position <= this.end) return this.end;
    const { text, kind, isInside } = this;
    let at = position;
    while (at < text.length && isKind(text, at, kind) === isInside) at += 1;
    this.from = position;
    this.end = at;
    return at;
  }
}

/**
 * Finds the next occurrence of a part in a text, or the end of the text. If the positions are in ascending order, the
 * text is searched once.
 */
export class Next {
  private from = 0;
  private at = -1;

  constructor(
    private readonly text: string,
    private readonly part: string,
  ) {}

  after(position: number): number {
    if (position >= this.from && position <= this.at) return this.at;
    const found = this.text.indexOf(this.part, position);
    this.from = position;
    this.at = found === -1 ? this.text.length : found;
    return this.at;
  }
}
