import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { ToolServices } from '../../tools/services';
import { Clients, type ClientsOptions, type Refused } from './clientSessions';
import { serverFor } from './clientServer';
import { Connections } from './connections';
import { DebuggerNews } from './debuggerEvents';
import { KeyDoor, type Door, type ListenerAddress } from './guard';
import {
  addressOf,
  answerAll,
  readBody,
  refuse,
  refuseStranger,
  sendAnswer,
  webRequest,
} from './httpExchange';
import type { McpOptions } from './mcpOptions';

/** Where Streamable HTTP is; and the older transport's stream, and where its clients post to. */
export const MCP_PATH = '/mcp';
const SSE_PATH = '/sse';
const MESSAGES_PATH = '/messages';

/** How long a request may take to arrive. A call may wait long for its answer. */
const ARRIVAL_MS = 15_000;
/**
 * How long a connection stays open between two calls. Node's 5 s are about as long as a model thinks: a call that is sent
 * while the connection is being closed fails at the client ("other side closed").
 */
const IDLE_MS = 30_000;
const MOST_HEADER_BYTES = 16 * 1024;
/** Requests that may come at once, and how many a second after that. */
const BURST = 200;
const PER_SECOND = 50;

/** IPv4's loopback; where a machine has none, IPv6's. */
const LOOPBACK = ['127.0.0.1', '::1'] as const;

export interface HttpServerOptions extends McpOptions {
  /** Asked for each request: a key that was renewed lets nobody in with the old one. */
  readonly key: () => string;
  readonly onDidChangeClients: () => void;
  /** Takes what is another window's, or no client's, before anything but the headers is read. */
  readonly route?: (
    request: IncomingMessage,
    response: ServerResponse,
    listener: Listener,
  ) => Promise<boolean>;
  /** The id of the session that a request begins. Default: one that names no window. */
  readonly sessionId?: ClientsOptions['sessionId'];
  /** What stands between a client and its server object. Default: nothing. */
  readonly connection?: ClientsOptions['connection'];
  /** For tests, which do not wait as long. */
  readonly arrivalMilliseconds?: number;
  readonly stillMilliseconds?: number;
  readonly loopback?: readonly string[];
}

/** One port on loopback. */
export interface Listener extends ListenerAddress {
  /** Takes no more connections; those that are open go on until they end. */
  close(): void;
  /** Ends those that were opened with another credential than this, and goes on taking new ones. */
  cut(key: string): void;
  /** Ends the open ones, too. */
  closeNow(): Promise<void>;
}

/** MCP over HTTP on loopback. Many clients at once, each with a session of its own, one debugger for all. */
export class McpHttpServer {
  private readonly clientsOf: Clients;
  private readonly listeners = new Set<Listener>();
  private first: Listener | undefined;
  private readonly news: DebuggerNews;
  private allowance = BURST;
  private refilledAt = performance.now();

  constructor(
    services: ToolServices,
    private readonly options: HttpServerOptions,
  ) {
    this.news = new DebuggerNews(services);
    this.clientsOf = new Clients({
      ...options,
      serve: () => serverFor(services, options, this.news),
      onDidChange: options.onDidChangeClients,
    });
  }

  /** How many sessions there are; of clients that went without a word, too. */
  get clients(): number {
    return this.clientsOf.count;
  }

  /** The sessions of clients that are there, as far as can be told. */
  get present(): readonly string[] {
    return this.clientsOf.present;
  }

  /** Whether a session with this id is here. */
  has(sessionId: string): boolean {
    return this.clientsOf.has(sessionId);
  }

  /** Where clients find the port that `listen` opened. */
  get url(): string {
    return this.first === undefined ? '' : addressOfListener(this.first);
  }

  /** Listens on loopback only, for those who have the clients' key. @returns the port. @throws NodeJS.ErrnoException `EADDRINUSE`, `EACCES` */
  async listen(port: number): Promise<number> {
    this.first = await this.open(port, new KeyDoor(this.options.key));
    return this.first.port;
  }

  /** One more port, for whoever its door lets in. @throws NodeJS.ErrnoException `EADDRINUSE`, `EACCES` */
  async open(port: number, door: Door): Promise<Listener> {
    const arrivalMs = this.options.arrivalMilliseconds ?? ARRIVAL_MS;
    const http = createServer({
      connectionsCheckingInterval: Math.min(5000, arrivalMs),
      maxHeaderSize: MOST_HEADER_BYTES,
      requireHostHeader: false,
    });
    const connections = new Connections();
    http.on('clientError', (error: NodeJS.ErrnoException, socket) =>
      broken(error, socket, connections.hasShownKey(socket)),
    );
    http.on('connection', (socket) => connections.arrived(socket));
    http.headersTimeout = arrivalMs;
    http.requestTimeout = arrivalMs;
    http.keepAliveTimeout = IDLE_MS;
    const host = await listening(http, port, this.options.loopback ?? LOOPBACK);
    const listener = this.listenerOf(http, host, port, connections);
    const handle = (request: IncomingMessage, response: ServerResponse): void => {
      this.handle(request, response, listener, door, connections).catch(() =>
        refuse(response, 500, 'Something went wrong.'),
      );
    };
    http.on('request', handle);
    // Without these, Node answers "100 Continue" or 417 before anybody has shown a key.
    http.on('checkContinue', handle);
    http.on('checkExpectation', handle);
    return listener;
  }

  private listenerOf(
    http: HttpServer,
    host: string,
    port: number,
    connections: Connections,
  ): Listener {
    const address = http.address();
    const ended = new Promise<void>((resolve) => http.once('close', () => resolve()));
    const listener: Listener = {
      host,
      port: typeof address === 'object' && address !== null ? address.port : port,
      close: () => {
        http.close();
        http.closeIdleConnections();
      },
      cut: (current) => connections.cut(current),
      closeNow: async () => {
        http.close();
        http.closeAllConnections();
        await ended;
      },
    };
    this.listeners.add(listener);
    void ended.then(() => this.listeners.delete(listener));
    return listener;
  }

  async close(): Promise<void> {
    for (const each of this.listeners) each.close();
    await this.closeSessions();
    this.news.dispose();
    await Promise.all([...this.listeners].map((each) => each.closeNow()));
    // Connections that were open may have begun one meanwhile.
    await this.closeSessions();
  }

  /** Ends every client's session: after the key was renewed, say. */
  async closeSessions(): Promise<void> {
    await this.clientsOf.close();
  }

  private async handle(
    request: IncomingMessage,
    response: ServerResponse,
    listener: Listener,
    door: Door,
    connections: Connections,
  ): Promise<void> {
    const admission = door.enter(request, response, listener);
    if (admission === 'answered') return;
    if ('status' in admission) {
      if (admission.status === 401) refuseStranger(response, admission.message);
      else refuse(response, admission.status, admission.message, { connection: 'close' });
      return;
    }
    if (!connections.admit(request.socket, admission.credential)) {
      refuse(response, 503, 'Too many connections.', { connection: 'close' });
      return;
    }
    if (!this.mayAsk()) {
      refuse(response, 429, 'Too many requests.', { 'retry-after': '1' });
      return;
    }
    const { expect } = request.headers;
    if (expect !== undefined) {
      if (expect.toLowerCase() !== '100-continue') {
        refuse(response, 417, 'Only 100-continue can be expected.', { connection: 'close' });
        return;
      }
      response.writeContinue();
    }
    if ((await this.options.route?.(request, response, listener)) !== true)
      await this.route(request, response);
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = addressOf(request);
    const { method } = request;
    if (address?.pathname === MCP_PATH) {
      if (method === 'POST' || method === 'GET' || method === 'DELETE')
        await this.streamable(request, response);
      else
        refuse(response, 405, 'Only POST, GET and DELETE are answered here.', {
          allow: 'POST, GET, DELETE',
        });
    } else if (address?.pathname === SSE_PATH) {
      if (method === 'GET')
        answerRefused(response, await this.clientsOf.older(request, response, MESSAGES_PATH));
      else refuse(response, 405, 'Only GET is answered here.', { allow: 'GET' });
    } else if (address?.pathname === MESSAGES_PATH) {
      if (method === 'POST')
        await this.posted(request, response, address.searchParams.get('sessionId'));
      else refuse(response, 405, 'Only POST is answered here.', { allow: 'POST' });
    } else refuse(response, 404, `Only ${MCP_PATH} is here, and ${SSE_PATH} for older clients.`);
  }

  private async streamable(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = request.method === 'POST' ? await readBody(request, response) : undefined;
    if (request.method === 'POST' && body === undefined) return;
    if (body?.answers !== undefined) {
      answerAll(response, body);
      return;
    }
    const id = request.headers['mcp-session-id'];
    const transport = await this.clientsOf.streamable(
      typeof id === 'string' ? id : undefined,
      body?.value,
      request,
    );
    if ('status' in transport) {
      answerRefused(response, transport);
      return;
    }
    this.clientsOf.isUsed(transport.sessionId, response);
    const answer = await transport.take(webRequest(request), body?.value, response);
    if (request.method === 'GET' && answer.ok)
      this.clientsOf.listens(transport.sessionId, response);
    // One that was not let in: nothing of it stays.
    if (transport.sessionId === undefined) await transport.close();
    await sendAnswer(answer, response);
  }

  /** A message of a client that knows the older transport only; its answer goes through the stream. */
  private async posted(
    request: IncomingMessage,
    response: ServerResponse,
    id: string | null,
  ): Promise<void> {
    const transport = this.clientsOf.olderById(id);
    if ('status' in transport) {
      answerRefused(response, transport);
      return;
    }
    const body = await readBody(request, response);
    if (body === undefined) return;
    if (body.answers !== undefined) {
      for (const each of body.answers) await transport.send(each);
      response.writeHead(202).end('Accepted');
    } else if (transport.receive(body.value)) response.writeHead(202).end('Accepted');
    else refuse(response, 400, 'The body is no JSON-RPC message.', {}, -32700);
  }

  private mayAsk(): boolean {
    const now = performance.now();
    this.allowance = Math.min(
      BURST,
      this.allowance + ((now - this.refilledAt) / 1000) * PER_SECOND,
    );
    this.refilledAt = now;
    if (this.allowance < 1) return false;
    this.allowance -= 1;
    return true;
  }
}

function answerRefused(response: ServerResponse, refused: Refused | undefined): void {
  if (refused !== undefined) refuse(response, refused.status, refused.message, {}, refused.code);
}

/** Where clients find a listener. */
export function addressOfListener({ host, port }: Pick<Listener, 'host' | 'port'>): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${MCP_PATH}`;
}

/** What is no HTTP, too large or too slow. Who has not shown the key is told nothing. */
function broken(error: NodeJS.ErrnoException, socket: Duplex, isKnown: boolean): void {
  if (!isKnown || !socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? '408 Request Timeout'
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? '431 Request Header Fields Too Large'
        : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
}

/** @returns the first of the hosts that the machine has, on which it now listens */
async function listening(
  http: HttpServer,
  port: number,
  hosts: readonly string[],
): Promise<string> {
  for (const host of hosts) {
    try {
      await new Promise<void>((resolve, reject) => {
        http.once('error', reject);
        http.listen(port, host, () => {
          http.removeListener('error', reject);
          // One connection that breaks while it is accepted is no end of the server.
          http.on('error', () => undefined);
          resolve();
        });
      });
      return host;
    } catch (error) {
      if (!isNoAddress(error) || host === hosts.at(-1)) throw error;
    }
  }
  throw new Error('no address to listen on');
}

/** The machine has no such address. */
function isNoAddress(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT')
  );
}
