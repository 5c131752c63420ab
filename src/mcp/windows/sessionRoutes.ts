import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { McpOptions } from '../server/mcpOptions';
import type { McpHttpServer } from '../server/httpServer';
import { MCP_PATH } from '../server/listener';
import type { Introduction, SessionIds } from '../server/sessionIds';
import { ATTEND_PATH, YIELD_PATH } from './attendance';
import { forward, OF_WINDOWS } from './forward';
import { MessageChannel } from './messageChannel';
import type { PublicPort } from './publicPort';
import type { WindowEntry, WindowRegistry } from './registry';
import { chooseWindow, wishIn } from './routing';
import { SwitchTransport } from './switchTransport';
import type { Windows } from './windowChooser';
import { requestTo, type WindowAddress } from './windowConnection';

/** Of windows among themselves, on their private listeners: which id a session gets, and why it is opened. */
const SESSION_HEADER = `${OF_WINDOWS}session`;
const PURPOSE_HEADER = `${OF_WINDOWS}purpose`;
const SESSION_PATH = '/session';
const KEY_PATH = '/key';

const MOST_REMEMBERED = 500;

/** A window that says nothing for so long has no session that could go on. */
const ANSWER_LIMIT_MS = 1000;

export interface RoutesOptions {
  readonly ownId: string;
  readonly registry: WindowRegistry;
  /** Knows the ids that any window has issued: all have the same key. */
  readonly ids: SessionIds;
  readonly port: PublicPort;
  readonly server: () => McpHttpServer;
  /** This window's private listener. */
  readonly own: () => WindowAddress;
  readonly onDidChange: Windows['onDidChange'];
  readonly onDidMove: () => void;
  /** Another window has renewed the clients' key. */
  readonly onKeyRenewed: () => Promise<void>;
  readonly log: McpOptions['log'];
  readonly reloadLimitMs: number;
}

/**
 * Where each request goes: to this window's server, to another window as it is, or to the windows' own affairs. A
 * session's id names the window that it lives in. One whose window is gone is looked for in the others, which may have
 * it because its calls went there, and else taken up here under its id: clients that know no way back go on.
 */
export class SessionRoutes {
  private readonly switches = new Map<string, SwitchTransport>();
  private readonly ended = new Set<string>();
  private readonly owners = new Map<string, string>();
  /** Requests of who has proven to be a window or the bridge: of others the headers among windows mean nothing. */
  private readonly ofWindows = new WeakSet<IncomingMessage>();
  private readonly resuming = new Map<string, Promise<void>>();

  constructor(private readonly options: RoutesOptions) {}

  /** Whether this window's session is another window's client. */
  isElsewhere(id: string): boolean {
    return this.switches.get(id)?.isElsewhere === true;
  }

  /** The id that a new session gets: the one that another window issued, or one that names this window. */
  idFor(request: IncomingMessage, introduction: Introduction): string {
    const wanted = this.ofWindows.has(request) ? request.headers[SESSION_HEADER] : undefined;
    return typeof wanted === 'string'
      ? wanted
      : this.options.ids.issue(introduction, this.options.ownId);
  }

  connect(transport: Transport, request: IncomingMessage, id: string): Transport {
    const { ownId, registry, onDidChange, onDidMove, log } = this.options;
    const purpose = this.ofWindows.has(request) ? request.headers[PURPOSE_HEADER] : undefined;
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
    const onDidClose = (): void => {
      if (this.switches.get(id) === made) this.switches.delete(id);
    };
    const made = new SwitchTransport(transport, {
      windows,
      wish: wishIn(urlOf(request)),
      isHere: purpose === 'chosen',
      resumed:
        purpose !== 'resumed' ? undefined : id.startsWith(`${ownId}-`) ? 'here' : 'elsewhere',
      onDidMove,
      onDidClose,
      log,
    });
    this.switches.set(id, made);
    return made;
  }

  /** @returns whether the request has been dealt with */
  async route(
    request: IncomingMessage,
    response: ServerResponse,
    isPublic: boolean,
  ): Promise<boolean> {
    const url = urlOf(request);
    if (!isPublic) {
      this.ofWindows.add(request);
      if (await this.isOwnAffair(request, response, url)) return true;
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
    const known = this.options.ids.read(id);
    if (known !== undefined && request.method !== 'DELETE' && !this.ended.has(id))
      await this.resume(id, known.introduction, url);
    return false;
  }

  private async isOwnAffair(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): Promise<boolean> {
    const port = Number(url.searchParams.get('port'));
    if (url.pathname === ATTEND_PATH) await this.options.port.attend(port, response);
    else if (url.pathname === YIELD_PATH && request.method === 'POST')
      await this.options.port.yield(port, request, response);
    else if (url.pathname === KEY_PATH && request.method === 'POST') {
      await this.options.onKeyRenewed();
      response.writeHead(204).end();
    } else if (url.pathname === SESSION_PATH)
      response
        .writeHead(this.options.server().has(url.searchParams.get('id') ?? '') ? 200 : 404)
        .end();
    else return false;
    request.resume();
    return true;
  }

  /** The clients' key is another now: said to each window, so that the old one ends at once. */
  async announceKey(): Promise<void> {
    const others = (await this.options.registry.list()).filter(
      (each) => each.id !== this.options.ownId,
    );
    await Promise.all(others.map(async (each) => await statusOf(each, 'POST', KEY_PATH)));
  }

  /** A client that names its folder begins in that folder's window. */
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
    const others = (await this.options.registry.list()).filter(
      (each) => each.id !== this.options.ownId,
    );
    // What is no id of ours in its one spelling is no other window's either.
    if (this.options.ids.read(id) === undefined) return false;
    const remembered = this.owners.get(id);
    const named = others.find((each) => each.id === remembered || id.startsWith(`${each.id}-`));
    if (named !== undefined && (await this.forwardTo(named, request, response))) return true;
    this.owners.delete(id);
    const asked = await Promise.all(
      others.map(async (each) =>
        (await statusOf(each, 'GET', `${SESSION_PATH}?id=${encodeURIComponent(id)}`)) === 200
          ? each
          : undefined,
      ),
    );
    const owner = asked.find((each) => each !== undefined);
    if (owner === undefined) return false;
    if (this.owners.size >= MOST_REMEMBERED) this.owners.clear();
    this.owners.set(id, owner.id);
    return await this.forwardTo(owner, request, response);
  }

  private async forwardTo(
    window: WindowEntry,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean> {
    if (await forward(request, response, window)) return true;
    await this.options.registry.removeIfGone(window);
    return false;
  }

  private end(id: string): void {
    if (this.ended.size >= MOST_REMEMBERED) this.ended.clear();
    this.ended.add(id);
    this.switches.get(id)?.end();
  }

  /** Opens a session of an earlier server again, as if its client had introduced itself. */
  private async resume(
    id: string,
    { name, version, protocolVersion, hasRoots }: Introduction,
    url: URL,
  ): Promise<void> {
    const under = this.resuming.get(id);
    if (under !== undefined) {
      await under;
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
    const made = channel
      .start({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, { listen: false })
      .then(ignore, ignore)
      .finally(() => {
        channel.drop();
        this.resuming.delete(id);
      });
    this.resuming.set(id, made);
    await made;
  }
}

const ignore = (): void => undefined;

function urlOf(request: IncomingMessage): URL {
  return new URL(request.url ?? '/', 'http://localhost');
}

/** What a window answers to a short question; undefined when it does not. */
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
