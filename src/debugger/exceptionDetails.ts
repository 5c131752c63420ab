import { fields, listOf, textOf, type Fields } from './protocol';

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
  const type = typeOf(details) ?? textOf(body['exceptionId']);
  if (type === undefined) return undefined;
  const message = textOf(details['message']) ?? textOf(body['description']);
  const inner = causesOf(details);
  return { type, ...(message !== undefined ? { message } : {}), ...(inner.length > 0 ? { inner } : {}) };
}

function causesOf(details: Fields): { type: string; message?: string }[] {
  const causes: { type: string; message?: string }[] = [];
  const waiting = [...listOf(details['innerException'])];
  while (waiting.length > 0 && causes.length < CAUSES_SHOWN) {
    const cause = fields(waiting.shift());
    const message = textOf(cause['message']);
    causes.push({ type: typeOf(cause) ?? 'unknown', ...(message !== undefined ? { message } : {}) });
    waiting.push(...listOf(cause['innerException']));
  }
  return causes;
}

function typeOf(details: Fields): string | undefined {
  return textOf(details['fullTypeName']) ?? textOf(details['typeName']);
}
