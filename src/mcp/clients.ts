import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { SessionIds } from './sessionIds';
import { SseTransport } from './sseTransport';
import { introductionOf, StreamableTransport } from './streamableTransport';

const MOST_SESSIONS = 50;

/** So many ids of sessions that their clients have ended are remembered. */
const MOST_ENDED = 1000;

/** The session does not exist (any more): MCP "Session Management". */
const NO_SUCH_SESSION = -32001;

export interface Refused {
  readonly status: number;
  readonly message: string;
  readonly code?: number;
}

interface Connected {
  readonly transport: StreamableTransport | SseTransport;
  /** Responses that are not ended: calls that wait, the stream for notifications. */
  open: number;
  usedAt: number;
}

export interface ClientsOptions {
  readonly key: () => string;
  /** A server object for one client. */
  readonly serve: () => McpServer;
  readonly onDidChange: (count: number) => void;
  /** The id of the session that a request begins. Default: as it was issued. */
  readonly sessionId?: (request: IncomingMessage, issued: string) => string;
  /** What stands between a client and its server object. Default: nothing. */
  readonly connection?: (transport: Transport, request: IncomingMessage, sessionId: string) => Transport;
}

/** The clients that are connected, each with a session of its own, and who may still come. */
export class Clients {
  private readonly connected = new Map<string, Connected>();
  private readonly ended = new Set<string>();
  private readonly goingOn = new Map<string, Promise<StreamableTransport | Refused>>();
  private readonly ids: SessionIds;

  constructor(private readonly options: ClientsOptions) {
    this.ids = new SessionIds(options.key);
  }

  get count(): number {
    return this.connected.size;
  }

  has(id: string): boolean {
    return this.connected.has(id);
  }

  /** The client's transport; a new one for a client that introduces itself, or that an earlier run knew. */
  async streamable(id: string | undefined, body: unknown, request: IncomingMessage): Promise<StreamableTransport | Refused> {
    const introduction = introductionOf(body);
    if (introduction !== undefined) {
      const issued = this.ids.issue(introduction);
      return await this.open(this.options.sessionId?.(request, issued) ?? issued, request);
    }
    if (id === undefined) return { status: 400, message: 'No session: the first request is initialize; the others have its Mcp-Session-Id.' };
    const known = this.connected.get(id)?.transport;
    if (known instanceof StreamableTransport) return known;
    const earlier = this.ended.has(id) ? undefined : this.ids.read(id);
    if (earlier === undefined) return { status: 404, message: 'There is no such session (any more): initialize anew.', code: NO_SUCH_SESSION };
    // Two requests may come at once: the client is taken up again once.
    const under = this.goingOn.get(id) ?? this.open(id, request, async (transport) => await transport.goOn(earlier)).finally(() => this.goingOn.delete(id));
    this.goingOn.set(id, under);
    return await under;
  }

  /** Opens the stream of a client that knows the older transport only. */
  async older(request: IncomingMessage, response: ServerResponse, endpoint: string): Promise<Refused | undefined> {
    const full = await this.makeRoom();
    if (full !== undefined) return full;
    if (response.destroyed) return undefined;
    const transport = new SseTransport(response, endpoint);
    await this.connect(transport, request, transport.sessionId);
    this.add(transport.sessionId, transport);
    this.isUsed(transport.sessionId, response);
    return undefined;
  }

  /** The older transport's stream with this id. */
  olderById(id: string | null): SseTransport | Refused {
    const known = id === null ? undefined : this.connected.get(id)?.transport;
    return known instanceof SseTransport ? known : { status: 404, message: 'There is no such session (any more): open the stream anew.', code: NO_SUCH_SESSION };
  }

  /** While this response is open its session is in use, and makes no room for others. */
  isUsed(id: string | undefined, response: ServerResponse): void {
    const session = id === undefined ? undefined : this.connected.get(id);
    if (session === undefined) return;
    session.open += 1;
    session.usedAt = performance.now();
    response.once('close', () => {
      session.open -= 1;
      session.usedAt = performance.now();
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.connected.values()].map((each) => each.transport.close()));
  }

  private async open(id: string, request: IncomingMessage, begin: (transport: StreamableTransport) => Promise<void> = async () => undefined): Promise<StreamableTransport | Refused> {
    // Another window opens again what it had opened here.
    await this.connected.get(id)?.transport.close();
    const full = await this.makeRoom();
    if (full !== undefined) return full;
    const transport = new StreamableTransport(id, {
      began: () => this.add(id, transport),
      left: () => this.forget(id),
    });
    await this.connect(transport, request, id);
    await begin(transport);
    return transport;
  }

  private async connect(transport: Transport, request: IncomingMessage, id: string): Promise<void> {
    const { server } = this.options.serve();
    const over = server.onclose;
    server.onclose = () => {
      over?.();
      if (transport.sessionId !== undefined && this.connected.delete(transport.sessionId)) this.options.onDidChange(this.count);
    };
    await server.connect(this.options.connection?.(transport, request, id) ?? transport);
  }

  private add(id: string, transport: StreamableTransport | SseTransport): void {
    this.connected.set(id, { transport, open: 0, usedAt: performance.now() });
    this.options.onDidChange(this.count);
    // Several may have come at once.
    if (this.count > MOST_SESSIONS) void this.makeRoom();
  }

  /** A client has ended its session: its id is not taken up again. */
  private forget(id: string): void {
    const [oldest] = this.ended;
    if (this.ended.size >= MOST_ENDED && oldest !== undefined) this.ended.delete(oldest);
    this.ended.add(id);
  }

  /** Many clients go without a word: the one that has been still the longest makes room. It may go on any time. */
  private async makeRoom(): Promise<Refused | undefined> {
    if (this.count < MOST_SESSIONS) return undefined;
    const [longest] = [...this.connected.values()].filter((each) => each.open === 0).sort((one, other) => one.usedAt - other.usedAt);
    if (longest === undefined) return { status: 503, message: 'Too many clients.' };
    await longest.transport.close();
    return undefined;
  }
}
