import type {
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import { requestTo, type WindowAddress } from './windowConnection';

/** Headers of one connection only (RFC 9110, 7.6.1), and those that the window gets anew. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'authorization',
  'origin',
]);

/** The prefix of headers between windows. Those of a client are not forwarded. */
export const WINDOW_HEADERS = 'agent-debugger-';

/**
 * Forwards a request to another window, and its answer to the client. Waiting calls, streams and their ends pass through.
 * The proof between windows replaces the key.
 * @param added headers between windows
 * @returns false when the window has closed; then nothing of the request was read and nothing was answered
 */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  window: WindowAddress,
  added: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const left = new AbortController();
  const leave = (): void => left.abort();
  request.once('error', leave);
  response.once('close', leave);
  const { method, url: path } = request;
  const outgoing = await requestTo(window, {
    method,
    path,
    headers: { ...forwarded(request.headers), ...added },
    signal: left.signal,
  }).catch(() => undefined);
  // Without a connection nothing was sent. A client that has gone needs no other window.
  if (outgoing === undefined) return left.signal.aborted;
  return await new Promise((resolve, reject) => {
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, forwarded(answer.headers));
      response.flushHeaders();
      answer.pipe(response);
      // When the answer breaks off, it has to break off for the client as well.
      answer.on('error', () => response.destroy());
      resolve(true);
    });
    outgoing.on('error', (error) => {
      if (response.headersSent) response.destroy();
      else reject(error);
    });
    request.pipe(outgoing);
  });
}

function forwarded(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !NOT_FORWARDED.has(name) && !name.startsWith(WINDOW_HEADERS),
    ),
  );
}
