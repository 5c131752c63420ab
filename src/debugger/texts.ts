/**
 * A filter for texts: a regular expression of the extension, or one from a caller that runs on a linear-time engine.
 */
export interface TextTest {
  test(text: string): boolean;
}

/** The maximum length of external text in a log entry. */
const MAX_OF_AN_ENTRY = 200;

/** Control characters, line ends, invisible characters, and characters that change the direction of text. */
const NOT_OF_A_LINE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/**
 * Formats external text as one log entry: one line of at most `most` characters, with the original length. All external
 * text that is logged passes through this function, so that no name looks like another entry or fills the log.
 */
export function logLine(text: string, most = MAX_OF_AN_ENTRY): string {
  const line = text.slice(0, most).replace(NOT_OF_A_LINE, ' ');
  return text.length <= most ? line : `${line}… (${text.length} characters)`;
}

/** The log entry of one tool call. */
export function callLine({
  tool,
  status,
  characters,
  milliseconds,
  caller,
}: {
  readonly tool: string;
  readonly caller: string;
  readonly status: string;
  readonly characters: number;
  readonly milliseconds: number;
}): string {
  return `${logLine(tool, MAX_OF_A_LOGGED_NAME)} ${logLine(status, MAX_OF_A_LOGGED_NAME)} ${characters} characters ${Math.round(milliseconds)} ms (${logLine(caller, MAX_OF_A_LOGGED_NAME)})`;
}

const MAX_OF_A_LOGGED_NAME = 60;

/** An internal error of the extension with its stack, as one log entry. */
export function traceLine(error: unknown): string {
  return logLine(
    error instanceof Error ? (error.stack ?? error.message) : String(error),
    MAX_OF_A_TRACE,
  );
}

const MAX_OF_A_TRACE = 2000;

/** The maximum length of a text from an adapter. No result shows more. */
export const MAX_OF_A_TEXT = 100_000;

/** The maximum length of names, paths and other texts that are not values. */
export const MAX_OF_A_NAME = 2000;

/** The maximum length of all texts of one list together. Each text may have at least `MAX_OF_A_NAME` characters. */
const MAX_OF_A_LIST = 4_000_000;

/**
 * Cuts a text that is longer than `limit` and appends its length, or its minimum length. It never splits a surrogate
 * pair.
 */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = /[\uD800-\uDBFF]/.test(text[limit - 1] ?? '') ? limit - 1 : limit;
  const { characters, isLeast } = lengthOf(text);
  return `${text.slice(0, end)}… (${isLeast ? 'at least ' : ''}${characters} characters)`;
}

/** Whether a text is the beginning of a longer one. */
export function isCut(text: string): boolean {
  return CUT.test(text.slice(-40));
}

const CUT = /… \((at least )?(\d{1,15}) characters\)$/;

/** The length of a text; for a text that was cut before, its original length. */
function lengthOf(text: string): { readonly characters: number; readonly isLeast: boolean } {
  const [, atLeast, characters] = CUT.exec(text.slice(-40)) ?? [];
  if (characters !== undefined)
    return { characters: Number(characters), isLeast: atLeast !== undefined };
  const [left, more] = MORE_OF_DELVE.exec(text.slice(-40)) ?? [];
  if (left !== undefined)
    return { characters: text.length - left.length + Number(more), isLeast: false };
  return { characters: text.length, isLeast: isShortened(text) };
}

/**
 * Whether two different texts agree as far as they show their values, so that the values may be equal: one is the
 * beginning of the other. Texts that were cut from values of different lengths are of different values.
 */
export function agreesAsShown(one: string, other: string): boolean {
  const [first, second] = [beginningShown(one), beginningShown(other)];
  const [shown, further] = [first ?? one, second ?? other];
  // A whole value that is as long as what the other text shows of a longer one is another one.
  if (shown.length === further.length && (first === undefined || second === undefined))
    return false;
  const isFirstShort = shown.length < further.length;
  const [short, long] = isFirstShort ? [first, further] : [second, shown];
  if (short === undefined || short.trim() === '' || !long.startsWith(short)) return false;
  const [length, whole] = [lengthOf(one), lengthOf(other)];
  return length.isLeast || whole.isLeast || length.characters === whole.characters;
}

/** The number of characters of a value that a text shows. */
export function shownLength(text: string): number {
  return (beginningShown(text) ?? text).length;
}

/** The part of a value that a text shows from its beginning. Undefined if the text is not known to be cut at its end. */
function beginningShown(text: string): string | undefined {
  const shown = text.replace(CUT, '');
  // A short string may end with dots of its own.
  const isShort = text.length < MIN_DOTTED && /\.\.\.['"]$/.test(shown);
  const bare = isShort ? shown : shown.replace(CUT_END, '');
  return bare === text ? undefined : bare;
}

/** The end of a text that an adapter has cut: `...`, `…`, `...+36 more`, `"...`, with closing brackets and quotes. */
const CUT_END = /(?:\.\.\.(?:\+\d{1,15} more)?|…)[\])}>'"]{0,20}$|"\.\.\.$/;

/** The length from which adapters cut a string. */
const MIN_DOTTED = 40;

/** delve appends the length of the omitted part: `"aaa...+259936 more"`. */
const MORE_OF_DELVE = /\.\.\.\+(\d{1,15}) more(?="$)/;

/**
 * The lengths to which js-debug shortens a value by removing its middle: the value of a variable, and the value of an
 * expression.
 */
const BUDGETS_OF_JS_DEBUG = [100_000, 1000] as const;

/** The longest text that debugpy does not shorten. */
const MAX_OF_DEBUGPY = 65_536;

/** The factor by which escape sequences can lengthen a text. */
const ESCAPED = 2;

/** Whether a text shows that the adapter has shortened it. Then its original length is unknown. */
function isShortened(text: string): boolean {
  if (/(?:\.\.\.|…)[\])}>'"]{0,20}$/.test(text.slice(-40)) || /"\.\.\.$/.test(text.slice(-4)))
    return true;
  if (text.length > MAX_OF_DEBUGPY && text.includes('...')) return true;
  const middle = text.indexOf('…');
  return (
    middle !== -1 &&
    BUDGETS_OF_JS_DEBUG.some(
      (budget) =>
        text.length >= budget - 10 &&
        text.length <= ESCAPED * budget &&
        middle >= budget / 2 - 20 &&
        middle <= (ESCAPED * budget) / 2 + 20,
    )
  );
}

/**
 * Copies a part of a longer text. In JavaScript engines, the result of `slice` keeps the whole text in memory, for
 * example 100 MB for one line.
 */
export function copied(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}

/** An adapter's error message without its stack trace. */
export function withoutTrace(message: string): string {
  return message
    .split('\n')
    .filter((line, index) => index === 0 || !isTraceLine(line))
    .join('\n')
    .trimEnd();
}

/** Whether a line belongs to a stack trace in the format of JavaScript engines or Java. */
export function isTraceLine(line: string): boolean {
  return TRACE_LINE.test(line);
}

const TRACE_LINE = /^\s+at .*(?::\d+\)?|\(index \d+\))\s*$/;

/** The text shortened to `most` characters, with its real length. Undefined if the value is not a string. */
export function keptText(value: unknown, most = MAX_OF_A_NAME): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value.length <= most ? value : copied(cutText(value, most));
}

/** Does the same as `keptText` for a displayed value, which may also be a number or a boolean. */
export function keptValue(value: unknown, most = MAX_OF_A_TEXT): string | undefined {
  return typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : keptText(value, most);
}

/** A text that must not be cut, such as a path or an expression. Undefined if the text is too long. */
export function wholeText(value: unknown, most = MAX_OF_A_NAME): string | undefined {
  return typeof value === 'string' && value.length <= most ? value : undefined;
}

/** The maximum length of one text in a list of `count` texts. */
export function mostOfListedText(count: number): number {
  return Math.min(
    MAX_OF_A_TEXT,
    Math.max(MAX_OF_A_NAME, Math.floor(MAX_OF_A_LIST / Math.max(1, count))),
  );
}
