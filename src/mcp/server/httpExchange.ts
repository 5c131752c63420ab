import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isFields } from '../../debugger/protocol';
import { answersToTooDeep, TOO_DEEP, type ErrorAnswer } from '../shared/nesting';

const MAX_BYTES = 1024 * 1024;

/** The headers that the transport reads. Other headers, including the key, are not passed on. */
const FORWARDED_HEADERS = [
  'accept',
  'content-type',
  'mcp-session-id',
  'mcp-protocol-version',
  'last-event-id',
] as const;

/** The JSON of a request. If there are `answers`, they are sent and the request is not processed. */
export interface Body {
  readonly value: unknown;
  readonly answers: readonly ErrorAnswer[] | undefined;
}

/** Reads the JSON of a request. Undefined if the request was refused and answered. */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Body | undefined> {
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
    refuse(response, 415, 'The body must be application/json.');
    return undefined;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced <= MAX_BYTES) {
    // A request that is too long is not destroyed, because the response must still be sent.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(chunk)) continue;
      bytes += chunk.length;
      if (bytes > MAX_BYTES) break;
      chunks.push(chunk);
    }
  }
  if (announced > MAX_BYTES || bytes > MAX_BYTES) {
    refuse(response, 413, `The body is larger than ${MAX_BYTES} bytes.`, { connection: 'close' });
    // The rest of the request is read and discarded, within the time limit for requests.
    request.resume();
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (!isFields(value) && !Array.isArray(value))
      throw new SyntaxError('neither an object nor a list');
    const answers = answersToTooDeep(value);
    if (answers?.length !== 0) return { value, answers };
    refuse(response, 400, TOO_DEEP.message, {}, TOO_DEEP.code);
    return undefined;
  } catch {
    refuse(response, 400, 'The body is not a JSON-RPC message.', {}, -32700);
    return undefined;
  }
}

/** The URL of a request. Undefined if it is not valid. */
export function urlOf(request: IncomingMessage): URL | undefined {
  return URL.parse(request.url ?? '', 'http://localhost') ?? undefined;
}

/** The request in the form that the SDK's transport expects. */
export function webRequest(request: IncomingMessage): Request {
  const headers = new Headers();
  for (const name of FORWARDED_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request('http://localhost/mcp', { method: request.method ?? 'GET', headers });
}

/** Sends the transport's response. A stream is sent no faster than the client reads, until either side closes it. */
export async function sendAnswer(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) {
    response.end();
    return;
  }
  response.flushHeaders();
  // If the client disconnects, the stream ends on the transport's side as well.
  await pipeline(Readable.fromWeb(answer.body), response).catch(() => undefined);
}

/** Answers a request that no session handles with a JSON-RPC error. */
export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code = -32000,
): void {
  end(response, status, { jsonrpc: '2.0', error: { code, message }, id: null }, headers);
}

/**
 * Refuses a request without the key. Clients that then try OAuth expect RFC 6749 (5.2) and RFC 6750 (3.1), and show the
 * message.
 */
export function refuseStranger(response: ServerResponse, message: string): void {
  // The connection is closed, so that a client without the key does not use up connections.
  end(
    response,
    401,
    { error: 'invalid_token', error_description: message },
    { connection: 'close', 'www-authenticate': 'Bearer' },
  );
}

/** Sends the answers to requests that are not processed: one answer, or a list for a batch. */
export function answerAll(response: ServerResponse, { value, answers = [] }: Body): void {
  end(response, 200, Array.isArray(value) ? answers : (answers[0] ?? {}), {});
}

function end(
  response: ServerResponse,
  status: number,
  content: object,
  headers: Readonly<Record<string, string>>,
): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  const body = JSON.stringify(content);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(body);
}
