import { keptText, MAX_OF_A_TEXT } from './texts';

/**
 * Reads unchecked messages of the Debug Adapter Protocol. An adapter may send anything.
 * Source: Debug Adapter Protocol, "Base Protocol".
 */

export interface RequestMessage {
  readonly type: 'request';
  readonly seq: number;
  readonly command: string;
  readonly arguments: Fields;
}

export interface ResponseMessage {
  readonly type: 'response';
  readonly requestSeq: number;
  readonly command: string;
  readonly success: boolean;
  /** The error message of a failed response. */
  readonly message: string | undefined;
  readonly body: Fields;
}

export interface EventMessage {
  readonly type: 'event';
  readonly event: string;
  readonly body: Fields;
}

export type ProtocolMessage = RequestMessage | ResponseMessage | EventMessage;

/** An object whose properties have not been checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** Requests that resume a stopped program. DAP "continue", "next", … */
export const RESUMES: ReadonlySet<string> = new Set([
  'continue',
  'next',
  'stepIn',
  'stepOut',
  'stepBack',
  'reverseContinue',
  'goto',
  'restartFrame',
  'restart',
]);

const NOTHING: Fields = Object.freeze({});

/** The value as an object; an empty object if the value is not an object. */
export function fields(value: unknown): Fields {
  return isFields(value) ? value : NOTHING;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** An id or an exit code: a safe integer. Undefined for anything else. */
export function wholeOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** A count or an index: a safe integer that is not negative. Undefined for anything else. */
export function countOf(value: unknown): number | undefined {
  const number = wholeOf(value);
  return number !== undefined && number >= 0 ? number : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function flagOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Reads a message; undefined if the value is not a message. Never throws. A message is never changed in place. */
export function readMessage(value: unknown): ProtocolMessage | undefined {
  const message = fields(value);
  switch (message['type']) {
    case 'request': {
      const seq = numberOf(message['seq']);
      const command = textOf(message['command']);
      if (seq === undefined || command === undefined) return undefined;
      return { type: 'request', seq, command, arguments: fields(message['arguments']) };
    }
    case 'response': {
      const requestSeq = numberOf(message['request_seq']);
      if (requestSeq === undefined) return undefined;
      const success = message['success'] === true;
      return {
        type: 'response',
        requestSeq,
        command: textOf(message['command']) ?? '',
        success,
        message: success ? undefined : failureMessage(message),
        body: fields(message['body']),
      };
    }
    case 'event': {
      const event = textOf(message['event']);
      return event === undefined
        ? undefined
        : { type: 'event', event, body: fields(message['body']) };
    }
    default:
      return undefined;
  }
}

/**
 * The error message of a failed response: the formatted `body.error` if present, otherwise the short `message`. DAP
 * "ErrorResponse".
 */
function failureMessage(message: Fields): string | undefined {
  const error = fields(fields(message['body'])['error']);
  const format = keptText(error['format'], MAX_OF_A_MESSAGE);
  if (format === undefined || format === '') return keptText(message['message'], MAX_OF_A_MESSAGE);
  const variables = fields(error['variables']);
  // A malicious format string may name a long variable many times.
  let room = MAX_OF_A_TEXT;
  const text = format.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = room > 0 ? (keptText(variables[name], room) ?? whole) : whole;
    room -= value.length;
    return value;
  });
  return keptText(text, MAX_OF_A_MESSAGE);
}

/** The maximum length of an adapter's error message. */
const MAX_OF_A_MESSAGE = 10_000;
