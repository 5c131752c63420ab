import { beginningOf, Ends, isKind, Kind, Next } from './characters';
import { merged, type FoundCredential } from './found';

/**
 * Forms of credentials that the collection of vendors' keys does not cover, because they belong to no vendor or are
 * only a part of a key. A program may print any text, so each form is found in linear time: the search starts at a part
 * that the form always contains, such as `=`, and from there reads each character only a few times.
 */

/** The name of a constant that contains a secret, as in an `.env` file. */
const SECRET_NAME =
  /^(?=[A-Z])[A-Z0-9_]*?(?:SECRET|TOKEN(?!S)|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|PRIVATE_KEY|ACCESS_KEY)/;
const MIN_NAME = 'TOKEN'.length;

/**
 * Values that are not secrets although they are assigned to a secret's name. A missing secret may be the bug that an
 * agent is looking for.
 */
const NO_SECRET = /^(?:undefined|none|null|nil|true|false|[-+]?[\d_.,]+n?)[;,)]?$/i;

/** The minimum lengths of an assigned secret, of a password in a URL, and of a part of a key. */
const MIN_ASSIGNED = 6;
const MIN_PASSWORD = 3;
const MIN_OF_A_PART = 4;

/**
 * The minimum lengths of the parts of a JSON web token (RFC 7519): the header and the claims, which begin with `{"`,
 * and the signature.
 */
const MIN_OF_A_HEADER = 'eyJ'.length + 8;
const MIN_SIGNATURE = 16;

const GOOGLE_KEY = 'AIza'.length + 35;

/** The maximum number of blanks on either side of an assignment's `=`. */
const MAX_BLANKS = 10;

const AUTHORIZATION = /\b(bearer|basic)[ \t]{1,10}/gi;
const MIN_AUTHORIZATION = 16;
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\[rn]|[\s'"+,]){0,20}(Proc-Type|[a-z0-9+/]{16})/gi;
const AFTER_PRIVATE_KEY = /\\(?![rn])|[^\\\w+/=:,.\s…-]|-----END/gi;

/** Unambiguous prefixes of vendors' keys, to find parts of keys in a text that a debugger has shortened. */
const KEY_BEGINNING =
  /(?<![\w-])(?:gh[pousr]_|github_pat_|glpat-|sk-(?:ant-|proj-)|sk_live_|xox[abprs]-|npm_|AIza|hf_|dckr_pat_|shpat_|SG\.|eyJ[\w-]{8,}\.)/;
const MIN_BEGINNING = 'hf_'.length;

/** A credential that is extended while a form finds more of it. */
type Growing = { -readonly [Key in keyof FoundCredential]: FoundCredential[Key] };

/** Searches a text for one form of credentials and adds the credentials that it finds. */
type Form = (text: string, found: Growing[]) => void;

const FORMS: readonly Form[] = [
  authorizations,
  webTokens,
  googleKeys,
  privateKeys,
  partsOfKeys,
  assignments,
  passwordsInAddresses,
];

/** All credentials of these forms in a text, in order and without overlaps. */
export function credentialsOfNoVendor(text: string): readonly FoundCredential[] {
  const found: Growing[] = [];
  for (const form of FORMS) form(text, found);
  return merged(found);
}

/** Adds a credential. Forms search from left to right, so it is merged with the previous credential if they overlap. */
function add(found: Growing[], start: number, end: number, kind: string): void {
  const last = found.at(-1);
  if (last?.kind !== kind || start >= last.end) found.push({ start, end, kind });
  else if (end > last.end) last.end = end;
}

/** Finds `Authorization: Bearer …` and `Basic …`. */
function authorizations(text: string, found: Growing[]): void {
  const runs = Ends.of(text, Kind.Token68);
  for (const match of text.matchAll(AUTHORIZATION)) {
    const start = match.index + match[0].length;
    let end = runs.after(start);
    if (end - start < MIN_AUTHORIZATION) continue;
    while (text[end] === '=') end += 1;
    add(
      found,
      start,
      end,
      match[1]?.toLowerCase() === 'basic' ? 'basic credentials' : 'bearer token',
    );
  }
}

/** Finds JSON web tokens, by the `.eyJ` between header and claims. */
function webTokens(text: string, found: Growing[]): void {
  const runs = Ends.of(text, Kind.Token);
  for (let dot = text.indexOf('.eyJ'); dot !== -1; dot = text.indexOf('.eyJ', dot + 1)) {
    const claims = runs.after(dot + 1);
    if (claims - dot - 1 < MIN_OF_A_HEADER || text[claims] !== '.') continue;
    const end = runs.after(claims + 1);
    if (end - claims - 1 < MIN_SIGNATURE) continue;
    const first = beginningOf(text, dot, Kind.Token);
    const header = /(?<!\w)eyJ/.exec(text.slice(first, dot))?.index;
    if (header === undefined || dot - first - header < MIN_OF_A_HEADER) continue;
    add(found, first + header, end, 'JSON web token');
  }
}

function googleKeys(text: string, found: Growing[]): void {
  const runs = Ends.of(text, Kind.Token);
  for (let start = text.indexOf('AIza'); start !== -1; start = text.indexOf('AIza', start + 1)) {
    if (start > 0 && isKind(text, start - 1, Kind.Word)) continue;
    const end = runs.after(start);
    if (end - start === GOOGLE_KEY) add(found, start, end, 'Google key');
  }
}

/**
 * Finds private keys, including short ones and ones whose end was cut off. Everything after the first line that can
 * belong to the key is included.
 */
function privateKeys(text: string, found: Growing[]): void {
  let end = -1;
  for (const match of text.matchAll(PRIVATE_KEY)) {
    const body = match.index + match[0].length;
    if (end < body) {
      AFTER_PRIVATE_KEY.lastIndex = body;
      end = AFTER_PRIVATE_KEY.exec(text)?.index ?? text.length;
    }
    add(found, body - (match[1]?.length ?? 0), end, 'private key');
  }
}

/** Finds parts of keys, by the `…` of a debugger that has shortened a text: `ghp_wWPw5k4a…INUx`. */
function partsOfKeys(text: string, found: Growing[]): void {
  const runs = Ends.of(text, Kind.Dotted);
  for (let cut = text.indexOf('…'); cut !== -1; cut = text.indexOf('…', cut + 1)) {
    const first = beginningOf(text, cut, Kind.Dotted);
    if (cut - first < MIN_BEGINNING + MIN_OF_A_PART) continue;
    const match = KEY_BEGINNING.exec(text.slice(first, cut));
    if (match === null || cut - first - match.index - match[0].length < MIN_OF_A_PART) continue;
    add(found, first + match.index, runs.after(cut + 1), 'part of a key');
  }
}

/** Finds assignments, by their `=`: `DATABASE_PASSWORD='…'`, `API_KEY = …`. */
function assignments(text: string, found: Growing[]): void {
  const values = new AssignedValues(text);
  for (let equals = text.indexOf('='); equals !== -1; equals = text.indexOf('=', equals + 1)) {
    const nameEnd = beginningOf(text, equals, Kind.Blank, MAX_BLANKS);
    const name = beginningOf(text, nameEnd, Kind.Constant);
    if (nameEnd - name < MIN_NAME || (name > 0 && isKind(text, name - 1, Kind.Word))) continue;
    if (!SECRET_NAME.test(text.slice(name, nameEnd))) continue;
    if (!values.read(equals) || values.end - values.start < MIN_ASSIGNED) continue;
    if (!NO_SECRET.test(text.slice(values.start, values.end)))
      add(found, values.start, values.end, 'environment secret');
  }
}

/** Reads assigned values, with or without quotes. */
class AssignedValues {
  /** The start and end of the value that was read last, without its quotes. */
  start = 0;
  end = 0;
  private readonly values: Ends;
  private readonly statements: Ends;
  private readonly openings: Ends;
  private readonly lines: Ends;
  private readonly quotes: ReadonlyMap<string, Next>;

  constructor(private readonly text: string) {
    this.values = Ends.before(text, Kind.NoValue);
    this.statements = Ends.before(text, Kind.NoStatement);
    this.openings = Ends.before(text, Kind.Opening);
    this.lines = Ends.before(text, Kind.LineEnd);
    this.quotes = new Map(['"', "'", '`'].map((quote) => [quote, new Next(text, quote)]));
  }

  /**
   * Reads the value after an `=`. Returns false for a call or an object, which is code and not a secret, and for a
   * quote that is not closed on its line.
   */
  read(equals: number): boolean {
    const { text } = this;
    let start = equals + 1;
    while (start <= equals + MAX_BLANKS && start < text.length && isKind(text, start, Kind.Blank))
      start += 1;
    const quote = this.quotes.get(text[start] ?? '');
    this.start = quote === undefined ? start : start + 1;
    this.end = (quote ?? this.values).after(this.start);
    if (quote === undefined) return this.openings.after(start) >= this.statements.after(start);
    return this.end < text.length && this.end < this.lines.after(this.start);
  }
}

/** Finds passwords in URLs, by the `://`: `postgres://app:password@host`. */
function passwordsInAddresses(text: string, found: Growing[]): void {
  const [users, passwords] = [Ends.before(text, Kind.NoUser), Ends.before(text, Kind.NoPassword)];
  for (let colon = text.indexOf('://'); colon !== -1; colon = text.indexOf('://', colon + 1)) {
    const scheme = beginningOf(text, colon, Kind.Scheme);
    if (scheme === colon || !isKind(text, scheme, Kind.Letter)) continue;
    const start = users.after(colon + '://'.length) + 1;
    if (text[start - 1] !== ':') continue;
    const end = passwords.after(start);
    if (text[end] === '@' && end - start >= MIN_PASSWORD)
      add(found, start, end, 'password in an address');
  }
}
