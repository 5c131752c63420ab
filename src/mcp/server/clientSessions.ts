import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { BoundedSet } from '../../util/boundedSet';
import type { Traffic } from './mcpOptions';
import { SessionIds, type Introduction } from './sessionIds';
import { SseTransport } from './sseTransport';
import { introductionOf, StreamableTransport } from './streamableTransport';

const MAX_SESSIONS = 50;

/** The maximum number of ids that are remembered after their clients have ended the sessions. */
const MAX_ENDED = 1000;

/**
 * The time without requests after which a client counts as disconnected, if it never opened a notification stream. Many
 * clients exit without ending their session. A client with a notification stream counts as disconnected when the stream
 * has ended. The session is kept in case the client returns.
 */
const STILL_MS = 600_000;

/** The error code for a session that does not exist. MCP "Session Management". */
const NO_SUCH_SESSION = -32001;

/** The reason why a client gets no session. */
export interface RefusedRequest {
  readonly status: number;
  readonly message: string;
  readonly code?: number;
}

const NO_SESSION_ID: RefusedRequest = {
  status: 400,
  message:
    'No session: the first request must be initialize, and later requests must have its Mcp-Session-Id.',
};
const UNKNOWN_SESSION: RefusedRequest = {
  status: 404,
  message: 'The session does not exist or has ended. Initialize again.',
  code: NO_SUCH_SESSION,
};
const UNKNOWN_STREAM: RefusedRequest = {
  status: 404,
  message: 'The session does not exist or has ended. Open the stream again.',
  code: NO_SUCH_SESSION,
};

interface Session {
  readonly transport: StreamableTransport | SseTransport;
  /** The number of open responses: waiting calls and the notification stream. */
  open: number;
  usedAt: number;
  /** Whether the client's notification stream has ended and the client has sent nothing since. */
  hasLeft: boolean;
  /** Whether the client has sent nothing for a long time. */
  isStill: boolean;
  timer?: NodeJS.Timeout;
}

export interface ClientSessionsOptions {
  readonly key: () => string;
  /** Creates the server object for one client. */
  readonly createServer: () => McpServer;
  /** Called when the number of sessions or of present clients has changed. */
  readonly onDidChange: () => void;
  /** Creates the id of the session that a request begins. By default the id names no window. */
  readonly sessionId?: (request: IncomingMessage, introduction: Introduction) => string;
  /** Wraps the transport between a client and its server object. */
  readonly connection?: (
    transport: Transport,
    request: IncomingMessage,
    sessionId: string,
  ) => Transport;
  readonly traffic?: Traffic;
  /** For tests: a shorter time until a silent client counts as disconnected. */
  readonly stillMilliseconds?: number;
}

/** The sessions of MCP clients: creates, resumes and ends them. At the limit, it ends the oldest unused one. */
export class ClientSessions {
  private readonly sessions = new Map<string, Session>();
  private readonly ended = new BoundedSet<string>(MAX_ENDED);
  /** Sessions of an earlier run that are being resumed. */
  private readonly resuming = new Map<string, Promise<StreamableTransport | RefusedRequest>>();
  private readonly ids: SessionIds;
  /** The counts that were last reported. */
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

  /** The ids of the sessions whose clients do not count as disconnected. */
  get present(): readonly string[] {
    return [...this.sessions]
      .filter(([, { open, hasLeft, isStill }]) => open > 0 || !(hasLeft || isStill))
      .map(([id]) => id);
  }

  /** The client's transport. It is new after an initialize request, or if the session is from an earlier run. */
  async streamable(
    id: string | undefined,
    body: unknown,
    request: IncomingMessage,
  ): Promise<StreamableTransport | RefusedRequest> {
    const introduction = introductionOf(body);
    if (introduction !== undefined) return await this.introduce(introduction, request);
    if (id === undefined) return NO_SESSION_ID;
    const transport = this.sessions.get(id)?.transport;
    if (transport instanceof StreamableTransport) return transport;
    return await this.resume(id, request);
  }

  /** Opens the stream of a client that supports only the older transport. */
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
    const transport = id === null ? undefined : this.sessions.get(id)?.transport;
    return transport instanceof SseTransport ? transport : UNKNOWN_STREAM;
  }

  /** Marks a session as in use while a response is open, so that it is not ended to make room for others. */
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

  /** Records that a response is the client's notification stream, which ends when the client exits. */
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

  /** Ends the sessions whose ids are no longer valid. Ids of the older transport are not checked. */
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

  /** Resumes the session of an earlier run. Concurrent requests of the client share one resumption. */
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
    // Another window may reopen a session that it opened here earlier.
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
    // Several sessions may have begun at the same time.
    if (this.count > MAX_SESSIONS) void this.makeRoom();
  }

  /** At the limit, ends the unused session that was used least recently. Its client may resume it later. */
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
