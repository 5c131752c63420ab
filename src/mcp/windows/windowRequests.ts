import type { IncomingMessage, ServerResponse } from 'node:http';
import { ATTEND_PATH, YIELD_PATH } from './attendance';
import type { PublicPort } from './publicPort';
import type { WindowEntry } from './registry';
import { requestTo } from './windowConnection';
import { timeLimit } from '../../util/timeLimit';

const SESSION_PATH = '/session';
const KEY_PATH = '/key';

/**
 * The time limit for the response to a notice, in milliseconds. A window that does not respond in time reads the new
 * key from its file at its next request.
 */
const NOTICE_LIMIT_MS = 1000;

/**
 * The time limit for the response to the question about a session, in milliseconds. A busy window may take seconds. If
 * it is not waited for, its client loses its window.
 */
const OWNER_LIMIT_MS = 10_000;

export interface WindowRequestOptions {
  readonly port: PublicPort;
  readonly hasSession: (id: string) => boolean;
  /** Called when another window has renewed the clients' key. */
  readonly onKeyRenewed: () => Promise<void>;
}

/** Handles a request of another window about the port, the key or a session. @returns whether it was such a request */
export async function handleWindowRequest(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { port, hasSession, onKeyRenewed }: WindowRequestOptions,
): Promise<boolean> {
  const requestedPort = Number(url.searchParams.get('port'));
  const isPost = request.method === 'POST';
  if (url.pathname === ATTEND_PATH) await port.attend(requestedPort, response);
  else if (url.pathname === YIELD_PATH && isPost)
    await port.yield(requestedPort, request, response);
  else if (url.pathname === KEY_PATH && isPost) {
    await onKeyRenewed();
    response.writeHead(204).end();
  } else if (url.pathname === SESSION_PATH) {
    const isHere = hasSession(url.searchParams.get('id') ?? '');
    response.writeHead(isHere ? 200 : 404).end();
  } else return false;
  request.resume();
  return true;
}

/** Notifies windows that the clients' key was renewed, so that the old key becomes invalid immediately. */
export async function announceKey(windows: readonly WindowEntry[]): Promise<void> {
  await Promise.all(
    windows.map((window) =>
      statusOf(window, 'POST', KEY_PATH, AbortSignal.timeout(NOTICE_LIMIT_MS)),
    ),
  );
}

/** Asks all windows which one has a session. Does not wait for the others after one of them has confirmed it. */
export async function findOwner(
  windows: readonly WindowEntry[],
  id: string,
  limitMs = OWNER_LIMIT_MS,
): Promise<WindowEntry | undefined> {
  const path = `${SESSION_PATH}?id=${encodeURIComponent(id)}`;
  const found = new AbortController();
  const signal = AbortSignal.any([found.signal, timeLimit(limitMs)]);
  const confirmed = windows.map(async (window) => {
    const status = await statusOf(window, 'GET', path, signal);
    if (status !== 200) throw new Error('the window does not have the session');
    return window;
  });
  const owner = await Promise.any(confirmed).catch(() => undefined);
  found.abort();
  return owner;
}

/** The status of a window's response. Undefined if it does not respond. */
async function statusOf(
  window: WindowEntry,
  method: string,
  path: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    const outgoing = await requestTo(window, { method, path, signal });
    return await new Promise((resolve) => {
      outgoing.once('response', (response) => {
        response.on('error', () => undefined).resume();
        resolve(response.statusCode);
      });
      outgoing.on('error', () => resolve(undefined));
      outgoing.end();
    });
  } catch {
    return undefined;
  }
}
