import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { McpOptions } from '../server/mcpOptions';
import { urlOf } from '../server/httpExchange';
import type { McpHttpServer } from '../server/httpServer';
import { MCP_PATH } from '../server/listener';
import type { Introduction, SessionId, SessionIds } from '../server/sessionIds';
import { forward, WINDOW_HEADERS } from './forward';
import { MessageChannel } from './messageChannel';
import type { PublicPort } from './publicPort';
import type { WindowEntry, WindowRegistry } from './registry';
import { chooseWindow, wishIn } from './routing';
import { SwitchTransport } from './switchTransport';
import type { Windows } from './windowChooser';
import type { WindowAddress } from './windowConnection';
import { announceKey, findOwner, handleWindowRequest } from './windowRequests';

/** Headers between windows, on their own ports: the id of a new session, and the purpose for which it is opened. */
const SESSION_HEADER = `${WINDOW_HEADERS}session`;
const PURPOSE_HEADER = `${WINDOW_HEADERS}purpose`;
/** Set if the client has sent the offered key. Its session's id is signed with that key. */
const OFFERED = { [`${WINDOW_HEADERS}key`]: 'offered' } as const;

const MAX_REMEMBERED = 500;

export interface RoutesOptions {
  readonly ownId: string;
  readonly registry: WindowRegistry;
  /** Reads the ids of all windows, because all windows have the same key. */
  readonly ids: SessionIds;
  /** The ids of sessions that were opened with the offered key. */
  readonly offeredIds: SessionIds;
  readonly port: PublicPort;
  readonly server: () => McpHttpServer;
  /** This window's own port. */
  readonly own: () => WindowAddress;
  readonly onDidChange: Windows['onDidChange'];
  readonly onDidMove: () => void;
  /** Called when another window has renewed the clients' key. */
  readonly onKeyRenewed: () => Promise<void>;
  readonly log: McpOptions['log'];
  readonly reloadLimitMs: number;
}

/**
 * Routes each request: to this window's server, unchanged to another window, or to the handlers of requests between
 * windows. A session's id names the window in which it began. If that window has closed, the session may be in another
 * window, because its calls went there. Otherwise it is resumed here under its id, because some clients never send
 * initialize again.
 */
export class SessionRoutes {
  private readonly switches = new Map<string, SwitchTransport>();
  private readonly ended = new Set<string>();
  private readonly owners = new Map<string, string>();
  /**
   * The requests of windows and the bridge, which have authenticated themselves. Headers between windows are used only
   * in these requests.
   */
  private readonly fromWindows = new WeakSet<IncomingMessage>();
  private readonly offered = new WeakSet<IncomingMessage>();
  private readonly resuming = new Map<string, Promise<void>>();

  constructor(private readonly options: RoutesOptions) {}

  /** Whether another window answers the calls of this session. */
  isElsewhere(id: string): boolean {
    return this.switches.get(id)?.isElsewhere === true;
  }

  /** The id of a new session: the id that another window issued, or an id that names this window. */
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
      const { port, onKeyRenewed, server } = this.options;
      const hasSession = (id: string): boolean => server().has(id);
      if (await handleWindowRequest(request, response, url, { port, hasSession, onKeyRenewed }))
        return true;
    }
    if (url.pathname !== MCP_PATH) return false;
    const id = request.headers['mcp-session-id'];
    if (typeof id !== 'string')
      return isPublic && request.method === 'POST' && (await this.routeNew(request, response, url));
    if (this.options.server().has(id)) {
      if (request.method === 'DELETE') this.end(id);
      return false;
    }
    if (isPublic && (await this.forwardToOwner(request, response, id))) return true;
    const session = this.read(id);
    if (session !== undefined && request.method !== 'DELETE' && !this.ended.has(id))
      await this.resume(id, session.introduction, url);
    return false;
  }

  /** Notifies the other windows that the clients' key was renewed. */
  async announceKey(): Promise<void> {
    await announceKey(await this.others());
  }

  private async others(): Promise<readonly WindowEntry[]> {
    const windows = await this.options.registry.list();
    return windows.filter((window) => window.id !== this.options.ownId);
  }

  /** Begins the session of a client that names a folder. The session begins in that folder's window. */
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

  private async forwardToOwner(
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

  /** Resumes a session of an earlier server, as if its client had sent initialize again. */
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

/** The place where a session began: in this window, or in a window that has closed. */
function placeOf(id: string, ownId: string): 'here' | 'elsewhere' {
  return id.startsWith(`${ownId}-`) ? 'here' : 'elsewhere';
}
