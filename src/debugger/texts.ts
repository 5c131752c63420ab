/** What chooses among texts: a regular expression of the extension's own, or one from outside on a linear engine. */
export interface TextTest {
  test(text: string): boolean;
}

/** As much of one text of an adapter as is kept: no answer shows more. */
export const MOST_OF_A_TEXT = 100_000;

/** The same of names, paths and words that are no values. */
export const MOST_OF_A_NAME = 2000;

/** Texts of one list share so many characters; each of them has at least `MOST_OF_A_NAME`. */
const MOST_OF_A_LIST = 4_000_000;

/** The beginning of a text that is longer than `limit`, with its real length; never half of a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = /[\uD800-\uDBFF]/.test(text[limit - 1] ?? '') ? limit - 1 : limit;
  return `${text.slice(0, end)}… (${lengthOf(text)} characters)`;
}

/** Whether a text is the beginning of a longer one. */
export function isCut(text: string): boolean {
  return CUT.test(text.slice(-40));
}

const CUT = /… \((\d{1,15}) characters\)$/;

/** Of a text that was cut before, the length that it had then. */
function lengthOf(text: string): number {
  return Math.max(Number(CUT.exec(text.slice(-40))?.[1] ?? 0), text.length);
}

/**
 * A part of a longer text, on its own: what JavaScript engines make of `slice` keeps the whole text in memory, 100 MB
 * for the sake of one line.
 */
export function copied(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}

/** An adapter's words without where in the adapter they were thrown. */
export function withoutTrace(words: string): string {
  return words.split('\n').filter((line, index) => index === 0 || !isTraceLine(line)).join('\n').trimEnd();
}

/** Whether it is one line of a stack trace as JavaScript engines and Java write it. */
export function isTraceLine(line: string): boolean {
  return TRACE_LINE.test(line);
}

const TRACE_LINE = /^\s+at .*(?::\d+\)?|\(index \d+\))\s*$/;

/** A text as it is kept: not more of it than `most`, with its real length. Undefined where it is none. */
export function keptText(value: unknown, most = MOST_OF_A_NAME): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value.length <= most ? value : copied(cutText(value, most));
}

/** The same of what is shown as a value: numbers and truth values are told as well as text. */
export function keptValue(value: unknown, most = MOST_OF_A_TEXT): string | undefined {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : keptText(value, most);
}

/** A text that means something only whole, such as a path or an expression: undefined where it is longer than any is. */
export function wholeText(value: unknown, most = MOST_OF_A_NAME): string | undefined {
  return typeof value === 'string' && value.length <= most ? value : undefined;
}

/** How much is kept of each text in a list of so many. */
export function mostOfEach(texts: number): number {
  return Math.min(MOST_OF_A_TEXT, Math.max(MOST_OF_A_NAME, Math.floor(MOST_OF_A_LIST / Math.max(1, texts))));
}
