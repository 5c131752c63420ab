import { ClientRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import {
  isProof,
  makeNonce,
  NONCE_HEADER,
  PROOF_HEADER,
  PROOF_SCHEME,
  proofOf,
  PROVE_PATH,
  type Provable,
} from './proof';

/** How long a window may be silent whose process cannot be seen. */
const SILENCE_LIMIT_MS = 5000;

/** More than a window says in its proof. */
const MOST_CHARACTERS = 2000;

/** What is known of a window's own listener. */
export interface WindowAddress {
  readonly id: string;
  readonly pid: number;
  /** IPv6's loopback, where IPv4 has none. Default: 127.0.0.1. */
  readonly host?: string;
  readonly port: number;
  readonly secret: string;
}

/**
 * Why there is no connection to a window. Whatever it is, nothing was said.
 * `refused`: nobody listens. `stranger`: who listens said something else, or hung up. `silent`: who listens says nothing.
 * `unknown`: it takes no more connections, this process has too many open files, or it was not waited for.
 */
export class NoConnection extends Error {
  constructor(readonly reason: 'refused' | 'stranger' | 'silent' | 'unknown') {
    super(`no connection to the window: ${reason}`);
    this.name = 'NoConnection';
  }
}

/** A connection to a window that has proven itself, and what proves to the window who uses it. */
export interface ProvenConnection {
  readonly socket: Socket;
  readonly authorization: string;
}

export interface ConnectionOptions {
  /** Ends the connection, whatever it has come to. */
  readonly signal?: AbortSignal | undefined;
  /** Somebody took the connection, and has not proven anything yet. */
  readonly onTaken?: () => void;
  /** How long it may say nothing. Default: as long as its process is there, because it may sleep. */
  readonly silenceLimitMs?: number;
}

export interface WindowRequest extends ConnectionOptions {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
}

/** Begins a request to a window, once it has proven that it is the window. @throws NoConnection */
export async function requestTo(
  window: WindowAddress,
  { method, path, headers, ...options }: WindowRequest,
): Promise<ClientRequest> {
  const { socket, authorization } = await openConnection(window, options);
  // In the turn in which the proof came: a connection that ends does not end unseen. Not by `http.request`: VS Code's own,
  // which looks for proxies, would open another connection, on which nobody has proven anything.
  return new ClientRequest({
    host: hostOf(window),
    port: window.port,
    method,
    path,
    headers: { ...headers, authorization },
    createConnection: () => socket,
  });
}

/** Connects to a window and lets it prove itself. @throws NoConnection */
export async function openConnection(
  window: WindowAddress,
  { signal, onTaken, silenceLimitMs }: ConnectionOptions = {},
): Promise<ProvenConnection> {
  // A socket that is connected after its end would live on.
  if (signal?.aborted === true) throw new NoConnection('unknown');
  const party = { ...window, host: hostOf(window) };
  const limitMs = silenceLimitMs ?? (isAlive(window.pid) ? undefined : SILENCE_LIMIT_MS);
  const socket = connect(party.port, party.host).setNoDelay();
  if (signal !== undefined) addAbortSignal(signal, socket);
  // What follows has listeners of its own; between them an error must not be nobody's.
  socket.on('error', () => undefined);
  const caller = makeNonce();
  socket.once('connect', () => {
    onTaken?.();
    socket.write(challengeOf(party, caller));
  });
  try {
    return {
      socket,
      authorization: `${PROOF_SCHEME} ${provenBy(await answerOn(socket, limitMs), party, caller)}`,
    };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/**
 * Whether there is no window (any more) where an entry says. Who listens hears nothing but a challenge. One that is silent
 * for so long and whose process cannot be seen is taken for gone: in another sandbox it may be asleep.
 */
export async function isGone(window: WindowAddress, silenceLimitMs: number): Promise<boolean> {
  try {
    const { socket } = await openConnection(window, { silenceLimitMs });
    socket.destroy();
    return false;
  } catch (error) {
    const reason = error instanceof NoConnection ? error.reason : 'unknown';
    return (
      reason === 'refused' || reason === 'stranger' || (reason === 'silent' && !isAlive(window.pid))
    );
  }
}

export function hostOf(window: Pick<WindowAddress, 'host'>): string {
  return window.host ?? '127.0.0.1';
}

/** Whether this person has a process with this id, which another one may have got since. Across sandboxes it says nothing. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process is no window of this person. On Windows it may be one with more rights.
    return (
      process.platform === 'win32' &&
      error instanceof Error &&
      'code' in error &&
      error.code === 'EPERM'
    );
  }
}

function challengeOf({ host, port }: Provable, nonce: string): string {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return `GET ${PROVE_PATH} HTTP/1.1\r\nhost: ${authority}\r\n${NONCE_HEADER}: ${nonce}\r\n\r\n`;
}

/** What is said on a connection up to the end of an HTTP header. @throws NoConnection */
async function answerOn(socket: Socket, limitMs: number | undefined): Promise<string> {
  return await new Promise((resolve, reject) => {
    let text = '';
    let reason: NoConnection['reason'] = 'unknown';
    // Once somebody has taken the connection, it ends because they end it, or because they are not waited for any longer.
    const taken = (): void => void (reason = 'stranger');
    const failed = ({ name, code }: NodeJS.ErrnoException): void => {
      if (code === 'ECONNREFUSED') reason = 'refused';
      else if (name === 'AbortError') reason = 'unknown';
    };
    const isLate = (): void => {
      if (reason === 'stranger') reason = 'silent';
      socket.destroy();
    };
    const limit = limitMs === undefined ? undefined : setTimeout(isLate, limitMs);
    const end = (): void => {
      clearTimeout(limit);
      socket.off('connect', taken).off('error', failed).off('data', heard).off('close', closed);
    };
    const heard = (data: Buffer): void => {
      text += data.toString('latin1');
      if (!text.includes('\r\n\r\n') && text.length <= MOST_CHARACTERS) return;
      end();
      resolve(text);
    };
    const closed = (): void => {
      end();
      reject(new NoConnection(reason));
    };
    socket.once('connect', taken).on('error', failed).on('data', heard).once('close', closed);
  });
}

/** @returns the caller's own proof @throws NoConnection where the answer is not the window's */
function provenBy(answer: string, party: Provable, caller: string): string {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const valueOf = (name: string): string | undefined => {
    const line = head
      .split('\r\n')
      .find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}: `));
    return line === undefined ? undefined : /: ([\w-]{43})$/.exec(line)?.[1];
  };
  const window = valueOf(NONCE_HEADER);
  const isWindow =
    head.startsWith('HTTP/1.1 200 ') &&
    rest.join('') === '' &&
    window !== undefined &&
    isProof(valueOf(PROOF_HEADER), proofOf('window', party, { caller, window }));
  if (!isWindow) throw new NoConnection('stranger');
  // It is closing: a request would be lost.
  if (/^connection: close\r?$/im.test(head)) throw new NoConnection('unknown');
  return proofOf('caller', party, { caller, window });
}
