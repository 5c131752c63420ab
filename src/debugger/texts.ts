/** What chooses among texts: a regular expression of the extension's own, or one from outside on a linear engine. */
export interface TextTest {
  test(text: string): boolean;
}

/** As much of a foreign text as an entry of a log shows. */
const MOST_OF_AN_ENTRY = 200;

/** Control characters, line ends, and what turns the direction of text or hides in it. */
const NOT_OF_A_LINE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/**
 * A foreign text as one entry of a log: one line, at most `most` characters and how many there were. Everything that is
 * logged and not the extension's own goes through this, so that no name looks like another entry or fills the log.
 */
export function logLine(text: string, most = MOST_OF_AN_ENTRY): string {
  const line = text.slice(0, most).replace(NOT_OF_A_LINE, ' ');
  return text.length <= most ? line : `${line}… (${text.length} characters)`;
}

/** The entry of one call of a tool. */
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
  return `${logLine(tool, MOST_OF_A_LOGGED_NAME)} ${logLine(status, MOST_OF_A_LOGGED_NAME)} ${characters} characters ${Math.round(milliseconds)} ms (${logLine(caller, MOST_OF_A_LOGGED_NAME)})`;
}

const MOST_OF_A_LOGGED_NAME = 60;

/** A fault of the extension's own, with where it was thrown, as one entry of a log. */
export function traceLine(error: unknown): string {
  return logLine(
    error instanceof Error ? (error.stack ?? error.message) : String(error),
    MOST_OF_A_TRACE,
  );
}

const MOST_OF_A_TRACE = 2000;

/** As much of one text of an adapter as is kept: no answer shows more. */
export const MOST_OF_A_TEXT = 100_000;

/** The same of names, paths and words that are no values. */
export const MOST_OF_A_NAME = 2000;

/** Texts of one list share so many characters; each of them has at least `MOST_OF_A_NAME`. */
const MOST_OF_A_LIST = 4_000_000;

/** The beginning of a text that is longer than `limit`, with its real length or what is known of it; never half of a surrogate pair. */
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

/** How long a text is; of one that was cut before, how long it was then. */
function lengthOf(text: string): { readonly characters: number; readonly isLeast: boolean } {
  const [, atLeast, characters] = CUT.exec(text.slice(-40)) ?? [];
  if (characters !== undefined)
    return { characters: Number(characters), isLeast: atLeast !== undefined };
  const [left, more] = MORE_OF_DELVE.exec(text.slice(-40)) ?? [];
  if (left !== undefined)
    return { characters: text.length - left.length + Number(more), isLeast: false };
  return { characters: text.length, isLeast: isShortened(text) };
}

/** delve counts what it leaves out: `"aaa...+259936 more"`. */
const MORE_OF_DELVE = /\.\.\.\+(\d{1,15}) more(?="$)/;

/** How long a value is that js-debug takes the middle out of: of a variable, and of an expression. */
const BUDGETS_OF_JS_DEBUG = [100_000, 1000] as const;

/** The longest text that debugpy gives whole. */
const MOST_OF_DEBUGPY = 65_536;

/** How much longer escapes make a text. */
const ESCAPED = 2;

/** Whether an adapter has left out a part of a text, as far as the text shows it: then nobody knows how long it is. */
function isShortened(text: string): boolean {
  if (/(?:\.\.\.|…)[\])}>'"]{0,20}$/.test(text.slice(-40)) || /"\.\.\.$/.test(text.slice(-4)))
    return true;
  if (text.length > MOST_OF_DEBUGPY && text.includes('...')) return true;
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
 * A part of a longer text, on its own: what JavaScript engines make of `slice` keeps the whole text in memory, 100 MB
 * for the sake of one line.
 */
export function copied(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}

/** An adapter's words without where in the adapter they were thrown. */
export function withoutTrace(words: string): string {
  return words
    .split('\n')
    .filter((line, index) => index === 0 || !isTraceLine(line))
    .join('\n')
    .trimEnd();
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
  return typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : keptText(value, most);
}

/** A text that means something only whole, such as a path or an expression: undefined where it is longer than any is. */
export function wholeText(value: unknown, most = MOST_OF_A_NAME): string | undefined {
  return typeof value === 'string' && value.length <= most ? value : undefined;
}

/** How much is kept of each text in a list of so many. */
export function mostOfEach(texts: number): number {
  return Math.min(
    MOST_OF_A_TEXT,
    Math.max(MOST_OF_A_NAME, Math.floor(MOST_OF_A_LIST / Math.max(1, texts))),
  );
}
