import { fields, listOf, type Fields } from './protocol';
import { keptText, MOST_OF_A_TEXT } from './texts';

/** An exception as an adapter tells it. DAP "ExceptionDetails". */
export interface ExceptionDetails {
  readonly type: string;
  readonly message?: string;
  /** What caused it, the nearest cause first. */
  readonly inner?: readonly { readonly type: string; readonly message?: string }[];
}

/** Causes of causes may be many, and a faulty adapter's may go in a circle. */
const CAUSES_SHOWN = 5;

/** Reads the answer to `exceptionInfo`; undefined where it names no exception. */
export function readException(body: Fields): ExceptionDetails | undefined {
  const details = fields(body['details']);
  const id = keptText(body['exceptionId'], MOST_OF_A_TEXT);
  const named = typeOf(details);
  const told = keptText(details['message'], MOST_OF_A_TEXT) ?? keptText(body['description'], MOST_OF_A_TEXT);
  if (named === undefined && id === undefined) return undefined;
  const { type, message = told } = named !== undefined ? { type: named } : told !== undefined ? { type: id ?? '' } : inOne(id ?? '');
  const inner = causesOf(details);
  return { type, ...(message !== undefined ? { message } : {}), ...(inner.length > 0 ? { inner } : {}) };
}

function causesOf(details: Fields): { type: string; message?: string }[] {
  const causes: { type: string; message?: string }[] = [];
  const waiting = listOf(details['innerException']).slice(0, CAUSES_SHOWN);
  while (waiting.length > 0 && causes.length < CAUSES_SHOWN) {
    const cause = fields(waiting.shift());
    const message = keptText(cause['message'], MOST_OF_A_TEXT);
    causes.push({ type: typeOf(cause) ?? 'unknown', ...(message !== undefined ? { message } : {}) });
    waiting.push(...listOf(cause['innerException']).slice(0, CAUSES_SHOWN));
  }
  return causes;
}

/** js-debug's id of an error is its type and message in one, and of anything else that was thrown, its value. */
function inOne(id: string): { readonly type: string; readonly message?: string } {
  const [, type, message] = /^([\p{L}_$][\p{L}\p{N}_$.]*): (.*)$/su.exec(id) ?? [];
  if (type !== undefined && message !== undefined) return { type, message };
  return /^[\p{L}\p{N}_$.:<>]*$/u.test(id) ? { type: id } : { type: 'unknown', message: id };
}

/** debugpy puts a note of its own behind the type. */
const NOTE = /\s+\(note: .*\)$/s;

function typeOf(details: Fields): string | undefined {
  return (keptText(details['fullTypeName']) ?? keptText(details['typeName']))?.replace(NOTE, '');
}
