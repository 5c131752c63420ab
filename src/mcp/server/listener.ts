import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Connections } from './connections';
import type { ListenerAddress } from './guard';

/** Where clients reach Streamable HTTP. */
export const MCP_PATH = '/mcp';

/** How long a request may take to arrive. A call may wait long for its answer. */
const ARRIVAL_MS = 15_000;

/**
 * How long a connection stays open between two calls. Node's 5 s are about as long as a model thinks: a call that is
 * sent while the connection is being closed fails at the client ("other side closed").
 */
const IDLE_MS = 30_000;

const MAX_HEADER_BYTES = 16 * 1024;

/** IPv4's loopback; IPv6's where a machine has no other. */
const LOOPBACK = ['127.0.0.1', '::1'] as const;

/** One port on loopback. */
export interface HttpListener extends ListenerAddress {
  /** Accepts no more connections; open ones go on until they end. */
  close(): void;
  /** Ends connections that were opened with another credential than these. New ones are still accepted. */
  cut(valid: readonly string[]): void;
  /** Ends open connections as well. */
  closeNow(): Promise<void>;
  /** Resolves when the listener and all its connections are closed. */
  readonly ended: Promise<void>;
}

export interface ListenerOptions {
  readonly port: number;
  /** Default: the loopback addresses, of which the first that the machine has is used. */
  readonly hosts?: readonly string[] | undefined;
  readonly arrivalMs?: number | undefined;
}

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** An open port, and the server that its requests come from. */
export interface OpenPort {
  readonly listener: HttpListener;
  readonly connections: Connections;
  /** Sets what answers requests. */
  readonly serve: (handle: RequestListener) => void;
  /**
   * Sets what answers requests for a WebSocket; with undefined, they are ordinary requests. Java's HTTP client offers
   * HTTP/2 with its first request (`Upgrade: h2c`). Node before 24.9 takes no such request as an ordinary one while there
   * is a handler, so there is one only while it is needed.
   */
  readonly upgrade: (handle: UpgradeHandler | undefined) => void;
}

/** Listens on loopback. @throws NodeJS.ErrnoException `EADDRINUSE`, `EACCES` */
export async function openPort({
  port,
  hosts = LOOPBACK,
  arrivalMs = ARRIVAL_MS,
}: ListenerOptions): Promise<OpenPort> {
  let upgrades: UpgradeHandler | undefined;
  const server = createServer({
    ...onlyWebSockets(() => upgrades !== undefined),
    connectionsCheckingInterval: Math.min(5000, arrivalMs),
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false,
  });
  const connections = new Connections();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    answerUnreadable(error, socket, connections.hasShownKey(socket)),
  );
  server.on('connection', (socket) => connections.arrived(socket));
  server.headersTimeout = arrivalMs;
  server.requestTimeout = arrivalMs;
  server.keepAliveTimeout = IDLE_MS;
  const host = await listenOnFirst(server, port, hosts);
  return {
    listener: listenerOf(server, host, port, connections),
    connections,
    serve: (handle) => {
      server.on('request', handle);
      // Without these two, Node answers "100 Continue" or 417 to requests without the key.
      server.on('checkContinue', handle);
      server.on('checkExpectation', handle);
    },
    upgrade: (handle) => {
      upgrades = handle;
      server.removeAllListeners('upgrade');
      if (handle !== undefined) server.on('upgrade', handle);
    },
  };
}

/** Node 24.9: a request that asks for something else than a WebSocket, or while nobody answers those, is an ordinary one. */
function onlyWebSockets(areAnswered: () => boolean) {
  return {
    shouldUpgradeCallback: ({ headers }: IncomingMessage) =>
      areAnswered() && headers.upgrade?.toLowerCase() === 'websocket',
  };
}

function listenerOf(
  server: Server,
  host: string,
  requestedPort: number,
  connections: Connections,
): HttpListener {
  const address = server.address();
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
  return {
    host,
    port: typeof address === 'object' && address !== null ? address.port : requestedPort,
    ended,
    close: () => {
      server.close();
      server.closeIdleConnections();
    },
    cut: (valid) => connections.cut(valid),
    closeNow: async () => {
      server.close();
      server.closeAllConnections();
      await ended;
    },
  };
}

/** The URL under which clients reach a listener. */
export function urlOfListener({ host, port }: Pick<HttpListener, 'host' | 'port'>): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}${MCP_PATH}`;
}

/** Answers what is not HTTP, too large or too slow. A connection that has not shown the key gets no answer. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex, isKnown: boolean): void {
  if (!isKnown || !socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  socket.end(`HTTP/1.1 ${statusOf(error)}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
}

function statusOf({ code }: NodeJS.ErrnoException): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return '408 Request Timeout';
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large';
  return '400 Bad Request';
}

/** @returns the first of the hosts that the machine has; the server listens there now */
async function listenOnFirst(
  server: Server,
  port: number,
  hosts: readonly string[],
): Promise<string> {
  for (const host of hosts) {
    try {
      await listen(server, port, host);
      return host;
    } catch (error) {
      if (!isMissingAddress(error) || host === hosts.at(-1)) throw error;
    }
  }
  throw new Error('no address to listen on');
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      // An error of one connection that is being accepted does not end the server.
      server.on('error', () => undefined);
      resolve();
    });
  });
}

/** Whether the machine has no such address. */
function isMissingAddress(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT')
  );
}
