/** Kinds of characters, as bits. */
export enum Kind {
  Blank = 0x1,
  Letter = 0x2,
  /** Of a constant's name: `A-Z0-9_`. */
  Constant = 0x4,
  /** `\w`. */
  Word = 0x8,
  /** `\w` and `-`. */
  Token = 0x10,
  /** `\w`, `-` and `.`. */
  Dotted = 0x20,
  /** Of an address's scheme: `a-z0-9+.-`. */
  Scheme = 0x40,
  /** What a value without quotes cannot hold: blanks, quotes, brackets, `;`. */
  NoValue = 0x80,
  /** What ends the words of a statement: blanks, quotes, `;`. */
  NoStatement = 0x100,
  /** What opens a call or a block. */
  Opening = 0x200,
  LineEnd = 0x400,
  /** What ends a user's name in an address: blanks, `/`, `:`, `@`. */
  NoUser = 0x800,
  /** What ends a password in an address: blanks, `/`, `@`. */
  NoPassword = 0x1000,
  /** Of what an `Authorization` header holds after its scheme (RFC 9110, `token68`), but the `=` at its end. */
  Token68 = 0x2000,
}

const SPACE = Kind.NoValue | Kind.NoStatement | Kind.NoUser | Kind.NoPassword;

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
  [/\s/, SPACE],
];

const KINDS = Uint16Array.from({ length: 128 }, (_, code) =>
  ASCII.reduce(
    (bits, [pattern, kind]) => (pattern.test(String.fromCharCode(code)) ? bits | kind : bits),
    0,
  ),
);

function kindsAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  // Beyond ASCII there are only blanks to know: `\s`.
  return KINDS[code] ?? (/\s/.test(text.charAt(at)) ? SPACE : 0);
}

export function isKind(text: string, at: number, kind: Kind): boolean {
  return (kindsAt(text, at) & kind) !== 0;
}

/** Where the characters of a kind before a place begin. */
export function beginningOf(text: string, end: number, kind: Kind, most = Infinity): number {
  let at = end;
  while (at > 0 && end - at < most && isKind(text, at - 1, kind)) at -= 1;
  return at;
}

/**
 * Where what begins at a place ends: at the next character that is of a kind, or is not, or with the text. Asked for
 * places in their order, it looks at each character once.
 */
export class Ends {
  private from = 0;
  private end = -1;

  private constructor(
    private readonly text: string,
    private readonly kind: Kind,
    private readonly isInside: boolean,
  ) {}

  /** What has nothing but characters of this kind. */
  static of(text: string, kind: Kind): Ends {
    return new Ends(text, kind, true);
  }

  /** What has no character of this kind. */
  static before(text: string, kind: Kind): Ends {
    return new Ends(text, kind, false);
  }

  after(place: number): number {
    if (place >= this.from && place <= this.end) return this.end;
    const { text, kind, isInside } = this;
    let at = place;
    while (at < text.length && isKind(text, at, kind) === isInside) at += 1;
    this.from = place;
    this.end = at;
    return at;
  }
}

/** Where a part comes next in a text, or where the text ends. Asked for places in their order, it looks once. */
export class Next {
  private from = 0;
  private at = -1;

  constructor(
    private readonly text: string,
    private readonly part: string,
  ) {}

  after(place: number): number {
    if (place >= this.from && place <= this.at) return this.at;
    const found = this.text.indexOf(this.part, place);
    this.from = place;
    this.at = found === -1 ? this.text.length : found;
    return this.at;
  }
}
