import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The headers that are checked before a request's body is read. */
export interface IncomingRequest {
  readonly authorization: string | undefined;
  readonly host: string | undefined;
  readonly origin: string | undefined;
}

export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
}

/** The address of a listener. */
export interface ListenerAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * The result of a request's authentication. `answered`: the door has answered the request itself. `credential`: the
 * credential that was sent; the connection ends when it is no longer valid. `isOffered`: the credential is the offered
 * key.
 */
export type Admission = Refusal | 'answered' | Admitted;

export interface Admitted {
  readonly credential: string;
  readonly isOffered?: boolean;
}

/** The keys that admit clients. */
export interface ClientKeys {
  readonly clients: string;
  /** The key of the server that is offered to the editor. Empty if there is none. */
  readonly offered?: string;
}

/** Authenticates the requests on a port by their headers alone. */
export interface Door {
  enter(request: IncomingMessage, response: ServerResponse, address: ListenerAddress): Admission;
}

/** The door of the clients' port. It admits requests with one of the keys. */
export class KeyDoor implements Door {
  /** @param keys called for each request, so that a renewed key invalidates the old one immediately */
  constructor(private readonly keys: () => ClientKeys) {}

  enter(
    { headers }: IncomingMessage,
    _response: ServerResponse,
    { port }: ListenerAddress,
  ): Admission {
    const { clients, offered = '' } = this.keys();
    const { authorization, host, origin } = headers;
    const isOffered = isKey(authorization, offered);
    const credential = isOffered ? offered : clients;
    return (
      refusalOf({ authorization, host, origin }, credential, port) ?? { credential, isOffered }
    );
  }
}

/**
 * The reason why a request is refused. Undefined if it is admitted. The key is checked first. Without it, every
 * response is 401. `Host` and `Origin` are checked as well, because a web page may make a browser on this machine send
 * requests (DNS rebinding; MCP "Streamable HTTP", security warning).
 */
export function refusalOf(
  arrival: IncomingRequest,
  key: string,
  port: number,
): Refusal | undefined {
  if (!isKey(arrival.authorization, key))
    return {
      status: 401,
      message:
        'A key is needed: Authorization: Bearer <key>. Set up the client again: MCP in VS Code’s status bar.',
    };
  return foreignOrigin(arrival, port);
}

/** Refuses a request from a web page or for another host, even if it has the key. */
export function foreignOrigin(
  { host, origin }: { readonly host?: string | undefined; readonly origin?: string | undefined },
  port: number,
): Refusal | undefined {
  if (!isLoopbackHost(host, port))
    return {
      status: 403,
      message: 'This server accepts requests for 127.0.0.1 and localhost only.',
    };
  if (origin !== undefined && !isLoopbackOrigin(origin))
    return { status: 403, message: 'Requests of web pages from other origins are refused.' };
  return undefined;
}

/** Compares the key in constant time for any length of the received text. */
function isKey(authorization: string | undefined, key: string): boolean {
  const sent = /^Bearer (.{1,500})$/i.exec(authorization ?? '')?.[1] ?? '';
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(sent), digest(key)) && key !== '';
}

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

function isLoopbackHost(host: string | undefined, port: number): boolean {
  const match = /^(\[[0-9a-f:]+\]|[^:]+)(?::(\d+))?$/i.exec(host ?? '');
  return (
    match?.[1] !== undefined &&
    LOOPBACK_NAMES.has(match[1].toLowerCase()) &&
    Number(match[2] ?? 80) === port
  );
}

function isLoopbackOrigin(origin: string): boolean {
  try {
    return LOOPBACK_NAMES.has(new URL(origin).hostname.toLowerCase());
  } catch {
    return false;
  }
}
