import { strict as assert } from 'node:assert';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect as connectSocket, type Socket } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ToolSet } from '../../../../src/tools/defineTool';
import { Confirmation, type ConfirmationOptions } from '../../../../src/mcp/server/confirmation';
import { McpHttpServer, type HttpServerOptions } from '../../../../src/mcp/server/httpServer';
import { ExposedTools } from '../../../../src/tools/exposed';
import { bench, type Bench } from '../../support/services';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type LogEntry = Parameters<HttpServerOptions['log']>[0];

/** The real server over a scripted debugger, outside VS Code, with helpers to send requests to it. */
export class RunningServer {
  readonly log: LogEntry[] = [];
  readonly exposed = new ExposedTools(['core'] satisfies ToolSet[]);
  key = 'the-key-of-this-test-0123456789abcdefghij';
  private server: McpHttpServer | undefined;
  private readonly clients: Client[] = [];
  private readonly sockets: Socket[] = [];
  private readonly waiting: (() => void)[] = [];

  constructor(
    readonly on: Bench = bench(),
    private readonly more: Partial<HttpServerOptions> & {
      readonly confirm?: ConfirmationOptions;
    } = {},
  ) {}

  port = 0;

  async start(): Promise<this> {
    const { confirm = { isRequired: () => false, ask: async () => 'declined' }, ...options } =
      this.more;
    this.server = new McpHttpServer(this.on.services, {
      version: '1.2.3',
      maxChars: () => 7500,
      log: (call) => {
        this.log.push(call);
        this.happened();
      },
      tools: this.exposed,
      confirmation: new Confirmation(confirm),
      key: () => this.key,
      onDidChangeClients: () => this.happened(),
      ...options,
    });
    this.port = await this.server.listen(this.port);
    return this;
  }

  get now(): McpHttpServer {
    assert.ok(this.server);
    return this.server;
  }

  /** Restarts as after a reload of the window: only the key and the port remain from the old run. */
  async restart(): Promise<void> {
    await this.now.close();
    await this.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.clients.splice(0).map((each) => each.close()));
    for (const each of this.sockets.splice(0)) each.destroy();
    await this.server?.close();
  }

  /** Resolves when the condition is true. It is checked after each logged call and each change of the clients. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private happened(): void {
    for (const each of this.waiting.splice(0)) each();
  }

  /** Counts new listeners for changes of the tools. The server object of each client adds one. */
  countToolListeners(): { readonly count: number; readonly added: number } {
    const counts = { count: 0, added: 0 };
    const { exposed } = this;
    const listen = exposed.onDidChange.bind(exposed);
    exposed.onDidChange = (listener) => {
      const subscription = listen(listener);
      counts.count += 1;
      counts.added += 1;
      return {
        dispose: () => {
          subscription.dispose();
          counts.count -= 1;
        },
      };
    };
    return counts;
  }

  get authorization(): string {
    return `Bearer ${this.key}`;
  }

  /** A client of the SDK with an open stream for notifications. Earlier notifications would be lost. */
  async connect(
    name = 'test client',
    client = new Client({ name, version: '1' }),
  ): Promise<Client> {
    let opened: () => void = () => undefined;
    const isOpen = new Promise<void>((resolve) => (opened = resolve));
    const listening = async (url: string | URL, init?: RequestInit): Promise<Response> => {
      const response = await fetch(url, init);
      if (init?.method === 'GET' && response.ok) opened();
      return response;
    };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(this.now.url), {
        requestInit: { headers: { authorization: this.authorization } },
        fetch: listening,
      }),
    );
    this.clients.push(client);
    await isOpen;
    return client;
  }

  /** Sends one request with the key, unless the headers replace it. */
  async ask({
    method = 'POST',
    path = '/mcp',
    headers = {},
    body,
  }: {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    body?: unknown;
  } = {}): Promise<Reply> {
    return await new Promise((resolve, reject) => {
      const all = {
        authorization: this.authorization,
        accept: 'application/json, text/event-stream',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      };
      const outgoing = httpRequest(
        { host: '127.0.0.1', port: this.port, path, method, headers: all, agent: false },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString(),
            }),
          );
          response.on('error', reject);
        },
      );
      outgoing.on('error', reject);
      outgoing.end(
        body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      );
    });
  }

  /** Sends an initialize request without the SDK. @returns the id of the session */
  async introduce(name = 'by hand', protocolVersion = '2025-11-25'): Promise<string> {
    const reply = await this.ask({ body: hello(name, protocolVersion) });
    assert.equal(reply.status, 200, reply.body);
    const id = reply.headers['mcp-session-id'];
    assert.ok(typeof id === 'string');
    return id;
  }

  /** A connection on which a test can send any bytes. */
  async raw(): Promise<RawConnection> {
    const socket = connectSocket({ host: '127.0.0.1', port: this.port });
    this.sockets.push(socket);
    const connection = new RawConnection(socket);
    await new Promise<void>((resolve, reject) =>
      socket.once('connect', resolve).once('error', reject),
    );
    return connection;
  }
}

export class RawConnection {
  readonly closed: Promise<void>;
  private text = '';
  private readonly waiting = new Set<() => void>();

  constructor(readonly socket: Socket) {
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      this.text += data.toString();
      for (const each of this.waiting) each();
    });
  }

  /** The text received so far. */
  get received(): string {
    return this.text;
  }

  send(text: string): this {
    this.socket.write(text);
    return this;
  }

  /** Resolves when the received text matches. */
  async until(pattern: RegExp): Promise<RegExpExecArray> {
    return await new Promise((resolve, reject) => {
      const read = (): void => {
        const match = pattern.exec(this.text);
        if (match === null) return;
        this.waiting.delete(read);
        resolve(match);
      };
      this.waiting.add(read);
      void this.closed.then(() =>
        reject(new Error(`closed before ${String(pattern)} came:\n${this.text}`)),
      );
      read();
    });
  }
}

export const hello = (
  name = 'by hand',
  protocolVersion = '2025-11-25',
  capabilities: object = {},
): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities, clientInfo: { name, version: '7' } },
});

export const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

/** The messages of a reply, whether it is JSON or a stream of events. */
export function messagesOf(reply: Reply): Record<string, unknown>[] {
  if (reply.headers['content-type']?.startsWith('application/json') === true)
    return [JSON.parse(reply.body) as Record<string, unknown>];
  return [...reply.body.matchAll(/^data: (.+)$/gm)].map(
    (match) => JSON.parse(match[1] ?? '') as Record<string, unknown>,
  );
}

export function errorCodeOf(reply: Reply): unknown {
  return (messagesOf(reply)[0]?.['error'] as { code?: unknown } | undefined)?.code;
}
