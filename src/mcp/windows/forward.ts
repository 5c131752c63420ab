import type {
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import { requestTo, type WindowAddress } from './windowConnection';

/** Of one connection only (RFC 9110, 7.6.1), and what the window gets anew. */
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

/** What windows say to each other in headers. A client's are not theirs. */
export const OF_WINDOWS = 'agent-debugger-';

/**
 * Hands a request to another window and its answer back, both as they come: calls that wait, streams and their ends
 * pass through. The proof between windows takes the place of the key.
 * @returns false when the window is gone, with nothing of the request read and nothing answered
 */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  window: WindowAddress,
): Promise<boolean> {
  const left = new AbortController();
  const leave = (): void => left.abort();
  request.once('error', leave);
  response.once('close', leave);
  const { method, url: path } = request;
  const outgoing = await requestTo(window, {
    method,
    path,
    headers: forwarded(request.headers),
    signal: left.signal,
  }).catch(() => undefined);
  // Without a connection nothing was said. A client that has gone needs no other window.
  if (outgoing === undefined) return left.signal.aborted;
  return await new Promise((resolve, reject) => {
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, forwarded(answer.headers));
      response.flushHeaders();
      answer.pipe(response);
      // An answer that breaks off has to break off for the client, too.
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
      ([name]) => !NOT_FORWARDED.has(name) && !name.startsWith(OF_WINDOWS),
    ),
  );
}
