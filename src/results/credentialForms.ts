import { merged, type Found } from './found';

/**
 * Forms of credentials that the collection of vendors' keys leaves out: they belong to no vendor, or are a part of a
 * key. A program may print what it likes, so each form is found in time that is linear in the text: it is looked for by
 * something that it cannot be without, such as `=`, and from there no character is looked at more often than a few times.
 */

type Form = (text: string) => readonly Found[];

/** As in an `.env` file: a constant's name that says what it holds. */
const SECRET_NAME = /^[A-Z][A-Z0-9_]*?(?:SECRET|TOKEN(?!S)|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|PRIVATE_KEY|ACCESS_KEY)/;

/** What stands where a secret would, and is none: the want of one is what an agent may be looking for. */
const NO_SECRET = /^(?:undefined|none|null|nil|true|false|[-+]?[\d_.,]+n?)[;,)]?$/i;

/** The fewest characters of an assigned secret, of a password in an address, and of what is left of a key. */
const LEAST_ASSIGNED = 6;
const LEAST_PASSWORD = 3;
const LEAST_OF_A_PART = 4;

/** The parts of a JSON web token (RFC 7519): header, claims and signature, the first two of which begin with `{"`. */
const LEAST_AFTER_EYJ = 8;
const LEAST_SIGNATURE = 16;

/** Blanks on either side of an assignment's `=`. */
const MOST_BLANKS = 10;

/** Unmistakable beginnings of vendors' keys, for what is left of one when a debugger has shortened a text. */
const KEY_BEGINNING = /(?<![\w-])(?:gh[pousr]_|github_pat_|glpat-|sk-(?:ant-|proj-)|sk_live_|xox[abprs]-|npm_|AIza|hf_|dckr_pat_|shpat_|SG\.|eyJ[\w-]{8,}\.)/;

const FORMS: readonly Form[] = [authorizations, webTokens, googleKeys, privateKeys, partsOfKeys, assignments, passwordsInAddresses];

/** All credentials of these forms in a text, in their order; none overlaps another. */
export function credentialsOfNoVendor(text: string): readonly Found[] {
  return merged(FORMS.flatMap((form) => form(text)));
}

/** `Authorization: Bearer …` and `Basic …`. */
function authorizations(text: string): readonly Found[] {
  return [...text.matchAll(/\b(?<scheme>bearer|basic)[ \t]{1,10}(?<secret>[a-z0-9\-._~+/]{16,}=*)/gi)].map((match) => {
    const { scheme = '', secret = '' } = match.groups ?? {};
    const end = match.index + match[0].length;
    return { start: end - secret.length, end, kind: scheme.toLowerCase() === 'basic' ? 'basic credentials' : 'bearer token' };
  });
}

/** Each has a `.eyJ` between its header and its claims. */
function webTokens(text: string): readonly Found[] {
  const runs = new Ends(text, /[^\w-]/g);
  return placesOf(text, '.eyJ').flatMap((dot) => {
    const claims = runs.after(dot + 1);
    if (claims - dot < '.eyJ'.length + LEAST_AFTER_EYJ || text[claims] !== '.') return [];
    const end = runs.after(claims + 1);
    if (end - claims - 1 < LEAST_SIGNATURE) return [];
    const first = beginningOf(text, dot, isOfToken);
    const header = /(?<!\w)eyJ/.exec(text.slice(first, dot))?.index;
    if (header === undefined || dot - first - header < 'eyJ'.length + LEAST_AFTER_EYJ) return [];
    return [{ start: first + header, end, kind: 'JSON web token' }];
  });
}

function googleKeys(text: string): readonly Found[] {
  return [...text.matchAll(/\bAIza[\w-]{35}(?![\w-])/g)].map((match) => ({ start: match.index, end: match.index + match[0].length, kind: 'Google key' }));
}

/** Also a short one, and one whose end was cut off: what follows the first line belongs to it as far as it can. */
function privateKeys(text: string): readonly Found[] {
  const bodies = new Ends(text, /\\(?![rn])|[^\\\w+/=:,.\s…-]|-----END/gi);
  const begin = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\[rn]|[\s'"+,]){0,20}(?<first>Proc-Type|[a-z0-9+/]{16})/gi;
  return [...text.matchAll(begin)].map((match) => {
    const body = match.index + match[0].length;
    return { start: body - (match.groups?.['first']?.length ?? 0), end: bodies.after(body), kind: 'private key' };
  });
}

/** Each has the `…` of a debugger that has shortened a text: `ghp_wWPw5k4a…INUx`. */
function partsOfKeys(text: string): readonly Found[] {
  const runs = new Ends(text, /[^\w.-]/g);
  return placesOf(text, '…').flatMap((cut) => {
    const first = beginningOf(text, cut, isOfDottedToken);
    const match = KEY_BEGINNING.exec(text.slice(first, cut));
    if (match === null || cut - first - match.index - match[0].length < LEAST_OF_A_PART) return [];
    return [{ start: first + match.index, end: runs.after(cut + 1), kind: 'part of a key' }];
  });
}

/** Each has a `=`: `DATABASE_PASSWORD='…'`, `API_KEY = …`. A value before a bracket is a call: code, no secret. */
function assignments(text: string): readonly Found[] {
  const [lines, values, words] = [new Ends(text, /\n/g), new Ends(text, /[\s"'`(){}[\]<>;]/g), new Ends(text, /[\s"'`;]/g)];
  const brackets = new Ends(text, /[({]/g);
  const quotes = new Map([[`"`, new Ends(text, /"/g)], [`'`, new Ends(text, /'/g)], ['`', new Ends(text, /`/g)]]);
  return placesOf(text, '=').flatMap((equals) => {
    const nameEnd = beginningOf(text, equals, isBlank, MOST_BLANKS);
    const name = beginningOf(text, nameEnd, isOfConstant);
    if (name === nameEnd || isOfWord(text.charCodeAt(name - 1)) || !SECRET_NAME.test(text.slice(name, nameEnd))) return [];
    let value = equals + 1;
    while (value <= equals + MOST_BLANKS && isBlank(text.charCodeAt(value))) value += 1;
    const quote = quotes.get(text[value] ?? '');
    const start = quote === undefined ? value : value + 1;
    const end = (quote ?? values).after(start);
    const isWhole = quote === undefined ? brackets.after(start) >= words.after(start) : end < text.length && end < lines.after(start);
    if (!isWhole || end - start < LEAST_ASSIGNED || NO_SECRET.test(text.slice(start, end))) return [];
    return [{ start, end, kind: 'environment secret' }];
  });
}

/** Each has a `://`: `postgres://app:password@host`. */
function passwordsInAddresses(text: string): readonly Found[] {
  const [users, passwords] = [new Ends(text, /[\s/:@]/g), new Ends(text, /[\s/@]/g)];
  return placesOf(text, '://').flatMap((colon) => {
    const scheme = beginningOf(text, colon, isOfScheme);
    if (scheme === colon || !isLetter(text.charCodeAt(scheme))) return [];
    const user = users.after(colon + '://'.length);
    if (text[user] !== ':') return [];
    const end = passwords.after(user + 1);
    return text[end] === '@' && end - user - 1 >= LEAST_PASSWORD ? [{ start: user + 1, end, kind: 'password in an address' }] : [];
  });
}

/**
 * Where what begins at a place ends: at the next match of a pattern, or with the text. Asked for places in their order,
 * it looks at each character once.
 */
class Ends {
  private from = 0;
  private end = -1;

  /** @param outside global; it matches what is no part */
  constructor(
    private readonly text: string,
    private readonly outside: RegExp,
  ) {}

  after(place: number): number {
    if (place >= this.from && place <= this.end) return this.end;
    this.outside.lastIndex = place;
    this.from = place;
    this.end = this.outside.exec(this.text)?.index ?? this.text.length;
    return this.end;
  }
}

function placesOf(text: string, part: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}

/** Where the characters of a kind before a place begin. */
function beginningOf(text: string, end: number, isOfKind: (code: number) => boolean, most = Infinity): number {
  let at = end;
  while (at > 0 && end - at < most && isOfKind(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

const code = (character: string): number => character.charCodeAt(0);

const isBlank = (at: number): boolean => at === code(' ') || at === code('\t');
const isDigit = (at: number): boolean => at >= code('0') && at <= code('9');
const isUpper = (at: number): boolean => at >= code('A') && at <= code('Z');
const isLetter = (at: number): boolean => isUpper(at) || (at >= code('a') && at <= code('z'));
const isOfConstant = (at: number): boolean => isUpper(at) || isDigit(at) || at === code('_');
const isOfWord = (at: number): boolean => isLetter(at) || isDigit(at) || at === code('_');
const isOfToken = (at: number): boolean => isOfWord(at) || at === code('-');
const isOfDottedToken = (at: number): boolean => isOfToken(at) || at === code('.');
const isOfScheme = (at: number): boolean => isLetter(at) || isDigit(at) || at === code('+') || at === code('.') || at === code('-');
