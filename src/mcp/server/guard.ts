import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The headers that are checked before a request's body is read. */
export interface Arrival {
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
 * `answered`: the door has answered the request itself. `credential`: what was shown; a connection ends when that is no
 * longer valid. `isOffered`: it is the offered key.
 */
export type Admission = Refusal | 'answered' | Admitted;

export interface Admitted {
  readonly credential: string;
  readonly isOffered?: boolean;
}

/** The keys that clients are let in with. */
export interface ClientKeys {
  readonly clients: string;
  /** The key of the server that is offered to the editor; empty where there is none. */
  readonly offered?: string;
}

/** Decides who is let in at a port, from a request's headers alone. */
export interface Door {
  enter(request: IncomingMessage, response: ServerResponse, address: ListenerAddress): Admission;
}

/** The door of the clients' port: whoever has one of the keys is let in. */
export class KeyDoor implements Door {
  /** @param keys called for each request, so that a renewed key ends the old one at once */
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
 * Why a request is refused; undefined when it may come in. The key is checked first: without it every answer is 401.
 * `Host` and `Origin` are checked as well, because a web page may make a browser on this machine send requests (DNS
 * rebinding; MCP "Streamable HTTP", security warning).
 */
export function refusalOf(arrival: Arrival, key: string, port: number): Refusal | undefined {
  if (!isKey(arrival.authorization, key))
    return {
      status: 401,
      message:
        'A key is needed: Authorization: Bearer <key>. Set up the client again: MCP in VS Code’s status bar.',
    };
  return foreignOrigin(arrival, port);
}

/** Refuses a request that comes from a web page or is meant for another host, also when it has the key. */
export function foreignOrigin(
  { host, origin }: { readonly host?: string | undefined; readonly origin?: string | undefined },
  port: number,
): Refusal | undefined {
  if (!isLoopbackHost(host, port))
    return { status: 403, message: 'This server answers on 127.0.0.1 and localhost only.' };
  if (origin !== undefined && !isLoopbackOrigin(origin))
    return { status: 403, message: 'Web pages of other origins are not answered.' };
  return undefined;
}

/** Compares in constant time, whatever the length of the text that was sent. */
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
