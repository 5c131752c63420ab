import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ToolServices } from '../../tools/services';
import { createClientServer } from './clientServer';
import { ClientSessions, type ClientSessionsOptions, type RefusedRequest } from './clientSessions';
import type { Connections } from './connections';
import { DebuggerEvents } from './debuggerEvents';
import { KeyDoor, type Admitted, type Door } from './guard';
import {
  answerAll,
  readBody,
  refuse,
  refuseStranger,
  sendAnswer,
  urlOf,
  webRequest,
} from './httpExchange';
import {
  MCP_PATH,
  openPort,
  urlOfListener,
  type HttpListener,
  type UpgradeHandler,
} from './listener';
import type { McpOptions, Traffic } from './mcpOptions';
import { RateLimit } from './rateLimit';
import { RelayServer } from './relay/relayServer';

/** The paths of the older transport: the path of its stream, and the path for its clients' messages. */
const SSE_PATH = '/sse';
const MESSAGES_PATH = '/messages';

export interface HttpServerOptions extends McpOptions {
  /** Returns the key. Called for each request, so that a renewed key invalidates the old one immediately. */
  readonly key: () => string;
  readonly onDidChangeClients: () => void;
  /** Handles requests for other windows and requests between windows, before their body is read. */
  readonly route?: (
    request: IncomingMessage,
    response: ServerResponse,
    entered: { readonly listener: HttpListener; readonly isOffered: boolean },
  ) => Promise<boolean>;
  /** Creates the id of the session that a request begins. By default the id names no window. */
  readonly sessionId?: ClientSessionsOptions['sessionId'];
  /** Wraps the transport between a client and its server object. */
  readonly connection?: ClientSessionsOptions['connection'];
  /** For tests: shorter limits, other addresses. */
  readonly arrivalMilliseconds?: number;
  readonly stillMilliseconds?: number;
  readonly loopback?: readonly string[];
}

/** Serves MCP over HTTP on loopback. Each client has its own session. All clients share one debugger. */
export class McpHttpServer {
  private readonly sessions: ClientSessions;
  private readonly listeners = new Set<HttpListener>();
  private readonly events: DebuggerEvents;
  private readonly relay: RelayServer;
  private readonly relayFollowers = new Set<() => void>();
  private readonly rateLimit = new RateLimit();
  private clientsListener: HttpListener | undefined;

  constructor(
    services: ToolServices,
    private readonly options: HttpServerOptions,
  ) {
    this.events = new DebuggerEvents(services);
    this.relay = new RelayServer(services, options.relay ?? (() => 'off'));
    this.sessions = new ClientSessions({
      ...options,
      createServer: () => createClientServer(services, options, this.events),
      onDidChange: options.onDidChangeClients,
    });
  }

  /** The number of sessions, including those of clients that exited without ending them. */
  get clients(): number {
    return this.sessions.count;
  }

  /** The ids of the sessions whose clients do not count as disconnected. */
  get present(): readonly string[] {
    return this.sessions.present;
  }

  has(sessionId: string): boolean {
    return this.sessions.has(sessionId);
  }

  /** The URL of the port that `listen` opened. */
  get url(): string {
    return this.clientsListener === undefined ? '' : urlOfListener(this.clientsListener);
  }

  /**
   * Listens on loopback for clients that have the key.
   * @returns the port
   * @throws NodeJS.ErrnoException `EADDRINUSE`, `EACCES`
   */
  async listen(port: number): Promise<number> {
    this.clientsListener = await this.open(
      port,
      new KeyDoor(() => ({ clients: this.options.key() })),
    );
    return this.clientsListener.port;
  }

  /** Opens another port, whose requests `door` authenticates. @throws NodeJS.ErrnoException `EADDRINUSE`, `EACCES` */
  async open(port: number, door: Door): Promise<HttpListener> {
    const { loopback: hosts, arrivalMilliseconds: arrivalMs } = this.options;
    const { listener, connections, serve, upgrade } = await openPort({ port, hosts, arrivalMs });
    this.listeners.add(listener);
    void listener.ended.then(() => this.listeners.delete(listener));
    serve((request, response) => {
      this.handle(request, response, listener, door, connections).catch(() =>
        refuse(response, 500, 'Something went wrong.'),
      );
    });
    // Only the clients' port has the relay. The windows' own ports need a proof.
    if (!(door instanceof KeyDoor)) return listener;
    const follow = (): void => {
      upgrade(this.relay.isOn ? answer : undefined);
    };
    const answer: UpgradeHandler = (request, socket, head) =>
      this.relay.upgrade({
        ...{ request, socket, head, connections },
        ...{ port: listener.port, key: this.options.key() },
      });
    follow();
    this.relayFollowers.add(follow);
    void listener.ended.then(() => this.relayFollowers.delete(follow));
    return listener;
  }

  async close(): Promise<void> {
    for (const listener of this.listeners) listener.close();
    this.relay.close();
    await this.closeSessions();
    this.events.dispose();
    await Promise.all([...this.listeners].map((listener) => listener.closeNow()));
    // Connections that were still open may have begun sessions in the meantime.
    await this.closeSessions();
  }

  /**
   * Called when the person has changed the relay's setting. Disconnects front ends that may no longer follow a session.
   */
  relayChanged(): void {
    for (const follow of this.relayFollowers) follow();
    this.relay.settingChanged();
  }

  /** Ends the sessions of all clients, for example after the key was renewed. */
  async closeSessions(): Promise<void> {
    await this.sessions.close();
  }

  /** Ends the sessions whose ids are no longer valid. Sessions of the older transport end with their connections. */
  async closeInvalidSessions(isValid: (id: string) => boolean): Promise<void> {
    await this.sessions.closeInvalid(isValid);
  }

  private async handle(
    request: IncomingMessage,
    response: ServerResponse,
    listener: HttpListener,
    door: Door,
    connections: Connections,
  ): Promise<void> {
    if (this.options.traffic?.isOn === true) reportAnswer(request, response, this.options.traffic);
    const admitted = this.admit(request, response, listener, door, connections);
    if (admitted === undefined || !acceptExpectation(request, response)) return;
    const { isOffered = false } = admitted;
    const isHandled = await this.options.route?.(request, response, { listener, isOffered });
    if (isHandled !== true) await this.route(request, response);
  }

  /** Checks the headers, the number of connections and the rate. Undefined if the request has been answered. */
  private admit(
    request: IncomingMessage,
    response: ServerResponse,
    listener: HttpListener,
    door: Door,
    connections: Connections,
  ): Admitted | undefined {
    const admission = door.enter(request, response, listener);
    if (admission === 'answered') return undefined;
    if ('status' in admission) {
      if (admission.status === 401) refuseStranger(response, admission.message);
      else refuse(response, admission.status, admission.message, { connection: 'close' });
      return undefined;
    }
    if (!connections.admit(request.socket, admission.credential)) {
      refuse(response, 503, 'Too many connections.', { connection: 'close' });
      return undefined;
    }
    if (this.rateLimit.take()) return admission;
    refuse(response, 429, 'Too many requests.', { 'retry-after': '1' });
    return undefined;
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = urlOf(request);
    switch (url?.pathname) {
      case MCP_PATH:
        if (allows(request, response, ['POST', 'GET', 'DELETE']))
          await this.streamable(request, response);
        return;
      case SSE_PATH:
        if (allows(request, response, ['GET']))
          answerRefused(response, await this.sessions.openOlder(request, response, MESSAGES_PATH));
        return;
      case MESSAGES_PATH:
        if (allows(request, response, ['POST']))
          await this.posted(request, response, url.searchParams.get('sessionId'));
        return;
      default:
        refuse(response, 404, `Only ${MCP_PATH} is here, and ${SSE_PATH} for older clients.`);
    }
  }

  private async streamable(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = request.method === 'POST' ? await readBody(request, response) : undefined;
    if (request.method === 'POST' && body === undefined) return;
    if (body?.answers !== undefined) {
      answerAll(response, body);
      return;
    }
    const id = request.headers['mcp-session-id'];
    const transport = await this.sessions.streamable(
      typeof id === 'string' ? id : undefined,
      body?.value,
      request,
    );
    if ('status' in transport) {
      answerRefused(response, transport);
      return;
    }
    this.sessions.isUsed(transport.sessionId, response);
    const answer = await transport.take(webRequest(request), body?.value, response);
    if (request.method === 'GET' && answer.ok) this.sessions.listens(transport.sessionId, response);
    // The initialize request was refused, so its server object and listeners are removed.
    if (transport.sessionId === undefined) await transport.close();
    await sendAnswer(answer, response);
  }

  /** Handles a message of a client with the older transport. Its response is sent through the stream. */
  private async posted(
    request: IncomingMessage,
    response: ServerResponse,
    id: string | null,
  ): Promise<void> {
    const transport = this.sessions.olderById(id);
    if ('status' in transport) {
      answerRefused(response, transport);
      return;
    }
    const body = await readBody(request, response);
    if (body === undefined) return;
    if (body.answers !== undefined) {
      for (const answer of body.answers) await transport.send(answer);
      response.writeHead(202).end('Accepted');
    } else if (transport.receive(body.value)) response.writeHead(202).end('Accepted');
    else refuse(response, 400, 'The body is not a JSON-RPC message.', {}, -32700);
  }
}

/** Reports the response to a request when it has ended: method, path and status, without headers. */
function reportAnswer(request: IncomingMessage, response: ServerResponse, traffic: Traffic): void {
  response.once('close', () => {
    const { pathname = '' } = urlOf(request) ?? {};
    const session = request.headers['mcp-session-id'];
    traffic.answered(
      request.method ?? '',
      pathname,
      response.statusCode,
      typeof session === 'string' ? session : undefined,
    );
  });
}

/** Answers `Expect: 100-continue`. False if the header has another value and the request has been answered. */
function acceptExpectation(request: IncomingMessage, response: ServerResponse): boolean {
  const { expect } = request.headers;
  if (expect === undefined) return true;
  if (expect.toLowerCase() === '100-continue') {
    response.writeContinue();
    return true;
  }
  refuse(response, 417, 'Only 100-continue can be expected.', { connection: 'close' });
  return false;
}

/** Whether a path supports the request's method. If not, the request has been answered. */
function allows(
  { method = '' }: IncomingMessage,
  response: ServerResponse,
  methods: readonly string[],
): boolean {
  if (methods.includes(method)) return true;
  const [last = '', ...first] = [...methods].reverse();
  const names = first.length === 0 ? last : `${first.reverse().join(', ')} and ${last}`;
  const verb = first.length === 0 ? 'is' : 'are';
  refuse(response, 405, `Only ${names} ${verb} answered here.`, { allow: methods.join(', ') });
  return false;
}

function answerRefused(response: ServerResponse, refused: RefusedRequest | undefined): void {
  if (refused !== undefined) refuse(response, refused.status, refused.message, {}, refused.code);
}
