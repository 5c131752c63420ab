/** A text in quotes, without them. */
export interface QuotedText {
  readonly start: number;
  readonly end: number;
  /** The position after the closing quote. */
  readonly next: number;
}

/**
 * Reads texts in quotes. In JSON inside JSON, the quotes have backslashes before them: one at the first level, three at
 * the second.
 */
export class QuotedTexts {
  /** Where the closing quote of a kind was searched last, so that no part of the text is searched twice. */
  private readonly known = new Map<string, { from: number; end: number }>();

  constructor(private readonly text: string) {}

  /** Undefined if no quote is at this position. Without a closing quote, the text ends with its line. */
  read(position: number): QuotedText | undefined {
    const { text } = this;
    let at = position;
    while (text[at] === '\\' && at - position < MAX_BACKSLASHES) at += 1;
    const quote = text[at];
    if (quote !== '"' && quote !== "'" && quote !== '`') return undefined;
    const depth = at - position;
    const start = at + 1;
    const closing = this.closing(start, quote, depth);
    if (closing < text.length) return { start, end: closing - depth, next: closing + 1 };
    const line = text.indexOf('\n', start);
    const end = line === -1 ? text.length : line;
    return { start, end, next: end };
  }

  /** The position of the next quote with as many backslashes before it; the end of the text if there is none. */
  private closing(start: number, quote: string, depth: number): number {
    const key = `${depth}${quote}`;
    const known = this.known.get(key);
    if (known !== undefined && start >= known.from && start <= known.end) return known.end;
    const { text } = this;
    let at = text.indexOf(quote, start);
    // An escaped quote inside has more backslashes. Their number counts in the unit of this level.
    while (at !== -1 && backslashesBefore(text, at, start) % (2 * (depth + 1)) !== depth)
      at = text.indexOf(quote, at + 1);
    const end = at === -1 ? text.length : at;
    this.known.set(key, { from: start, end });
    return end;
  }
}

const MAX_BACKSLASHES = 31;

function backslashesBefore(text: string, at: number, start: number): number {
  let count = 0;
  while (at - count > start && text[at - count - 1] === '\\') count += 1;
  return count;
}
