import * as l10n from '@vscode/l10n';
import { Failure } from '../results/failure';

/**
 * Functions for foreign text in questions to the person. Names, conditions and expressions come from a model or a
 * program. They may try to imitate other text, so they enter a question only through these functions.
 */

/** The question to the person before a call runs. */
export interface Question {
  readonly title: string;
  /** The message in Markdown. Foreign text in it is produced only by the functions in this file. */
  readonly message: string;
  /** The session, thread or frame that the call would act on, if any. `defineTool` adds it. */
  readonly about?: string;
  /**
   * The real paths of the files outside the workspace that the question names. After the approval, the call may read
   * them. `defineTool` adds them.
   */
  readonly files?: readonly string[];
}

const MAX_CHARACTERS = 200;

/** Matches control characters, line ends, and characters that are invisible or change the direction of text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Returns one line of visible text. The middle of a long line is cut out. */
export function oneLine(text: string, most: number = MAX_CHARACTERS): string {
  const line = text.replace(INVISIBLE, ' ').replace(/\s+/gu, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= most) return line;
  const half = Math.floor((most - 1) / 2);
  return `${characters.slice(0, half).join('')} […${characters.length - 2 * half}…] ${characters.slice(-half).join('')}`;
}

/**
 * Allows line breaks in long words, because VS Code's card hides text that is wider than the card. The inserted
 * character has no width (U+200B, "zero width space"). `oneLine` has removed such characters from foreign text.
 */
function breakable(line: string): string {
  return line.replace(LONG_WORD, '$&\u200b');
}

/** Matches as many characters of one word as fit into a line of a narrow chat. */
const LONG_WORD = /\S{24}(?=\S)/gu;

/** Returns the text as code in Markdown, with a fence that the text cannot close. */
export function code(text: string, most?: number): string {
  return fenced(breakable(oneLine(text, most)));
}

function fenced(line: string): string {
  const longest = Math.max(0, ...(line.match(/`+/gu) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = line.startsWith('`') || line.endsWith('`') || line === '' ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

/** The maximum number of characters of a text that is shown completely, and of a question. */
export const MAX_WHOLE = 8000;
export const MAX_OF_A_QUESTION = 20_000;

/**
 * Returns the complete text as code in Markdown. It is for all text that can run. Line ends, blanks that could be taken
 * for others, and invisible characters are shown as symbols, so that the end of a comment is visible and no text is hidden.
 * @throws Failure `invalid_input` if the text is too long to be shown, because a person cannot approve text that is not
 * shown
 */
export function wholeCode(text: string): string {
  // Count code points, unless the text is too long for this.
  const length = text.length > 2 * MAX_WHOLE ? text.length : Array.from(text).length;
  if (length > MAX_WHOLE) throw tooLong(length, MAX_WHOLE);
  return fenced(breakable(shownBlanks(text).replace(INVISIBLE, escapeInvisible)));
}

/**
 * Shows blanks that Markdown would collapse or that look like others: two texts that differ look different. Only single
 * spaces within a line, and blanks at both ends of the text, are left as they are.
 */
function shownBlanks(text: string): string {
  return withoutEnds(text)
    .replace(/(?<=[\r\n\u0085\u2028\u2029]) | (?=[\r\n\u0085\u2028\u2029])/gu, '␣')
    .replace(/ {2,}|(?<=␣) /gu, (run) => '␣'.repeat(run.length))
    .replace(/\t/gu, '⇥')
    .replace(/[^\S \r\n\u0085\u2028\u2029]/gu, escapeInvisible)
    .replace(/(?:\r\n|[\r\n\u0085\u2028\u2029])+/gu, ' ⏎ ');
}

/** Removes spaces, tabs and line ends at both ends of a text. */
function withoutEnds(text: string): string {
  const isBlank = (at: number): boolean => ' \t\r\n'.includes(text[at] ?? 'x');
  let [start, end] = [0, text.length];
  while (start < end && isBlank(start)) start += 1;
  while (end > start && isBlank(end - 1)) end -= 1;
  return text.slice(start, end);
}

/** Checks the length of a question. @throws Failure `invalid_input` if it is too long to be shown */
export function checkLength(question: Question): void {
  if (question.message.length > MAX_OF_A_QUESTION)
    throw tooLong(question.message.length, MAX_OF_A_QUESTION);
}

/** Returns the error for text that is too long to be shown and thus cannot be approved. */
export function tooLong(length: number, most: number): Failure {
  return new Failure(
    'invalid_input',
    l10n.t(
      'The person is asked about this call, and {0} characters are too many to show. The maximum is {1}.',
      length,
      most,
    ),
    'Pass less, in several calls if needed, or ask the person to do it. Only what is shown in full can be approved. Nothing was done.',
  );
}

function escapeInvisible(invisible: string): string {
  return Array.from(
    invisible,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  ).join('');
}

/** Returns the text as plain text in Markdown. No part of it becomes a link, emphasis, an element or an address. */
export function plain(text: string, most?: number): string {
  return breakable(oneLine(text, most)).replace(/[\\`*_{}[\]()#+\-.!|<>&~:@$^=]/gu, '\\$&');
}

/**
 * Converts the Markdown of `code` and `plain` for a dialog without Markdown. It returns the text as it is displayed,
 * but code keeps its fences. Foreign text cannot close the fences, so it cannot pretend to be part of the question.
 */
export function withoutMarkdown(markdown: string): string {
  // A dialog needs no characters for line breaks in words.
  const text = markdown.replaceAll('\u200b', '');
  const closing = closingFences(text);
  let shown = '';
  MARKDOWN.lastIndex = 0;
  for (let match = MARKDOWN.exec(text); match !== null; match = MARKDOWN.exec(text)) {
    const [whole, fence, escaped] = match;
    const end = fence === undefined ? undefined : closing(MARKDOWN.lastIndex, fence.length);
    if (end !== undefined) {
      shown += text.slice(match.index, end);
      MARKDOWN.lastIndex = end;
    } else shown += fence ?? escaped ?? (whole.startsWith('*') ? '' : whole);
  }
  return shown;
}

const MARKDOWN = /(`+)|\\([^\s\p{L}\p{N}])|\*{1,2}|[^`\\*]+|\\/gu;

/**
 * Returns a function that returns the end of the code whose fence ends at a position, if it is closed on its line. The
 * positions must increase. Each run of backticks is looked at once.
 */
function closingFences(text: string): (from: number, length: number) => number | undefined {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const same = runs.get(run.length);
    if (same === undefined) runs.set(run.length, [index]);
    else same.push(index);
  }
  for (const same of runs.values()) same.reverse();
  let lineEnd = -1;
  return (from, length) => {
    if (lineEnd < from) lineEnd = text.indexOf('\n', from);
    if (lineEnd === -1) lineEnd = text.length;
    const same = runs.get(length) ?? [];
    while ((same.at(-1) ?? Infinity) <= from) same.pop();
    const close = same.at(-1) ?? Infinity;
    return close < lineEnd ? close + length : undefined;
  };
}
