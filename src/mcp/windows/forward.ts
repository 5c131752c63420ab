import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { hostOf, type WindowEntry } from './registry';

/** Of one connection only (RFC 9110, 7.6.1), and what the window gets anew. */
const NOT_FORWARDED: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', 'host', 'authorization', 'origin']);

/**
 * Hands a request to another window and its answer back, both as they come: calls that wait, streams and their ends
 * pass through. The window's secret takes the place of the key.
 * @returns false when the window is gone, with nothing of the request read and nothing answered
 */
export async function forward(request: IncomingMessage, response: ServerResponse, window: WindowEntry): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { host: hostOf(window), port: window.port, path: request.url, method: request.method, agent: false, headers: { ...forwarded(request.headers), authorization: `Bearer ${window.secret}` } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, forwarded(answer.headers));
        response.flushHeaders();
        answer.pipe(response);
        // An answer that breaks off has to break off for the client, too.
        answer.on('error', () => response.destroy());
        response.once('close', () => outgoing.destroy());
        resolve(true);
      },
    );
    outgoing.once('socket', (socket) => socket.once('connect', () => request.pipe(outgoing)));
    outgoing.on('error', (error) => {
      if ('code' in error && error.code === 'ECONNREFUSED') resolve(false);
      else if (response.headersSent) response.destroy();
      else reject(error);
    });
    request.on('error', () => outgoing.destroy());
    response.once('close', () => {
      if (!response.writableFinished) outgoing.destroy();
    });
  });
}

function forwarded(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_FORWARDED.has(name)));
}
