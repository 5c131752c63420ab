import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Connections } from './connections';
import type { ListenerAddress } from './guard';

/** The path of Streamable HTTP. */
export const MCP_PATH = '/mcp';

/** The time that a request may take to arrive. Its response may take longer. */
const ARRIVAL_MS = 15_000;

/**
 * The time for which a connection stays open between two calls. Node's default of 5 s is about as long as a model's
 * response takes, and a call that is sent while the connection is being closed fails in the client ("other side
 * closed").
 */
const IDLE_MS = 30_000;

const MAX_HEADER_BYTES = 16 * 1024;

/** The loopback address of IPv4, or of IPv6 if the machine has no other. */
const LOOPBACK = ['127.0.0.1', '::1'] as const;

/** One port on loopback. */
export interface HttpListener extends ListenerAddress {
  /** Stops accepting connections. Open connections continue until they end. */
  close(): void;
  /** Like `close`, but new connections are accepted until the last connection of a client has ended. */
  retire(): void;
  /** Takes back `retire`. Returns false if the listener is closed already. */
  resume(): boolean;
  /** Ends connections whose credential is not one of the valid ones. New connections are still accepted. */
  cut(valid: readonly string[]): void;
  /** Like `close`, but also ends open connections. */
  closeNow(): Promise<void>;
  /** Resolves when the listener and all its connections are closed. */
  readonly ended: Promise<void>;
}

export interface ListenerOptions {
  readonly port: number;
  /** The first of these addresses that the machine has is used. Default: the loopback addresses. */
  readonly hosts?: readonly string[] | undefined;
  readonly arrivalMs?: number | undefined;
}

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** An open port, and its handlers. */
export interface OpenPort {
  readonly listener: HttpListener;
  readonly connections: Connections;
  /** Sets the handler of requests. */
  readonly serve: (handle: RequestListener) => void;
  /**
   * Sets the handler of WebSocket requests. If it is undefined, they are handled as ordinary requests. Java's HTTP
   * client offers HTTP/2 in its first request (`Upgrade: h2c`). While a handler is set, Node before 24.9 does not treat
   * such a request as an ordinary one, so a handler is set only while it is needed.
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
      // Without these two handlers, Node answers requests without the key with "100 Continue" or 417.
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

/** Since Node 24.9: treats upgrade requests as ordinary ones unless they are for a WebSocket and a handler is set. */
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
  const close = (): void => {
    server.close();
    server.closeIdleConnections();
  };
  return {
    host,
    port: typeof address === 'object' && address !== null ? address.port : requestedPort,
    ended,
    close,
    retire: () => {
      connections.onDidLeave = () => {
        if (!connections.isUsed) close();
      };
      connections.onDidLeave();
    },
    resume: () => {
      connections.onDidLeave = () => undefined;
      return server.listening;
    },
    cut: (valid) => connections.cut(valid),
    closeNow: async () => {
      server.close();
      server.closeAllConnections();
      await ended;
    },
  };
}

/** The URL of a listener for clients. */
export function urlOfListener({ host, port }: Pick<HttpListener, 'host' | 'port'>): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}${MCP_PATH}`;
}

/**
 * Answers requests that are not HTTP, too large or too slow. A connection that has not shown the key gets no response.
 */
function answerUnreadable(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  hasShownKey: boolean,
): void {
  if (!hasShownKey || !socket.writable || error.code === 'ECONNRESET') {
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

/** Listens on the first of the hosts that the machine has. @returns that host */
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
      // An error while accepting one connection does not end the server.
      server.on('error', () => undefined);
      resolve();
    });
  });
}

/** Whether the error means that the machine has no such address. */
function isMissingAddress(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT')
  );
}
