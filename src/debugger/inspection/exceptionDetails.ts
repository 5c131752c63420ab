import { defined } from '../../util/defined';
import { fields, listOf, type Fields } from '../protocol';
import { keptText, MOST_OF_A_TEXT } from '../texts';

/** An exception as an adapter tells it. DAP "ExceptionDetails". */
export interface ExceptionDetails {
  readonly type: string;
  readonly message?: string;
  /** What caused it, the nearest cause first. */
  readonly inner?: readonly { readonly type: string; readonly message?: string }[];
}

/** The same, and whether the adapter says that nobody catches it. */
export interface ReportedException extends ExceptionDetails {
  readonly isUnhandled?: true;
}

/** Causes of causes may be many, and a faulty adapter's may go in a circle. */
const CAUSES_SHOWN = 5;

/** Reads the answer to `exceptionInfo`; undefined where it names no exception. */
export function readException(body: Fields): ReportedException | undefined {
  const details = fields(body['details']);
  const reportedId = keptText(body['exceptionId'], MOST_OF_A_TEXT);
  const id = reportedId === undefined ? undefined : withoutNote(reportedId);
  const named = typeOf(details);
  const text =
    keptText(details['message'], MOST_OF_A_TEXT) ?? keptText(body['description'], MOST_OF_A_TEXT);
  if (named === undefined && id === undefined) return undefined;
  const split = named === undefined && text === undefined ? inOne(id ?? '') : undefined;
  const { type, message = text } = split ?? { type: named ?? id ?? '' };
  const causes = causesOf(details);
  const inner = causes.length > 0 ? causes : causesInTrace(details['stackTrace']);
  return defined({
    type,
    message,
    inner: inner.length > 0 ? inner : undefined,
    isUnhandled: body['breakMode'] === 'unhandled' ? true : undefined,
  });
}

/** The code that a Python program ends with by an uncaught `SystemExit`; undefined for any other exception. */
export function exitCodeOf({
  type,
  message = '',
  isUnhandled,
}: ReportedException): number | undefined {
  if (type !== 'SystemExit' || isUnhandled !== true) return undefined;
  if (message === '' || message === 'None' || message === 'False') return 0;
  // Anything else than a number is printed, and ends the program with 1.
  return /^-?\d{1,10}$/.test(message) ? Number(message) : 1;
}

/**
 * A stop's own words where they say what its exception does not.
 * @param words the stop's description or text
 */
export function unlessSaid(
  words: string | undefined,
  { type, message = '' }: ExceptionDetails,
): string | null {
  if (words === undefined) return null;
  const own = withoutNote(words);
  const said = `${type}: ${message}`;
  return said.includes(own) || (message !== '' && own.includes(message)) ? null : own;
}

function causesOf(details: Fields): { type: string; message?: string }[] {
  const causes: { type: string; message?: string }[] = [];
  const waiting = listOf(details['innerException']).slice(0, CAUSES_SHOWN);
  while (waiting.length > 0 && causes.length < CAUSES_SHOWN) {
    const cause = fields(waiting.shift());
    const message = keptText(cause['message'], MOST_OF_A_TEXT);
    causes.push(
      defined({
        type: typeOf(cause) ?? 'unknown',
        message,
      }),
    );
    waiting.push(...listOf(cause['innerException']).slice(0, CAUSES_SHOWN));
  }
  return causes;
}

/** What stands between the exceptions of a Python trace, of which the outermost is the last. */
const NEXT_IN_TRACE =
  /\n\n(?:The above exception was the direct cause of the following exception|During handling of the above exception, another exception occurred):\n\n/;

/** debugpy tells the causes in the text of its trace alone: before each of these sentences one ends with its type and message. */
function causesInTrace(trace: unknown): { type: string; message?: string }[] {
  const causes = (keptText(trace, MOST_OF_A_TEXT) ?? '')
    .split(NEXT_IN_TRACE)
    .slice(0, -1)
    .reverse();
  return causes.slice(0, CAUSES_SHOWN).map((cause) => {
    const lines = cause.trimEnd().split('\n');
    // Frames and their source are indented.
    return inOne(lines.slice(lines.findLastIndex((line) => line.startsWith('  ')) + 1).join('\n'));
  });
}

/** js-debug's id of an error is its type and message in one, and of anything else that was thrown, its value. */
function inOne(id: string): { readonly type: string; readonly message?: string } {
  const [, type, message] =
    /^([\p{L}_$][\p{L}\p{N}_$.]*(?: \[[A-Z\d_]+\])?): (.*)$/su.exec(id) ?? [];
  if (type !== undefined && message !== undefined) return { type, message };
  return /^[\p{L}\p{N}_$.:<>]*$/u.test(id) ? { type: id } : { type: 'unknown', message: id };
}

/** debugpy puts a note of its own behind the type: which frame the program is in, which the stack says. */
const NOTE = /\s+\(note: full exception trace is shown .*\)$/s;

/** An exception's words without an adapter's note about its stack. */
export function withoutNote(words: string): string {
  return words.replace(NOTE, '');
}

function typeOf(details: Fields): string | undefined {
  const type = keptText(details['fullTypeName']) ?? keptText(details['typeName']);
  return type === undefined ? undefined : withoutNote(type);
}
