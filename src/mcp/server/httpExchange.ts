import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isFields } from '../../debugger/protocol';
import { answersToTooDeep, TOO_DEEP, type ErrorAnswer } from '../shared/nesting';

const MAX_BYTES = 1024 * 1024;

/** Headers that the transport reads. The others, the key among them, are not handed on. */
const FORWARDED_HEADERS = [
  'accept',
  'content-type',
  'mcp-session-id',
  'mcp-protocol-version',
  'last-event-id',
] as const;

/** The JSON of a request. With `answers`, the request is answered with those and not worked on. */
export interface Body {
  readonly value: unknown;
  readonly answers: readonly ErrorAnswer[] | undefined;
}

/** Reads the JSON of a request; undefined when the request was refused and answered. */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Body | undefined> {
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
    refuse(response, 415, 'The body has to be application/json.');
    return undefined;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced <= MAX_BYTES) {
    // The request is not destroyed when it is too long: the answer still has to get through.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(chunk)) continue;
      bytes += chunk.length;
      if (bytes > MAX_BYTES) break;
      chunks.push(chunk);
    }
  }
  if (announced > MAX_BYTES || bytes > MAX_BYTES) {
    refuse(response, 413, `The body is larger than ${MAX_BYTES} bytes.`, { connection: 'close' });
    // The rest is read and dropped, for as long as a request may take to arrive.
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
    refuse(response, 400, 'The body is no JSON-RPC message.', {}, -32700);
    return undefined;
  }
}

/** The URL of a request; undefined where it is not valid. */
export function urlOf(request: IncomingMessage): URL | undefined {
  return URL.parse(request.url ?? '', 'http://localhost') ?? undefined;
}

/** The request in the form that the SDK's transport takes. */
export function webRequest(request: IncomingMessage): Request {
  const headers = new Headers();
  for (const name of FORWARDED_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request('http://localhost/mcp', { method: request.method ?? 'GET', headers });
}

/** Sends the transport's answer. A stream goes on while both sides keep it open, no faster than the client reads. */
export async function sendAnswer(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) {
    response.end();
    return;
  }
  response.flushHeaders();
  // A client that goes away ends the stream on the transport's side as well.
  await pipeline(Readable.fromWeb(answer.body), response).catch(() => undefined);
}

/** Answers a request that no session has taken with a JSON-RPC error. */
export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code = -32000,
): void {
  end(response, status, { jsonrpc: '2.0', error: { code, message }, id: null }, headers);
}

/** Refuses a request without the key. Clients that then try OAuth read the answer by RFC 6749 (5.2) and RFC 6750 (3.1), and show its message. */
export function refuseStranger(response: ServerResponse, message: string): void {
  // Closed, so that a client without the key holds no connection that another one needs.
  end(
    response,
    401,
    { error: 'invalid_token', error_description: message },
    { connection: 'close', 'www-authenticate': 'Bearer' },
  );
}

/** Sends the answers to requests that are not worked on: one, or a list of them. */
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
