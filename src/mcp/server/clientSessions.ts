import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { BoundedSet } from '../../util/boundedSet';
import type { Traffic } from './mcpOptions';
import { SessionIds, type Introduction } from './sessionIds';
import { SseTransport } from './sseTransport';
import { introductionOf, StreamableTransport } from './streamableTransport';

const MAX_SESSIONS = 50;

/** The number of ids that are remembered after their clients have ended the sessions. */
const MAX_ENDED = 1000;

/**
 * Many clients end without ending their session. A client whose notification stream has ended is taken for gone; one
 * that never opened a stream, when it has sent nothing for so long. Its session stays, in case it comes back.
 */
const STILL_MS = 600_000;

/** The error code for a session that does not exist: MCP "Session Management". */
const NO_SUCH_SESSION = -32001;

/** Why a client gets no session. */
export interface RefusedRequest {
  readonly status: number;
  readonly message: string;
  readonly code?: number;
}

const NO_SESSION_ID: RefusedRequest = {
  status: 400,
  message: 'No session: the first request is initialize; the others have its Mcp-Session-Id.',
};
const UNKNOWN_SESSION: RefusedRequest = {
  status: 404,
  message: 'There is no such session (any more): initialize anew.',
  code: NO_SUCH_SESSION,
};
const UNKNOWN_STREAM: RefusedRequest = {
  status: 404,
  message: 'There is no such session (any more): open the stream anew.',
  code: NO_SUCH_SESSION,
};

interface Session {
  readonly transport: StreamableTransport | SseTransport;
  /** The number of responses that have not ended: waiting calls, and the notification stream. */
  open: number;
  usedAt: number;
  /** Its notification stream has ended, and nothing has come from it since. */
  hasLeft: boolean;
  /** Nothing has come from it for a long time. */
  isStill: boolean;
  timer?: NodeJS.Timeout;
}

export interface ClientSessionsOptions {
  readonly key: () => string;
  /** Creates the server object for one client. */
  readonly createServer: () => McpServer;
  /** The number of sessions, or of clients that are there, has changed. */
  readonly onDidChange: () => void;
  /** The id of the session that a request begins. Default: one that names no window. */
  readonly sessionId?: (request: IncomingMessage, introduction: Introduction) => string;
  /** What stands between a client and its server object. Default: nothing. */
  readonly connection?: (
    transport: Transport,
    request: IncomingMessage,
    sessionId: string,
  ) => Transport;
  readonly traffic?: Traffic;
  /** For tests: a shorter time until a silent client counts as gone. */
  readonly stillMilliseconds?: number;
}

/** The sessions of MCP clients: who has one, who may resume one, and which one makes room. */
export class ClientSessions {
  private readonly sessions = new Map<string, Session>();
  private readonly ended = new BoundedSet<string>(MAX_ENDED);
  /** Clients of an earlier run that are being resumed. */
  private readonly resuming = new Map<string, Promise<StreamableTransport | RefusedRequest>>();
  private readonly ids: SessionIds;
  /** The counts that were reported last. */
  private reportedCounts = '0 0';

  constructor(private readonly options: ClientSessionsOptions) {
    this.ids = new SessionIds(options.key);
  }

  get count(): number {
    return this.sessions.size;
  }

  has(id: string): boolean {
    return this.sessions.has(id);
  }

  /** The ids of the sessions whose clients are still there, as far as is known. */
  get present(): readonly string[] {
    return [...this.sessions]
      .filter(([, { open, hasLeft, isStill }]) => open > 0 || !(hasLeft || isStill))
      .map(([id]) => id);
  }

  /** The client's transport: a new one for a client that introduces itself, or that an earlier run knew. */
  async streamable(
    id: string | undefined,
    body: unknown,
    request: IncomingMessage,
  ): Promise<StreamableTransport | RefusedRequest> {
    const introduction = introductionOf(body);
    if (introduction !== undefined) return await this.introduce(introduction, request);
    if (id === undefined) return NO_SESSION_ID;
    const known = this.sessions.get(id)?.transport;
    if (known instanceof StreamableTransport) return known;
    return await this.resume(id, request);
  }

  /** Opens the stream of a client that knows only the older transport. */
  async openOlder(
    request: IncomingMessage,
    response: ServerResponse,
    endpoint: string,
  ): Promise<RefusedRequest | undefined> {
    const refused = await this.makeRoom();
    if (refused !== undefined) return refused;
    if (response.destroyed) return undefined;
    const transport = new SseTransport(response, endpoint, this.options.traffic);
    await this.connect(transport, request, transport.sessionId);
    this.add(transport.sessionId, transport);
    this.isUsed(transport.sessionId, response);
    return undefined;
  }

  /** The older transport's stream with this id. */
  olderById(id: string | null): SseTransport | RefusedRequest {
    const known = id === null ? undefined : this.sessions.get(id)?.transport;
    return known instanceof SseTransport ? known : UNKNOWN_STREAM;
  }

  /** While this response is open, its session is in use and does not make room for others. */
  isUsed(id: string | undefined, response: ServerResponse): void {
    const session = this.find(id);
    if (session === undefined) return;
    session.open += 1;
    session.hasLeft = false;
    this.touch(session);
    response.once('close', () => {
      session.open -= 1;
      this.touch(session);
    });
  }

  /** This response is the client's notification stream: it ends when the client goes. */
  listens(id: string | undefined, response: ServerResponse): void {
    const session = this.find(id);
    if (session === undefined) return;
    response.once('close', () => {
      session.hasLeft = true;
      this.report();
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.sessions.values()].map(({ transport }) => transport.close()));
  }

  /** Ends the sessions whose ids are no longer valid; the older transport's ids are no such ids. */
  async closeInvalid(isValid: (id: string) => boolean): Promise<void> {
    const invalid = [...this.sessions].filter(
      ([id, { transport }]) => transport instanceof StreamableTransport && !isValid(id),
    );
    await Promise.all(invalid.map(([, { transport }]) => transport.close()));
  }

  private find(id: string | undefined): Session | undefined {
    return id === undefined ? undefined : this.sessions.get(id);
  }

  private touch(session: Session): void {
    session.usedAt = performance.now();
    session.isStill = false;
    clearTimeout(session.timer);
    session.timer = setTimeout(() => {
      session.isStill = true;
      this.report();
    }, this.options.stillMilliseconds ?? STILL_MS);
    session.timer.unref();
    this.report();
  }

  private report(): void {
    const counts = `${this.count} ${this.present.length}`;
    if (counts === this.reportedCounts) return;
    this.reportedCounts = counts;
    this.options.onDidChange();
  }

  private async introduce(
    introduction: Introduction,
    request: IncomingMessage,
  ): Promise<StreamableTransport | RefusedRequest> {
    const id = this.options.sessionId?.(request, introduction) ?? this.ids.issue(introduction);
    return await this.open(id, request);
  }

  /** Resumes a client that an earlier run knew; once, also when two of its requests come together. */
  private async resume(
    id: string,
    request: IncomingMessage,
  ): Promise<StreamableTransport | RefusedRequest> {
    const earlier = this.ended.has(id) ? undefined : this.ids.read(id);
    // An id that names a window is resumed by the windows' own rules (`windows/sessionRoutes.ts`).
    if (earlier === undefined || earlier.window !== undefined) return UNKNOWN_SESSION;
    const resumption =
      this.resuming.get(id) ??
      this.open(id, request, (transport) => transport.resume(earlier.introduction)).finally(() =>
        this.resuming.delete(id),
      );
    this.resuming.set(id, resumption);
    return await resumption;
  }

  private async open(
    id: string,
    request: IncomingMessage,
    begin: (transport: StreamableTransport) => Promise<void> = async () => undefined,
  ): Promise<StreamableTransport | RefusedRequest> {
    // Another window may open a session again that it had opened here before.
    await this.sessions.get(id)?.transport.close();
    const refused = await this.makeRoom();
    if (refused !== undefined) return refused;
    const transport = new StreamableTransport(id, {
      onDidBegin: () => this.add(id, transport),
      // An id whose client has ended the session is not resumed.
      onDidLeave: () => this.ended.add(id),
      traffic: this.options.traffic,
    });
    await this.connect(transport, request, id);
    await begin(transport);
    return transport;
  }

  private async connect(transport: Transport, request: IncomingMessage, id: string): Promise<void> {
    const { server } = this.options.createServer();
    const onClose = server.onclose;
    server.onclose = () => {
      onClose?.();
      if (transport.sessionId === undefined) return;
      clearTimeout(this.sessions.get(transport.sessionId)?.timer);
      if (this.sessions.delete(transport.sessionId)) this.report();
    };
    await server.connect(this.options.connection?.(transport, request, id) ?? transport);
  }

  private add(id: string, transport: StreamableTransport | SseTransport): void {
    const session: Session = { transport, open: 0, usedAt: 0, hasLeft: false, isStill: false };
    this.sessions.set(id, session);
    this.touch(session);
    // Several may have begun at the same time.
    if (this.count > MAX_SESSIONS) void this.makeRoom();
  }

  /** The unused session that has been still the longest makes room. Its client may resume it later. */
  private async makeRoom(): Promise<RefusedRequest | undefined> {
    if (this.count < MAX_SESSIONS) return undefined;
    const [oldest] = [...this.sessions.values()]
      .filter(({ open }) => open === 0)
      .sort((one, other) => one.usedAt - other.usedAt);
    if (oldest === undefined) return { status: 503, message: 'Too many clients.' };
    await oldest.transport.close();
    return undefined;
  }
}
