import * as l10n from '@vscode/l10n';
import { Failure } from '../results/failure';

/**
 * Text in what a person is asked. Names, conditions and expressions come from a model or a program and may try to
 * look like something else: they appear only through these functions.
 */

/** What a person is asked before a call runs. */
export interface Question {
  readonly title: string;
  /** Markdown that only `plain` and `code` have put foreign text into. */
  readonly message: string;
  /** What the call would act on, where it acts on a session, a thread or a frame: `defineTool` adds it. */
  readonly about?: string;
  /** Real paths of files outside the workspace that it named: with a yes the call may read them. `defineTool` adds them. */
  readonly files?: readonly string[];
}

const MOST_CHARACTERS = 200;

/** Control characters, line ends, and what turns the direction of text or hides in it. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** One line of visible text, its middle cut where it is long. */
export function oneLine(text: string, most: number = MOST_CHARACTERS): string {
  const line = text.replace(INVISIBLE, ' ').replace(/\s+/gu, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= most) return line;
  const half = Math.floor((most - 1) / 2);
  return `${characters.slice(0, half).join('')} […${characters.length - 2 * half}…] ${characters.slice(-half).join('')}`;
}

/**
 * Lets a long word go on in the next line: VS Code's card hides what is wider than itself. The character has no width
 * (U+200B, "zero width space"); `oneLine` has taken those of others out.
 */
function breakable(line: string): string {
  return line.replace(LONG_WORD, '$&\u200b');
}

/** As many characters of one word as a narrow chat shows in a line. */
const LONG_WORD = /\S{24}(?=\S)/gu;

/** As code in Markdown, with a fence that the text cannot close. */
export function code(text: string, most?: number): string {
  return fenced(breakable(oneLine(text, most)));
}

function fenced(line: string): string {
  const longest = Math.max(0, ...(line.match(/`+/gu) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = line.startsWith('`') || line.endsWith('`') || line === '' ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

/** Most characters of one text that is shown whole, and of a whole question. */
export const MOST_WHOLE = 8000;
export const MOST_OF_A_QUESTION = 20_000;

/**
 * As code in Markdown, with nothing cut or left out: for what can run. Line ends and characters that cannot be seen
 * stand as signs, so that no comment seems to go on, and nothing hides.
 * @throws Failure `invalid_input` where it is too long to be shown: nobody can approve what they do not see
 */
export function wholeCode(text: string): string {
  // Characters are counted as a person counts them, if the text is not too long for that.
  const length = text.length > 2 * MOST_WHOLE ? text.length : Array.from(text).length;
  if (length > MOST_WHOLE) throw tooLong(length, MOST_WHOLE);
  const line = text
    .trim()
    .replace(/[^\S\r\n\u2028\u2029]+/gu, ' ')
    .replace(/ ?(?:\r\n|[\r\n\u0085\u2028\u2029])(?: |\r\n|[\r\n\u0085\u2028\u2029])*/gu, ' ⏎ ')
    .replace(INVISIBLE, signs);
  return fenced(breakable(line));
}

/** @throws Failure `invalid_input` */
export function checkLength(question: Question): void {
  if (question.message.length > MOST_OF_A_QUESTION)
    throw tooLong(question.message.length, MOST_OF_A_QUESTION);
}

/** What nobody can approve, since it is not shown. */
export function tooLong(length: number, most: number): Failure {
  return new Failure(
    'invalid_input',
    l10n.t(
      'The person is asked about this call, and {0} characters are too many to be shown to them: {1} at the most.',
      length,
      most,
    ),
    'Pass less, in several calls if need be, or ask the person to do it themselves: what is not shown whole cannot be approved. Nothing was done.',
  );
}

function signs(invisible: string): string {
  return Array.from(
    invisible,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  ).join('');
}

/** As plain text in Markdown: nothing in it is a link, an emphasis, an element or an address. */
export function plain(text: string, most?: number): string {
  return breakable(oneLine(text, most)).replace(/[\\`*_{}[\]()#+\-.!|<>&~:@$^=]/gu, '\\$&');
}

/**
 * Markdown of `code` and `plain` for a dialog that shows none: as a person sees it, but that code keeps its fences.
 * Nothing that is foreign can close them, so it can pretend to be no part of the question.
 */
export function withoutMarkdown(markdown: string): string {
  // Where a narrow chat may break a word, a dialog need not.
  return markdown
    .replaceAll('\u200b', '')
    .replace(
      /(?<code>(?<fence>`+)[^`](?:.*?[^`])??\k<fence>(?!`))|\\(?<escaped>[^\s\p{L}\p{N}])|\*{1,2}/gu,
      (...match: unknown[]) => {
        const { code: kept, escaped } = match.at(-1) as { code?: string; escaped?: string };
        return kept ?? escaped ?? '';
      },
    );
}
