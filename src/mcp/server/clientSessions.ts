import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { SessionIds, type Introduction } from './sessionIds';
import { SseTransport } from './sseTransport';
import { introductionOf, StreamableTransport } from './streamableTransport';

const MOST_SESSIONS = 50;

/** So many ids of sessions that their clients have ended are remembered. */
const MOST_ENDED = 1000;

/**
 * Many clients end without a word. One whose stream for notifications has ended is gone; of one that never opened it,
 * that is taken when it has been still for so long. Its session stays, for the case that it comes back.
 */
const STILL_MS = 600_000;

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
  /** Its stream for what is no answer has ended, and nothing has come from it since. */
  hasLeft: boolean;
  /** Nothing has come from it for long. */
  isStill: boolean;
  timer?: NodeJS.Timeout;
}

export interface ClientsOptions {
  readonly key: () => string;
  /** A server object for one client. */
  readonly serve: () => McpServer;
  /** Sessions have begun or ended, or clients have come or gone. */
  readonly onDidChange: () => void;
  /** The id of the session that a request begins. Default: one that names no window. */
  readonly sessionId?: (request: IncomingMessage, introduction: Introduction) => string;
  /** For tests, which do not wait as long. */
  readonly stillMilliseconds?: number;
  /** What stands between a client and its server object. Default: nothing. */
  readonly connection?: (
    transport: Transport,
    request: IncomingMessage,
    sessionId: string,
  ) => Transport;
}

/** The clients that are connected, each with a session of its own, and who may still come. */
export class Clients {
  private readonly connected = new Map<string, Connected>();
  private readonly ended = new Set<string>();
  private readonly goingOn = new Map<string, Promise<StreamableTransport | Refused>>();
  private readonly ids: SessionIds;
  /** How many sessions and clients there were when that was told last. */
  private told = '0 0';

  constructor(private readonly options: ClientsOptions) {
    this.ids = new SessionIds(options.key);
  }

  get count(): number {
    return this.connected.size;
  }

  has(id: string): boolean {
    return this.connected.has(id);
  }

  /** The sessions of clients that are there, as far as can be told. */
  get present(): readonly string[] {
    return [...this.connected].flatMap(([id, { open, hasLeft, isStill }]) =>
      open > 0 || !(hasLeft || isStill) ? [id] : [],
    );
  }

  /** The client's transport; a new one for a client that introduces itself, or that an earlier run knew. */
  async streamable(
    id: string | undefined,
    body: unknown,
    request: IncomingMessage,
  ): Promise<StreamableTransport | Refused> {
    const introduction = introductionOf(body);
    if (introduction !== undefined) {
      return await this.open(
        this.options.sessionId?.(request, introduction) ?? this.ids.issue(introduction),
        request,
      );
    }
    if (id === undefined)
      return {
        status: 400,
        message: 'No session: the first request is initialize; the others have its Mcp-Session-Id.',
      };
    const known = this.connected.get(id)?.transport;
    if (known instanceof StreamableTransport) return known;
    const earlier = this.ended.has(id) ? undefined : this.ids.read(id);
    // Where there are windows, a session goes on by their rules or not at all.
    if (earlier?.window !== undefined || earlier === undefined)
      return {
        status: 404,
        message: 'There is no such session (any more): initialize anew.',
        code: NO_SUCH_SESSION,
      };
    // Two requests may come at once: the client is taken up again once.
    const under =
      this.goingOn.get(id) ??
      this.open(
        id,
        request,
        async (transport) => await transport.goOn(earlier.introduction),
      ).finally(() => this.goingOn.delete(id));
    this.goingOn.set(id, under);
    return await under;
  }

  /** Opens the stream of a client that knows the older transport only. */
  async older(
    request: IncomingMessage,
    response: ServerResponse,
    endpoint: string,
  ): Promise<Refused | undefined> {
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
    return known instanceof SseTransport
      ? known
      : {
          status: 404,
          message: 'There is no such session (any more): open the stream anew.',
          code: NO_SUCH_SESSION,
        };
  }

  /** While this response is open its session is in use, and makes no room for others. */
  isUsed(id: string | undefined, response: ServerResponse): void {
    const session = id === undefined ? undefined : this.connected.get(id);
    if (session === undefined) return;
    session.open += 1;
    session.hasLeft = false;
    this.touch(session);
    response.once('close', () => {
      session.open -= 1;
      this.touch(session);
    });
  }

  /** This response is the client's stream for what is no answer: it ends when the client does. */
  listens(id: string | undefined, response: ServerResponse): void {
    const session = id === undefined ? undefined : this.connected.get(id);
    if (session === undefined) return;
    response.once('close', () => {
      session.hasLeft = true;
      this.tell();
    });
  }

  private touch(session: Connected): void {
    session.usedAt = performance.now();
    session.isStill = false;
    clearTimeout(session.timer);
    session.timer = setTimeout(() => {
      session.isStill = true;
      this.tell();
    }, this.options.stillMilliseconds ?? STILL_MS);
    session.timer.unref();
    this.tell();
  }

  private tell(): void {
    const now = `${this.count} ${this.present.length}`;
    if (now === this.told) return;
    this.told = now;
    this.options.onDidChange();
  }

  async close(): Promise<void> {
    await Promise.all([...this.connected.values()].map((each) => each.transport.close()));
  }

  private async open(
    id: string,
    request: IncomingMessage,
    begin: (transport: StreamableTransport) => Promise<void> = async () => undefined,
  ): Promise<StreamableTransport | Refused> {
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
      if (transport.sessionId === undefined) return;
      clearTimeout(this.connected.get(transport.sessionId)?.timer);
      if (this.connected.delete(transport.sessionId)) this.tell();
    };
    await server.connect(this.options.connection?.(transport, request, id) ?? transport);
  }

  private add(id: string, transport: StreamableTransport | SseTransport): void {
    const session: Connected = { transport, open: 0, usedAt: 0, hasLeft: false, isStill: false };
    this.connected.set(id, session);
    this.touch(session);
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
    const [longest] = [...this.connected.values()]
      .filter((each) => each.open === 0)
      .sort((one, other) => one.usedAt - other.usedAt);
    if (longest === undefined) return { status: 503, message: 'Too many clients.' };
    await longest.transport.close();
    return undefined;
  }
}
