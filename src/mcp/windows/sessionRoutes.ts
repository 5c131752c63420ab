import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { McpOptions } from '../server/mcpOptions';
import { urlOf } from '../server/httpExchange';
import type { McpHttpServer } from '../server/httpServer';
import { MCP_PATH } from '../server/listener';
import type { Introduction, SessionId, SessionIds } from '../server/sessionIds';
import { ATTEND_PATH, YIELD_PATH } from './attendance';
import { forward, WINDOW_HEADERS } from './forward';
import { MessageChannel } from './messageChannel';
import type { PublicPort } from './publicPort';
import type { WindowEntry, WindowRegistry } from './registry';
import { chooseWindow, wishIn } from './routing';
import { SwitchTransport } from './switchTransport';
import type { Windows } from './windowChooser';
import { requestTo, type WindowAddress } from './windowConnection';

/** Headers between windows, on their own ports: the id that a session gets, and why it is opened. */
const SESSION_HEADER = `${WINDOW_HEADERS}session`;
const PURPOSE_HEADER = `${WINDOW_HEADERS}purpose`;
/** The client has shown the offered key: its session's id is signed with that. */
const OFFERED = { [`${WINDOW_HEADERS}key`]: 'offered' } as const;
const SESSION_PATH = '/session';
const KEY_PATH = '/key';

const MAX_REMEMBERED = 500;

/** A window that does not answer within this time has no session that could be resumed. */
const ANSWER_LIMIT_MS = 1000;

export interface RoutesOptions {
  readonly ownId: string;
  readonly registry: WindowRegistry;
  /** Reads the ids that any window has issued: all windows have the same key. */
  readonly ids: SessionIds;
  /** The ids of sessions that were opened with the offered key. */
  readonly offeredIds: SessionIds;
  readonly port: PublicPort;
  readonly server: () => McpHttpServer;
  /** This window's own port. */
  readonly own: () => WindowAddress;
  readonly onDidChange: Windows['onDidChange'];
  readonly onDidMove: () => void;
  /** Another window has renewed the clients' key. */
  readonly onKeyRenewed: () => Promise<void>;
  readonly log: McpOptions['log'];
  readonly reloadLimitMs: number;
}

/**
 * Decides where each request goes: to this window's server, unchanged to another window, or to the handlers of requests
 * between windows. A session's id names the window that it began in. When that window has closed, the session may be in
 * another window, because its calls went there; else it is resumed here under its id, because some clients never
 * introduce themselves again.
 */
export class SessionRoutes {
  private readonly switches = new Map<string, SwitchTransport>();
  private readonly ended = new Set<string>();
  private readonly owners = new Map<string, string>();
  /** Requests of windows and the bridge, which have proven themselves: headers between windows of others are ignored. */
  private readonly fromWindows = new WeakSet<IncomingMessage>();
  private readonly offered = new WeakSet<IncomingMessage>();
  private readonly resuming = new Map<string, Promise<void>>();

  constructor(private readonly options: RoutesOptions) {}

  /** Whether another window answers the calls of this session. */
  isElsewhere(id: string): boolean {
    return this.switches.get(id)?.isElsewhere === true;
  }

  /** The id that a new session gets: the one that another window issued, or one that names this window. */
  idFor(request: IncomingMessage, introduction: Introduction): string {
    const requested = this.fromWindows.has(request) ? request.headers[SESSION_HEADER] : undefined;
    if (typeof requested === 'string') return requested;
    const { ids, offeredIds, ownId } = this.options;
    return (this.offered.has(request) ? offeredIds : ids).issue(introduction, ownId);
  }

  /** The content of an id that was issued with one of the keys. */
  read(id: string): SessionId | undefined {
    return this.options.ids.read(id) ?? this.options.offeredIds.read(id);
  }

  connect(transport: Transport, request: IncomingMessage, id: string): Transport {
    const { ownId, registry, onDidChange, onDidMove, log } = this.options;
    const purpose = this.fromWindows.has(request) ? request.headers[PURPOSE_HEADER] : undefined;
    const windows: Windows = {
      ownId,
      list: () => registry.list(),
      comesBack: (lost) => registry.comesBack(lost, this.options.reloadLimitMs),
      channelTo: (window) =>
        new MessageChannel({
          window,
          path: MCP_PATH,
          headers: { [SESSION_HEADER]: id, [PURPOSE_HEADER]: 'chosen' },
        }),
      onDidChange,
    };
    const url = urlOf(request);
    const switched = new SwitchTransport(transport, {
      windows,
      wish: url === undefined ? {} : wishIn(url),
      isHere: purpose === 'chosen',
      resumed: purpose === 'resumed' ? placeOf(id, ownId) : undefined,
      onDidMove,
      onDidClose: () => {
        if (this.switches.get(id) === switched) this.switches.delete(id);
      },
      log,
    });
    this.switches.set(id, switched);
    return switched;
  }

  /** @returns whether the request has been answered */
  async route(
    request: IncomingMessage,
    response: ServerResponse,
    { isPublic, isOffered }: { readonly isPublic: boolean; readonly isOffered: boolean },
  ): Promise<boolean> {
    const url = urlOf(request);
    if (url === undefined) return false;
    if (isOffered || (!isPublic && isMarkedOffered(request))) this.offered.add(request);
    if (!isPublic) {
      this.fromWindows.add(request);
      if (await this.handleBetweenWindows(request, response, url)) return true;
    }
    if (url.pathname !== MCP_PATH) return false;
    const id = request.headers['mcp-session-id'];
    if (typeof id !== 'string')
      return isPublic && request.method === 'POST' && (await this.routeNew(request, response, url));
    if (this.options.server().has(id)) {
      if (request.method === 'DELETE') this.end(id);
      return false;
    }
    if (isPublic && (await this.forwardKnown(request, response, id))) return true;
    const known = this.read(id);
    if (known !== undefined && request.method !== 'DELETE' && !this.ended.has(id))
      await this.resume(id, known.introduction, url);
    return false;
  }

  private async handleBetweenWindows(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): Promise<boolean> {
    const { port, onKeyRenewed, server } = this.options;
    const askedPort = Number(url.searchParams.get('port'));
    const isPost = request.method === 'POST';
    if (url.pathname === ATTEND_PATH) await port.attend(askedPort, response);
    else if (url.pathname === YIELD_PATH && isPost) await port.yield(askedPort, request, response);
    else if (url.pathname === KEY_PATH && isPost) {
      await onKeyRenewed();
      response.writeHead(204).end();
    } else if (url.pathname === SESSION_PATH) {
      const isHere = server().has(url.searchParams.get('id') ?? '');
      response.writeHead(isHere ? 200 : 404).end();
    } else return false;
    request.resume();
    return true;
  }

  /** Tells the other windows that the clients' key was renewed, so that the old one ends at once. */
  async announceKey(): Promise<void> {
    const others = await this.others();
    await Promise.all(others.map((window) => statusOf(window, 'POST', KEY_PATH)));
  }

  private async others(): Promise<readonly WindowEntry[]> {
    const windows = await this.options.registry.list();
    return windows.filter((window) => window.id !== this.options.ownId);
  }

  /** The session of a client that names a folder begins in that folder's window. */
  private async routeNew(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): Promise<boolean> {
    const { workspace } = wishIn(url);
    if (workspace === undefined) return false;
    const choice = chooseWindow(await this.options.registry.list(), { workspace });
    return (
      choice.kind === 'window' &&
      choice.window.id !== this.options.ownId &&
      (await this.forwardTo(choice.window, request, response))
    );
  }

  private async forwardKnown(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
  ): Promise<boolean> {
    const others = await this.others();
    // An id that is not valid here is not valid in any window.
    if (this.read(id) === undefined) return false;
    const remembered = this.owners.get(id);
    const named = others.find(
      (window) => window.id === remembered || id.startsWith(`${window.id}-`),
    );
    if (named !== undefined && (await this.forwardTo(named, request, response))) return true;
    this.owners.delete(id);
    const owner = await findOwner(others, id);
    if (owner === undefined) return false;
    if (this.owners.size >= MAX_REMEMBERED) this.owners.clear();
    this.owners.set(id, owner.id);
    return await this.forwardTo(owner, request, response);
  }

  private async forwardTo(
    window: WindowEntry,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean> {
    const added = this.offered.has(request) ? OFFERED : {};
    if (await forward(request, response, window, added)) return true;
    await this.options.registry.removeIfGone(window);
    return false;
  }

  private end(id: string): void {
    if (this.ended.size >= MAX_REMEMBERED) this.ended.clear();
    this.ended.add(id);
    this.switches.get(id)?.end();
  }

  /** Resumes a session of an earlier server, as if its client had introduced itself. */
  private async resume(
    id: string,
    { name, version, protocolVersion, hasRoots }: Introduction,
    url: URL,
  ): Promise<void> {
    const running = this.resuming.get(id);
    if (running !== undefined) {
      await running;
      return;
    }
    const channel = new MessageChannel({
      window: this.options.own(),
      path: `${url.pathname}${url.search}`,
      headers: { [SESSION_HEADER]: id, [PURPOSE_HEADER]: 'resumed' },
    });
    const params = {
      protocolVersion,
      capabilities: hasRoots ? { roots: {} } : {},
      clientInfo: { name, version },
    };
    const resumption = channel
      .start({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, { listen: false })
      .then(ignore, ignore)
      .finally(() => {
        channel.drop();
        this.resuming.delete(id);
      });
    this.resuming.set(id, resumption);
    await resumption;
  }
}

const ignore = (): void => undefined;

function isMarkedOffered({ headers }: IncomingMessage): boolean {
  return Object.entries(OFFERED).every(([name, value]) => headers[name] === value);
}

/** Where a session began: in this window, or in one that has closed. */
function placeOf(id: string, ownId: string): 'here' | 'elsewhere' {
  return id.startsWith(`${ownId}-`) ? 'here' : 'elsewhere';
}

/** Asks the windows which one has a session. */
async function findOwner(
  windows: readonly WindowEntry[],
  id: string,
): Promise<WindowEntry | undefined> {
  const path = `${SESSION_PATH}?id=${encodeURIComponent(id)}`;
  const owners = await Promise.all(
    windows.map(async (window) =>
      (await statusOf(window, 'GET', path)) === 200 ? window : undefined,
    ),
  );
  return owners.find((window) => window !== undefined);
}

/** The status that a window answers with; undefined when it does not answer. */
async function statusOf(
  window: WindowEntry,
  method: string,
  path: string,
): Promise<number | undefined> {
  try {
    const outgoing = await requestTo(window, {
      method,
      path,
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    });
    return await new Promise((resolve) => {
      outgoing.once('response', (response) => {
        response.on('error', ignore).resume();
        resolve(response.statusCode);
      });
      outgoing.on('error', () => resolve(undefined));
      outgoing.end();
    });
  } catch {
    return undefined;
  }
}
