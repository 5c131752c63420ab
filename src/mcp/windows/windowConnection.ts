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

/** The time that a window may be silent if its process is not visible, in milliseconds. */
const SILENCE_LIMIT_MS = 5000;

/** The maximum length of an answer. It is longer than any proof. */
const MAX_CHARACTERS = 2000;

/** The address of a window's own port. */
export interface WindowAddress {
  readonly id: string;
  readonly pid: number;
  /** The loopback address of IPv6, if there is none of IPv4. Default: 127.0.0.1. */
  readonly host?: string;
  readonly port: number;
  readonly secret: string;
}

/**
 * The reason why there is no connection to a window. In all cases, only the challenge was sent to it.
 * `refused`: no program listens. `stranger`: the listener sent a wrong answer or disconnected. `silent`: it sent no
 * answer. `unknown`: it accepts no more connections, this process has too many open files, or the wait was aborted.
 */
export class NoConnection extends Error {
  constructor(readonly reason: 'refused' | 'stranger' | 'silent' | 'unknown') {
    super(`no connection to the window: ${reason}`);
    this.name = 'NoConnection';
  }
}

/** A connection to a window that has authenticated itself, and the caller's proof for the window. */
export interface ProvenConnection {
  readonly socket: Socket;
  readonly authorization: string;
}

export interface ConnectionOptions {
  /** Ends the connection at any stage. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the connection was accepted, but neither side has authenticated itself yet. */
  readonly onConnected?: () => void;
  /**
   * The time that the window may be silent, in milliseconds. Default: as long as its process exists, because it may be
   * suspended.
   */
  readonly silenceLimitMs?: number;
}

export interface WindowRequest extends ConnectionOptions {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
}

/** Begins a request to a window that has authenticated itself. @throws NoConnection */
export async function requestTo(
  window: WindowAddress,
  { method, path, headers, ...options }: WindowRequest,
): Promise<ClientRequest> {
  const { socket, authorization } = await openConnection(window, options);
  // The request is created in the same turn in which the proof arrived, so that the end of the connection is noticed.
  // `http.request` is not used, because VS Code replaces it by a function that resolves proxies and opens another
  // connection, which is not authenticated.
  return new ClientRequest({
    host: hostOf(window),
    port: window.port,
    method,
    path,
    headers: { ...headers, authorization },
    createConnection: () => socket,
  });
}

/** Connects to a window, which must authenticate itself. @throws NoConnection */
export async function openConnection(
  window: WindowAddress,
  { signal, onConnected, silenceLimitMs }: ConnectionOptions = {},
): Promise<ProvenConnection> {
  // A socket that is connected after the abort would stay open.
  if (signal?.aborted === true) throw new NoConnection('unknown');
  const party = { ...window, host: hostOf(window) };
  const limitMs = silenceLimitMs ?? (isAlive(window.pid) ? undefined : SILENCE_LIMIT_MS);
  const socket = connect(party.port, party.host).setNoDelay();
  if (signal !== undefined) addAbortSignal(signal, socket);
  // The code below has its own error listeners, but an error between them must not be unhandled.
  socket.on('error', () => undefined);
  const caller = makeNonce();
  socket.once('connect', () => {
    onConnected?.();
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
 * Whether the window of an entry has ended. The listener on its port receives only a challenge. A window that is silent
 * for the given time counts as ended if its process is not visible.
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

/**
 * Whether this person has a process with this id. It may be a different process than before, and processes in other
 * sandboxes are not visible.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: another user's process; on Windows also a process of this person with more rights.
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

/** Reads up to the end of an HTTP header. @throws NoConnection */
async function answerOn(socket: Socket, limitMs: number | undefined): Promise<string> {
  return await new Promise((resolve, reject) => {
    let text = '';
    let reason: NoConnection['reason'] = 'unknown';
    const onConnect = (): void => {
      // From now on, the connection ends because the listener ends it or the wait has ended.
      reason = 'stranger';
    };
    const onError = ({ name, code }: NodeJS.ErrnoException): void => {
      if (code === 'ECONNREFUSED') reason = 'refused';
      else if (name === 'AbortError') reason = 'unknown';
    };
    const onTimeout = (): void => {
      if (reason === 'stranger') reason = 'silent';
      socket.destroy();
    };
    const onData = (data: Buffer): void => {
      text += data.toString('latin1');
      if (!text.includes('\r\n\r\n') && text.length <= MAX_CHARACTERS) return;
      stopListening();
      resolve(text);
    };
    const onClose = (): void => {
      stopListening();
      reject(new NoConnection(reason));
    };
    const timer = limitMs === undefined ? undefined : setTimeout(onTimeout, limitMs);
    const stopListening = (): void => {
      clearTimeout(timer);
      socket.off('connect', onConnect).off('error', onError);
      socket.off('data', onData).off('close', onClose);
    };
    socket.once('connect', onConnect).on('error', onError);
    socket.on('data', onData).once('close', onClose);
  });
}

/** @returns the caller's own proof @throws NoConnection if the answer is not from the window */
function provenBy(answer: string, party: Provable, caller: string): string {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const valueOf = (name: string): string | undefined => {
    const line = head
      .split('\r\n')
      .find((header) => header.toLowerCase().startsWith(`${name.toLowerCase()}: `));
    return line === undefined ? undefined : /: ([\w-]{43})$/.exec(line)?.[1];
  };
  const window = valueOf(NONCE_HEADER);
  const isWindow =
    head.startsWith('HTTP/1.1 200 ') &&
    rest.join('') === '' &&
    window !== undefined &&
    isProof(valueOf(PROOF_HEADER), proofOf('window', party, { caller, window }));
  if (!isWindow) throw new NoConnection('stranger');
  // If the window is closing, a request would be lost.
  if (/^connection: close\r?$/im.test(head)) throw new NoConnection('unknown');
  return proofOf('caller', party, { caller, window });
}
