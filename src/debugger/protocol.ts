/**
 * Reading messages of the Debug Adapter Protocol that nobody has checked: an adapter may send anything.
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

/** Requests that let a stopped program go on. DAP "continue", "next", … */
export const RESUMES: ReadonlySet<string> = new Set(['continue', 'next', 'stepIn', 'stepOut', 'stepBack', 'reverseContinue', 'goto', 'restartFrame', 'restart']);

const NOTHING: Fields = Object.freeze({});

/** The value as an object; an empty one when it is none. */
export function fields(value: unknown): Fields {
  return isFields(value) ? value : NOTHING;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A count or an index: whole and not negative; undefined for nonsense. */
export function countOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
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

/** The message, or undefined where it is none. Never throws. */
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
      return {
        type: 'response',
        requestSeq,
        command: textOf(message['command']) ?? '',
        success: message['success'] === true,
        message: failureWords(message),
        body: fields(message['body']),
      };
    }
    case 'event': {
      const event = textOf(message['event']);
      return event === undefined ? undefined : { type: 'event', event, body: fields(message['body']) };
    }
    default:
      return undefined;
  }
}

/** What a failed response says: the formatted `body.error` where there is one, else its short `message`. DAP "ErrorResponse". */
function failureWords(message: Fields): string | undefined {
  const error = fields(fields(message['body'])['error']);
  const format = textOf(error['format']);
  if (format === undefined || format === '') return textOf(message['message']);
  const variables = fields(error['variables']);
  return format.replace(/\{([^{}]+)\}/g, (whole, name: string) => textOf(variables[name]) ?? whole);
}
