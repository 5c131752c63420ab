import type {
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import { requestTo, type WindowAddress } from './windowConnection';

/** Headers that apply to one connection only (RFC 9110, 7.6.1), and headers that are set again for the window. */
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

/** The prefix of headers between windows. Such headers of clients are not forwarded. */
export const WINDOW_HEADERS = 'agent-debugger-';

/**
 * Forwards a request to another window, and its response to the client, including waiting calls, streams and their
 * ends. The proof between windows replaces the key.
 * @param added headers between windows
 * @returns false if the window has closed. In that case the request was not read and nothing was sent
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
  // Without a connection, nothing was sent. If the client has disconnected, no other window is needed.
  if (outgoing === undefined) return left.signal.aborted;
  return await new Promise((resolve, reject) => {
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, forwarded(answer.headers));
      response.flushHeaders();
      answer.pipe(response);
      // If the response breaks off, it must break off for the client as well.
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
