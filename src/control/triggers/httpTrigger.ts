import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BoundedText } from './boundedText';
import { failedBy, type HttpRequest, type TriggerEnd } from './trigger';

/** The maximum numbers of headers that are kept, and of characters of each. */
const MAX_HEADERS = 30;
const MAX_OF_A_HEADER = 500;

/**
 * Sends a request and reads the whole answer, of which a bounded part is kept. It never throws. It follows no redirect
 * and does not compress, and its connection is closed at the end.
 */
export async function sendHttp(request: HttpRequest, signal: AbortSignal): Promise<TriggerEnd> {
  if (signal.aborted) return { kind: 'aborted' };
  return await new Promise((resolve) => {
    const { url, method, headers, body } = request;
    const fail = (error: unknown): void =>
      resolve(signal.aborted ? { kind: 'aborted' } : failedBy(error));
    try {
      const send = url.protocol === 'https:' ? requestHttps : requestHttp;
      const length =
        body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const sent = send(url, {
        ...{ method, signal, agent: false as const },
        headers: { ...headers, ...length },
      });
      sent.once('error', fail);
      sent.once('response', (response) => {
        sent.off('error', fail);
        // Errors after the first byte of the answer are those of the answer.
        sent.on('error', () => undefined);
        void read(response, signal).then(resolve);
      });
      sent.end(body);
    } catch (error) {
      fail(error);
    }
  });
}

async function read(response: IncomingMessage, signal: AbortSignal): Promise<TriggerEnd> {
  const body = new BoundedText();
  let isPartial = false;
  try {
    for await (const chunk of response) if (Buffer.isBuffer(chunk)) body.add(chunk);
  } catch {
    if (signal.aborted) return { kind: 'aborted' };
    isPartial = true;
  }
  const headers = Object.entries(response.headers)
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => [name, [value].flat().join(', ').slice(0, MAX_OF_A_HEADER)] as const);
  return {
    kind: 'answered',
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: body.read(),
    isPartial: isPartial || !response.complete,
  };
}
