import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ToolServices } from '../tools/services';
import { Clients, type Refused } from './clients';
import { serverFor, type McpOptions } from './clientSession';
import { Connections } from './connections';
import { DebuggerNews } from './debuggerNews';
import { refusalOf } from './guard';
import { addressOf, readBody, refuse, sendAnswer, webRequest } from './httpExchange';

/** Where Streamable HTTP is; and the older transport's stream, and where its clients post to. */
export const MCP_PATH = '/mcp';
const SSE_PATH = '/sse';
const MESSAGES_PATH = '/messages';

/** How long a request may take to arrive. A call may wait long for its answer. */
const ARRIVAL_MS = 15_000;
const MOST_HEADER_BYTES = 16 * 1024;
/** Requests that may come at once, and how many a second after that. */
const BURST = 200;
const PER_SECOND = 50;

/** IPv4's loopback; where a machine has none, IPv6's. */
const LOOPBACK = ['127.0.0.1', '::1'] as const;

export interface HttpServerOptions extends McpOptions {
  /** Asked for each request: a key that was renewed lets nobody in with the old one. */
  readonly key: () => string;
  readonly onDidChangeClients: (count: number) => void;
  /** For tests, which do not wait as long. */
  readonly arrivalMilliseconds?: number;
  readonly loopback?: readonly string[];
}

/** MCP over HTTP on loopback. Many clients at once, each with a session of its own, one debugger for all. */
export class McpHttpServer {
  private readonly clientsOf: Clients;
  private readonly connections = new Connections();
  private readonly news: DebuggerNews;
  private http: HttpServer | undefined;
  private host: string = LOOPBACK[0];
  private port = 0;
  private allowance = BURST;
  private refilledAt = performance.now();

  constructor(
    services: ToolServices,
    private readonly options: HttpServerOptions,
  ) {
    this.news = new DebuggerNews(services);
    this.clientsOf = new Clients({ key: options.key, serve: () => serverFor(services, options, this.news), onDidChange: options.onDidChangeClients });
  }

  get clients(): number {
    return this.clientsOf.count;
  }

  /** Where clients find it. */
  get url(): string {
    return `http://${this.host.includes(':') ? `[${this.host}]` : this.host}:${this.port}${MCP_PATH}`;
  }

  /** Listens on loopback only. @returns the port. @throws NodeJS.ErrnoException `EADDRINUSE`, `EACCES` */
  async listen(port: number): Promise<number> {
    const arrivalMs = this.options.arrivalMilliseconds ?? ARRIVAL_MS;
    const http = createServer({ connectionsCheckingInterval: Math.min(5000, arrivalMs), maxHeaderSize: MOST_HEADER_BYTES, requireHostHeader: false });
    const handle = (request: IncomingMessage, response: ServerResponse): void => {
      this.handle(request, response).catch(() => refuse(response, 500, 'Something went wrong.'));
    };
    http.on('request', handle);
    // Without these, Node answers "100 Continue" or 417 before anybody has shown a key.
    http.on('checkContinue', handle);
    http.on('checkExpectation', handle);
    http.on('clientError', (error: NodeJS.ErrnoException, socket) => this.broken(error, socket));
    http.on('connection', (socket) => this.connections.arrived(socket));
    http.headersTimeout = arrivalMs;
    http.requestTimeout = arrivalMs;
    for (const host of this.options.loopback ?? LOOPBACK) {
      try {
        await listening(http, port, host);
        this.host = host;
        break;
      } catch (error) {
        if (!isNoAddress(error) || host === LOOPBACK.at(-1)) throw error;
      }
    }
    // One connection that breaks while it is accepted is no end of the server.
    http.on('error', () => undefined);
    this.http = http;
    const address = http.address();
    this.port = typeof address === 'object' && address !== null ? address.port : port;
    return this.port;
  }

  async close(): Promise<void> {
    await this.closeSessions();
    this.news.dispose();
    const { http } = this;
    this.http = undefined;
    if (http === undefined) return;
    await new Promise<void>((resolve) => {
      http.close(() => resolve());
      http.closeAllConnections();
    });
  }

  /** Ends every client's session: after the key was renewed, say. */
  async closeSessions(): Promise<void> {
    await this.clientsOf.close();
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization, host, origin, expect } = request.headers;
    const refusal = refusalOf({ authorization, host, origin }, this.options.key(), this.port);
    if (refusal !== undefined) {
      // Closed, so that those without a key hold no connection that one with a key needs.
      refuse(response, refusal.status, refusal.message, { connection: 'close', ...(refusal.status === 401 ? { 'www-authenticate': 'Bearer' } : {}) });
      return;
    }
    if (!this.connections.admit(request.socket)) {
      refuse(response, 503, 'Too many connections.', { connection: 'close' });
      return;
    }
    if (!this.mayAsk()) {
      refuse(response, 429, 'Too many requests.', { 'retry-after': '1' });
      return;
    }
    if (expect !== undefined) {
      if (expect.toLowerCase() !== '100-continue') {
        refuse(response, 417, 'Only 100-continue can be expected.', { connection: 'close' });
        return;
      }
      response.writeContinue();
    }
    await this.route(request, response);
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = addressOf(request);
    const { method } = request;
    if (address?.pathname === MCP_PATH) {
      if (method === 'POST' || method === 'GET' || method === 'DELETE') await this.streamable(request, response);
      else refuse(response, 405, 'Only POST, GET and DELETE are answered here.', { allow: 'POST, GET, DELETE' });
    } else if (address?.pathname === SSE_PATH) {
      if (method === 'GET') answerRefused(response, await this.clientsOf.older(response, MESSAGES_PATH));
      else refuse(response, 405, 'Only GET is answered here.', { allow: 'GET' });
    } else if (address?.pathname === MESSAGES_PATH) {
      if (method === 'POST') await this.posted(request, response, address.searchParams.get('sessionId'));
      else refuse(response, 405, 'Only POST is answered here.', { allow: 'POST' });
    } else refuse(response, 404, `Only ${MCP_PATH} is here, and ${SSE_PATH} for older clients.`);
  }

  private async streamable(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = request.method === 'POST' ? await readBody(request, response) : undefined;
    if (request.method === 'POST' && body === undefined) return;
    const id = request.headers['mcp-session-id'];
    const transport = await this.clientsOf.streamable(typeof id === 'string' ? id : undefined, body?.value);
    if ('status' in transport) {
      answerRefused(response, transport);
      return;
    }
    this.clientsOf.isUsed(transport.sessionId, response);
    const answer = await transport.take(webRequest(request), body?.value, response);
    // One that was not let in: nothing of it stays.
    if (transport.sessionId === undefined) await transport.close();
    await sendAnswer(answer, response);
  }

  /** A message of a client that knows the older transport only; its answer goes through the stream. */
  private async posted(request: IncomingMessage, response: ServerResponse, id: string | null): Promise<void> {
    const transport = this.clientsOf.olderById(id);
    if ('status' in transport) {
      answerRefused(response, transport);
      return;
    }
    const body = await readBody(request, response);
    if (body === undefined) return;
    if (transport.receive(body.value)) response.writeHead(202).end('Accepted');
    else refuse(response, 400, 'The body is no JSON-RPC message.', {}, -32700);
  }

  /** What is no HTTP, too large or too slow. Who has not shown the key is told nothing. */
  private broken(error: NodeJS.ErrnoException, socket: Duplex): void {
    const isKnown = this.connections.hasShownKey(socket);
    if (!isKnown || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
    socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
  }

  private mayAsk(): boolean {
    const now = performance.now();
    this.allowance = Math.min(BURST, this.allowance + ((now - this.refilledAt) / 1000) * PER_SECOND);
    this.refilledAt = now;
    if (this.allowance < 1) return false;
    this.allowance -= 1;
    return true;
  }
}

function answerRefused(response: ServerResponse, refused: Refused | undefined): void {
  if (refused !== undefined) refuse(response, refused.status, refused.message, {}, refused.code);
}

async function listening(http: HttpServer, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, () => {
      http.removeListener('error', reject);
      resolve();
    });
  });
}

/** The machine has no such address. */
function isNoAddress(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT');
}
