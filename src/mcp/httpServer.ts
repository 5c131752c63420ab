import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { isFields } from '../debugger/protocol';
import type { ToolServices } from '../tools/services';
import { serverFor, type McpOptions } from './clientSession';
import { refusalOf } from './guard';

/** The only path that answers. */
export const MCP_PATH = '/mcp';

const MOST_BYTES = 1024 * 1024;
const BODY_LIMIT_MS = 15_000;
const MOST_SESSIONS = 50;
const MOST_CONNECTIONS = 100;
/** Requests that may come at once, and how many a second after that. */
const BURST = 200;
const PER_SECOND = 50;

export interface HttpServerOptions extends McpOptions {
  /** Asked for each request: a key that was renewed lets nobody in with the old one. */
  readonly key: () => string;
  readonly onDidChangeClients: (count: number) => void;
  /** Takes what is another window's, or no client's, before anything but the headers is read. */
  readonly route?: (request: IncomingMessage, response: ServerResponse, listener: Listener) => Promise<boolean>;
  /** The id of the session that a request begins. Default: a new one. */
  readonly sessionId?: (request: IncomingMessage) => string;
  /** What stands between a client and its server object. Default: nothing. */
  readonly connection?: (transport: Transport, request: IncomingMessage, sessionId: string) => Transport;
}

/** One port on 127.0.0.1, with the key that opens it. */
export interface Listener {
  readonly port: number;
  readonly key: () => string;
  /** Takes no more connections; those that are open go on until they end. */
  close(): void;
  /** Ends the open ones, and goes on taking new ones: their key is no more. */
  cut(): void;
  /** Ends the open ones, too. */
  closeNow(): Promise<void>;
}

interface ClientSession {
  readonly transport: StreamableHTTPServerTransport;
  /** Responses that are not ended: calls that wait, the stream for notifications. */
  open: number;
  usedAt: number;
}

/** MCP "Streamable HTTP" on loopback. Many clients at once, each with a session of its own, one debugger for all. */
export class McpHttpServer {
  private readonly sessions = new Map<string, ClientSession>();
  private readonly listeners = new Set<Listener>();
  private allowance = BURST;
  private refilledAt = performance.now();

  constructor(
    private readonly services: ToolServices,
    private readonly options: HttpServerOptions,
  ) {}

  get clients(): number {
    return this.sessions.size;
  }

  has(sessionId: string): boolean {
    return this.sessions.has(sessionId);
  }

  /** Listens on 127.0.0.1 only. @returns the port. @throws NodeJS.ErrnoException `EADDRINUSE`, `EACCES` */
  async listen(port: number): Promise<number> {
    return (await this.open(port, this.options.key)).port;
  }

  /** One more port, for whoever has another key. @throws NodeJS.ErrnoException `EADDRINUSE`, `EACCES` */
  async open(port: number, key: () => string): Promise<Listener> {
    const http = createServer({ connectionsCheckingInterval: 5000 }, (request, response) => {
      this.handle(request, response, listener).catch(() => end(response, 500, 'Something went wrong.'));
    });
    http.maxConnections = MOST_CONNECTIONS;
    http.headersTimeout = BODY_LIMIT_MS;
    // A call may wait long for its answer; what may not is a request to arrive.
    http.requestTimeout = BODY_LIMIT_MS;
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject);
      http.listen(port, '127.0.0.1', () => {
        http.removeListener('error', reject);
        // One connection that breaks while it is accepted is no end of the server.
        http.on('error', () => undefined);
        resolve();
      });
    });
    const listener = this.listenerOf(http, port, key);
    this.listeners.add(listener);
    return listener;
  }

  private listenerOf(http: HttpServer, port: number, key: () => string): Listener {
    const address = http.address();
    const ended = new Promise<void>((resolve) => http.once('close', () => resolve()));
    const listener: Listener = {
      port: typeof address === 'object' && address !== null ? address.port : port,
      key,
      close: () => {
        http.close();
        http.closeIdleConnections();
      },
      cut: () => http.closeAllConnections(),
      closeNow: async () => {
        http.close();
        http.closeAllConnections();
        await ended;
      },
    };
    void ended.then(() => this.listeners.delete(listener));
    return listener;
  }

  async close(): Promise<void> {
    await this.closeSessions();
    await Promise.all([...this.listeners].map((each) => each.closeNow()));
  }

  /** Ends every client's session: after the key was renewed, say. */
  async closeSessions(): Promise<void> {
    await Promise.all([...this.sessions.values()].map((each) => each.transport.close()));
  }

  private async handle(request: IncomingMessage, response: ServerResponse, listener: Listener): Promise<void> {
    const { authorization, host, origin } = request.headers;
    const refusal = refusalOf({ authorization, host, origin }, listener.key(), listener.port);
    if (refusal !== undefined) {
      // Closed, so that those without a key hold no connection that one with a key needs.
      end(response, refusal.status, refusal.message, { connection: 'close', ...(refusal.status === 401 ? { 'www-authenticate': 'Bearer' } : {}) });
      return;
    }
    if (!this.mayAsk()) {
      end(response, 429, 'Too many requests.', { 'retry-after': '1' });
      return;
    }
    if ((await this.options.route?.(request, response, listener)) === true) return;
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== MCP_PATH) {
      end(response, 404, `Only ${MCP_PATH} is here.`);
      return;
    }
    const body = request.method === 'POST' ? await readBody(request, response) : undefined;
    if (request.method === 'POST' && body === undefined) return;
    const session = await this.sessionFor(request, response, body?.value);
    if (session === undefined) return;
    session.open += 1;
    session.usedAt = Date.now();
    response.once('close', () => {
      session.open -= 1;
      session.usedAt = Date.now();
    });
    await session.transport.handleRequest(request, response, body?.value);
  }

  /** The client's session; a new one for a client that introduces itself. */
  private async sessionFor(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<ClientSession | undefined> {
    const id = request.headers['mcp-session-id'];
    if (typeof id === 'string') {
      const known = this.sessions.get(id);
      if (known === undefined) end(response, 404, 'There is no such session (any more): initialize anew.');
      return known;
    }
    if (request.method !== 'POST' || !(Array.isArray(body) ? body : [body]).some((each) => isInitializeRequest(each))) {
      end(response, 400, 'No session: the first request is initialize; the others have its Mcp-Session-Id.');
      return undefined;
    }
    if (this.sessions.size >= MOST_SESSIONS && !(await this.dropIdle())) {
      end(response, 503, 'Too many clients.');
      return undefined;
    }
    const sessionId = this.options.sessionId?.(request) ?? randomUUID();
    await this.sessions.get(sessionId)?.transport.close();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => sessionId,
      onsessioninitialized: (session) => {
        this.sessions.set(session, made);
        this.options.onDidChangeClients(this.clients);
      },
    });
    const made: ClientSession = { transport, open: 0, usedAt: Date.now() };
    const server = serverFor(this.services, this.options);
    server.server.onclose = () => {
      if (transport.sessionId !== undefined && this.sessions.delete(transport.sessionId)) this.options.onDidChangeClients(this.clients);
    };
    await server.connect(this.options.connection?.(transport, request, sessionId) ?? transport);
    return made;
  }

  /** Many clients go without a word: the one that has been still the longest makes room. It may introduce itself anew. */
  private async dropIdle(): Promise<boolean> {
    const [longest] = [...this.sessions.values()].filter((each) => each.open === 0).sort((one, other) => one.usedAt - other.usedAt);
    await longest?.transport.close();
    return longest !== undefined;
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

/** The JSON of a request; undefined when it was answered with what is wrong. */
async function readBody(request: IncomingMessage, response: ServerResponse): Promise<{ readonly value: unknown } | undefined> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    end(response, 415, 'The body has to be application/json.');
    return undefined;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > MOST_BYTES) {
      end(response, 413, `The body is larger than ${MOST_BYTES} bytes.`);
      request.destroy();
      return undefined;
    }
    chunks.push(chunk);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (!isFields(value) && !Array.isArray(value)) throw new SyntaxError('neither an object nor a list');
    return { value };
  } catch {
    end(response, 400, 'The body is no JSON-RPC message.', {}, -32700);
    return undefined;
  }
}

/** A JSON-RPC error for a request that no session has taken. */
function end(response: ServerResponse, status: number, message: string, headers: Readonly<Record<string, string>> = {}, code = -32000): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}
