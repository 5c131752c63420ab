import { defined } from '../../util/defined';
import { fields, listOf, type Fields } from '../protocol';
import { keptText, MAX_OF_A_TEXT } from '../texts';

/** An exception as an adapter reports it. DAP "ExceptionDetails". */
export interface ExceptionDetails {
  readonly type: string;
  readonly message?: string;
  /** The causes of the exception, nearest first. */
  readonly inner?: readonly { readonly type: string; readonly message?: string }[];
}

/** The details of an exception, and whether the adapter reports it as unhandled. */
export interface ReportedException extends ExceptionDetails {
  readonly isUnhandled?: true;
}

/** The maximum number of causes that are read. A faulty adapter may report a cycle. */
const CAUSES_SHOWN = 5;

/** Reads the response to `exceptionInfo`; undefined if it names no exception. */
export function readException(body: Fields): ReportedException | undefined {
  const details = fields(body['details']);
  const reportedId = keptText(body['exceptionId'], MAX_OF_A_TEXT);
  const id = reportedId === undefined ? undefined : withoutNote(reportedId);
  const named = typeOf(details);
  const text =
    keptText(details['message'], MAX_OF_A_TEXT) ?? keptText(body['description'], MAX_OF_A_TEXT);
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

/** The exit code of a Python program that ends with an uncaught `SystemExit`; undefined for other exceptions. */
export function exitCodeOf({
  type,
  message = '',
  isUnhandled,
}: ReportedException): number | undefined {
  if (type !== 'SystemExit' || isUnhandled !== true) return undefined;
  if (message === '' || message === 'None' || message === 'False') return 0;
  // If the argument is not a number, Python prints it and exits with 1.
  return /^-?\d{1,10}$/.test(message) ? Number(message) : 1;
}

/**
 * A stop's description or text, unless it repeats the exception.
 */
export function unlessRepeated(
  text: string | undefined,
  { type, message = '' }: ExceptionDetails,
): string | null {
  if (text === undefined) return null;
  const own = withoutNote(text);
  const isRepeated =
    `${type}: ${message}`.includes(own) || (message !== '' && own.includes(message));
  return isRepeated ? null : own;
}

function causesOf(details: Fields): { type: string; message?: string }[] {
  const causes: { type: string; message?: string }[] = [];
  const waiting = listOf(details['innerException']).slice(0, CAUSES_SHOWN);
  while (waiting.length > 0 && causes.length < CAUSES_SHOWN) {
    const cause = fields(waiting.shift());
    const message = keptText(cause['message'], MAX_OF_A_TEXT);
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

/** The separator between the exceptions of a Python traceback. The outermost exception is the last one. */
const NEXT_IN_TRACE =
  /\n\n(?:The above exception was the direct cause of the following exception|During handling of the above exception, another exception occurred):\n\n/;

/**
 * The causes in a traceback. debugpy reports them only there. Each part before a separator ends with the type and
 * message.
 */
function causesInTrace(trace: unknown): { type: string; message?: string }[] {
  const causes = (keptText(trace, MAX_OF_A_TEXT) ?? '').split(NEXT_IN_TRACE).slice(0, -1).reverse();
  return causes.slice(0, CAUSES_SHOWN).map((cause) => {
    const lines = cause.trimEnd().split('\n');
    // Frames and their source lines are indented.
    return inOne(lines.slice(lines.findLastIndex((line) => line.startsWith('  ')) + 1).join('\n'));
  });
}

/**
 * Splits js-debug's id of an exception into the type and message of an error. If a value that is not an error was
 * thrown, the id is that value.
 */
function inOne(id: string): { readonly type: string; readonly message?: string } {
  const [, type, message] =
    /^([\p{L}_$][\p{L}\p{N}_$.]*(?: \[[A-Z\d_]+\])?): (.*)$/su.exec(id) ?? [];
  if (type !== undefined && message !== undefined) return { type, message };
  return /^[\p{L}\p{N}_$.:<>]*$/u.test(id) ? { type: id } : { type: 'unknown', message: id };
}

/** The note that debugpy appends to the exception type. It names the current frame, which the stack also shows. */
const NOTE = '(note: full exception trace is shown ';

/** An exception's text without an adapter's note about its stack. */
export function withoutNote(text: string): string {
  const at = text.indexOf(NOTE);
  return at > 0 && text.endsWith(')') ? text.slice(0, at).trimEnd() : text;
}

function typeOf(details: Fields): string | undefined {
  const type = keptText(details['fullTypeName']) ?? keptText(details['typeName']);
  return type === undefined ? undefined : withoutNote(type);
}
