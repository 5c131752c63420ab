/** The syntax of a language's comments and strings. */
export interface Lexis {
  readonly lineComment: string;
  readonly blockComment?: readonly [open: string, close: string];
  /** The quotes of strings, longer ones first. */
  readonly quotes: readonly Quote[];
  /** Whether a slash may begin a regular expression. */
  readonly hasRegExp?: boolean;
}

export interface Quote {
  readonly mark: string;
  readonly isMultiline: boolean;
  readonly isRaw?: boolean;
}

const one = (mark: string): Quote => ({ mark, isMultiline: false });
const many = (mark: string, isRaw = false): Quote => ({ mark, isMultiline: true, isRaw });

export const JAVASCRIPT: Lexis = {
  lineComment: '//',
  blockComment: ['/*', '*/'],
  quotes: [many('`'), one("'"), one('"')],
  hasRegExp: true,
};
export const PYTHON: Lexis = {
  lineComment: '#',
  quotes: [many('"""'), many("'''"), one("'"), one('"')],
};
export const GO: Lexis = {
  lineComment: '//',
  blockComment: ['/*', '*/'],
  quotes: [many('`', true), one("'"), one('"')],
};
export const JAVA: Lexis = {
  lineComment: '//',
  blockComment: ['/*', '*/'],
  quotes: [many('"""'), one("'"), one('"')],
};
export const CPP: Lexis = {
  lineComment: '//',
  blockComment: ['/*', '*/'],
  quotes: [one("'"), one('"')],
};
/** The syntax of Rust. A single quote may begin a lifetime, so only double quotes count. */
export const RUST: Lexis = {
  lineComment: '//',
  blockComment: ['/*', '*/'],
  quotes: [many('"')],
};

/** Matches the text after which a slash begins a regular expression. */
const BEFORE_REGEXP = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\breturn|\btypeof|\bawait)\s*$/;

/**
 * Blanks the contents of comments and strings in a text. Positions, line ends and the quotes of strings stay the same.
 */
export function maskText(text: string, lexis: Lexis): string {
  const parts: string[] = [];
  const special = beginnings(lexis);
  let at = 0;
  while (at < text.length) {
    const plain = at;
    while (at < text.length && !special.has(text.charCodeAt(at))) at += 1;
    if (at > plain) parts.push(text.slice(plain, at));
    if (at === text.length) break;
    const end = endOfComment(text, at, lexis);
    if (end !== undefined) {
      parts.push(blank(text.slice(at, end)));
      at = end;
      continue;
    }
    const quote = quoteAt(text, at, lexis);
    if (quote === undefined) {
      parts.push(text.charAt(at));
      at += 1;
      continue;
    }
    const close = endOfString(text, at + quote.mark.length, quote);
    const inside = text.slice(at + quote.mark.length, close - quote.mark.length);
    parts.push(quote.mark, blank(inside));
    if (close - at >= 2 * quote.mark.length) parts.push(quote.mark);
    at = Math.max(close, at + quote.mark.length);
  }
  return parts.join('').padEnd(text.length);
}

/** The codes of the characters with which a comment or a string may begin. */
function beginnings({ lineComment, blockComment, quotes, hasRegExp }: Lexis): ReadonlySet<number> {
  const marks = [
    lineComment,
    ...(blockComment?.slice(0, 1) ?? []),
    ...quotes.map(({ mark }) => mark),
  ];
  return new Set(
    [...marks, ...(hasRegExp === true ? ['/'] : [])].map((mark) => mark.charCodeAt(0)),
  );
}

function quoteAt(text: string, at: number, { quotes, hasRegExp }: Lexis): Quote | undefined {
  const found = quotes.find(({ mark }) => text.startsWith(mark, at));
  if (found !== undefined || hasRegExp !== true || text.charAt(at) !== '/') return found;
  const before = text.slice(Math.max(0, at - 40), at);
  return BEFORE_REGEXP.test(before) ? one('/') : undefined;
}

function endOfComment(
  text: string,
  at: number,
  { lineComment, blockComment }: Lexis,
): number | undefined {
  if (text.startsWith(lineComment, at)) {
    const end = text.indexOf('\n', at);
    return end === -1 ? text.length : end;
  }
  if (blockComment === undefined || !text.startsWith(blockComment[0], at)) return undefined;
  const end = text.indexOf(blockComment[1], at + blockComment[0].length);
  return end === -1 ? text.length : end + blockComment[1].length;
}

/** Returns the position after the closing quote, or the end of the line if the string is not closed. */
function endOfString(text: string, from: number, { mark, isMultiline, isRaw }: Quote): number {
  let isInClass = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\' && isRaw !== true) at += 1;
    else if (character === '\n' && !isMultiline) return at;
    else if (mark === '/' && character === '[') isInClass = true;
    else if (mark === '/' && character === ']') isInClass = false;
    else if (!isInClass && text.startsWith(mark, at)) return at + mark.length;
  }
  return text.length;
}

/** Replaces all characters except line ends by spaces. */
export function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}

/** The code of the bracket that closes each bracket. */
const CLOSING: ReadonlyMap<number, number> = new Map(
  ['()', '{}', '[]'].map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]),
);

/**
 * Returns a function that returns the position of the bracket that closes the one at a position in a masked text, or the
 * end of the text if it is not closed. The text is read once, when it is needed.
 */
export function closings(masked: string): (open: number) => number {
  let closedAt: Int32Array | undefined;
  return (at) => {
    closedAt ??= closingPlaces(masked);
    const close = closedAt[at] ?? 0;
    return close > 0 ? close : masked.length - 1;
  };
}

function closingPlaces(masked: string): Int32Array {
  const places = new Int32Array(masked.length);
  const open: { readonly at: number; readonly close: number }[] = [];
  for (let at = 0; at < masked.length; at += 1) {
    const sign = masked.charCodeAt(at);
    const close = CLOSING.get(sign);
    const last = open.at(-1);
    if (close !== undefined) open.push({ at, close });
    else if (sign === last?.close) {
      places[last.at] = at;
      open.pop();
    }
  }
  return places;
}

/**
 * Returns a function that returns the position of a sign at or after a position, or -1. The positions must increase: a
 * text without the sign is searched once, not again for each of them.
 */
export function nextOf(text: string, sign: string): (from: number) => number {
  let found = -2;
  return (from) => {
    if (found !== -1 && found < from) found = text.indexOf(sign, from);
    return found;
  };
}

/** Returns a function that returns the 1-based line of a position in a text. */
export function lineCounter(text: string): (place: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (place) => {
    let [from, to] = [0, starts.length];
    while (from + 1 < to) {
      const middle = Math.floor((from + to) / 2);
      if ((starts[middle] ?? Infinity) <= place) from = middle;
      else to = middle;
    }
    return from + 1;
  };
}
