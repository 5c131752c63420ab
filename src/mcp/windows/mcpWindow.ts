import { randomBytes } from 'node:crypto';
import type { ToolServices } from '../../tools/services';
import { defined } from '../../util/defined';
import { Listeners } from '../../util/listeners';
import { SerialQueue } from '../../util/serialQueue';
import { createClientServer } from '../server/clientServer';
import { DebuggerEvents } from '../server/debuggerEvents';
import { McpHttpServer } from '../server/httpServer';
import { SessionIds } from '../server/sessionIds';
import { makePrivateFolder } from '../shared/privateFiles';
import { installBridge } from './installBridge';
import { OwnEntry } from './ownEntry';
import { PortTaken, PublicPort, type Holding } from './publicPort';
import { nameOf, RELOAD_LIMIT_MS, WindowRegistry } from './registry';
import { SessionRoutes } from './sessionRoutes';
import { WindowKey } from './windowKey';
import { WindowListeners } from './windowListeners';
import { withSighting, type State, type WindowOptions } from './windowOptions';

/**
 * One window's part in the MCP server: its own port for the other windows, its entry in the registry, and the clients'
 * port while this window has it. Requests to start, stop and so on are carried out one at a time.
 */
export class McpWindow {
  readonly id = randomBytes(4).toString('hex');
  state: State = { kind: 'off' };
  private readonly registry: WindowRegistry;
  private readonly key: WindowKey;
  private readonly clientsPort: PublicPort;
  private readonly routes: SessionRoutes;
  private readonly listeners: WindowListeners;
  private readonly entry: OwnEntry;
  private readonly windowsChanged = new Listeners();
  private readonly queue = new SerialQueue();
  private server: McpHttpServer | undefined;
  private watches: readonly { close(): void }[] = [];
  /** The person, or the setting, has the server on. */
  private isRequested = false;
  private isDisposed = false;
  private isChangePending = false;

  constructor(
    private readonly services: ToolServices,
    private readonly options: WindowOptions,
  ) {
    this.registry = new WindowRegistry(options.home);
    this.key = new WindowKey(options.home, options.key, {
      onDidChange: async () => {
        this.listeners.cut(this.key.known);
        // Ids that were issued under the old key are no longer valid.
        await this.server?.closeSessions();
      },
      onDidChangeOffered: async () => {
        this.listeners.cut(this.key.known);
        await this.server?.closeInvalidSessions((id) => this.routes.read(id) !== undefined);
        // The editor asks for the offered server again.
        this.show(this.state);
      },
      onDidChangeSighting: () => this.show(this.state),
    });
    this.listeners = new WindowListeners(
      this.id,
      () => this.openServer(),
      () => this.key.forRequest,
    );
    this.entry = new OwnEntry(this.registry, this.listeners, options);
    this.clientsPort = this.createClientsPort();
    this.routes = this.createRoutes();
  }

  /** The person has changed what front ends may do. */
  relayChanged(): void {
    this.server?.relayChanged();
  }

  /** Resolves when clients reach this window, or it has failed: see `state`. */
  async start({ fromOthers }: { readonly fromOthers: boolean }): Promise<void> {
    this.isRequested = true;
    await this.queue.run(async () => {
      const { kind } = this.state;
      const isServed = kind === 'on' || (kind === 'elsewhere' && !fromOthers);
      if (this.isRequested && !isServed) await this.serve(fromOthers);
    });
  }

  async stop(): Promise<void> {
    this.isRequested = false;
    await this.queue.run(() => this.leave({ kind: 'off' }));
  }

  async restart(): Promise<void> {
    const fromOthers = this.state.kind !== 'elsewhere';
    await this.queue.run(() => this.leave({ kind: 'off' }, false));
    await this.start({ fromOthers });
  }

  /** The setting names another port. */
  async changePort(): Promise<void> {
    await this.queue.run(async () => {
      const isSame = 'port' in this.state && this.state.port === this.options.port();
      if (!this.isRequested || isSame) return;
      this.clientsPort.release({ isStopped: false });
      await this.serve(false);
    });
  }

  /** The window's folders have changed. */
  async describeAnew(): Promise<void> {
    await this.queue.run(() => this.entry.publish());
  }

  /** Ends the old key at once, with every connection that was opened with it. */
  async renewKey(): Promise<void> {
    await this.key.renew();
    await this.routes.announceKey();
  }

  /** A client is about to be given the key, with the address of a port. */
  async keyGiven(port: number): Promise<void> {
    await this.key.given(port);
  }

  /** The person knows that another program may know the key, and keeps it. */
  async keepKey(): Promise<void> {
    await this.key.keep();
  }

  async readKey(): Promise<string> {
    return await this.key.read();
  }

  /** The key that an editor is given with the offered server. */
  async readOfferedKey(): Promise<string> {
    return await this.key.readOffered();
  }

  /** Ends the offered key at once, with what was opened with it. Set-up clients are not touched. */
  async renewOfferedKey(): Promise<void> {
    await this.key.renewOffered();
    await this.routes.announceKey();
  }

  /** The keys that clients are let in with, as far as this window has read them. */
  get knownKeys(): readonly string[] {
    return this.key.known;
  }

  /** Where clients reach this window; undefined while it does not have the clients' port. */
  get url(): string | undefined {
    return this.listeners.clientsUrl;
  }

  /** The window is closing: nothing is waited for. */
  dispose(): void {
    this.isDisposed = true;
    this.isRequested = false;
    this.entry.dispose();
    this.stopWatching();
    this.clientsPort.release({ isStopped: false });
    this.server?.close().catch(() => undefined);
    // A start in progress may still open a listener, and the process may go on: an extension can be switched off.
    this.queue.run(() => this.leave({ kind: 'off' }, false)).catch(() => undefined);
  }

  /** Installs the stdio bridge where clients start it: they may do so before the server is on. */
  async prepareBridge(): Promise<void> {
    const { bridge, home, mcp } = this.options;
    if (bridge === undefined) return;
    const events = new DebuggerEvents(this.services);
    try {
      await makePrivateFolder(home);
      await installBridge(home, bridge, mcp.version, (transport) =>
        createClientServer(this.services, mcp, events).connect(transport),
      );
    } finally {
      events.dispose();
    }
  }

  private createClientsPort(): PublicPort {
    return new PublicPort({
      ownId: this.id,
      registry: this.registry,
      listen: (port) => this.listeners.openForClients(port),
      unlisten: () => this.listeners.closeForClients(),
      publish: (port) => this.entry.publishPort(port),
      onFree: ({ isStopped }) => {
        this.queue.run(() => this.portFreed(isStopped)).catch(() => undefined);
      },
      onAnswer: () => this.holderAnswers(),
      answerLimitMs: this.options.answerLimitMs,
    });
  }

  private createRoutes(): SessionRoutes {
    return new SessionRoutes({
      ownId: this.id,
      registry: this.registry,
      ids: new SessionIds(() => this.key.current),
      offeredIds: new SessionIds(() => this.key.offeredForRequest()),
      port: this.clientsPort,
      server: () => this.openServer(),
      own: () => this.listeners.address,
      onDidChange: (listener) => this.windowsChanged.add(listener),
      onDidMove: () => this.clientsChanged(),
      onKeyRenewed: () => this.key.reload(),
      log: (call) => this.options.mcp.log(call),
      reloadLimitMs: this.options.reloadLimitMs ?? RELOAD_LIMIT_MS,
    });
  }

  private openServer(): McpHttpServer {
    this.server ??= new McpHttpServer(this.services, {
      ...this.options.mcp,
      ...defined({ loopback: this.options.loopback }),
      key: () => this.key.current,
      onDidChangeClients: () => this.clientsChanged(),
      sessionId: (request, introduction) => this.routes.idFor(request, introduction),
      connection: (transport, request, id) => this.routes.connect(transport, request, id),
      route: (request, response, { listener, isOffered }) => {
        const isPublic = !this.listeners.isOwn(listener);
        return this.routes.route(request, response, { isPublic, isOffered });
      },
    });
    return this.server;
  }

  /** Takes part in the server: with the clients' port, or through the window that has it. */
  private async serve(fromOthers: boolean): Promise<void> {
    if (!this.isRequested || this.isDisposed) return;
    this.show({ kind: 'starting' });
    const port = this.options.port();
    try {
      // The setting names the port that this window has opened for the others: it opens another one.
      if (this.listeners.ownPort === port) await this.leave({ kind: 'starting' }, false);
      await this.registry.prepare();
      // Before any request: the ids of sessions are signed with the key.
      await this.key.load();
      await this.join();
      const holding = await this.clientsPort.take(port, { fromOthers });
      if (holding.kind === 'held') await this.key.portHeld(port);
      await this.key.loadSighting();
      this.show(stateOf(holding, port, this.clients));
    } catch (error) {
      if (error instanceof PortTaken) await this.key.portTaken(error.port);
      await this.leave({ kind: 'failed', error, isPortTaken: error instanceof PortTaken });
      this.watchForServer();
    }
  }

  /** Makes this window one that other windows reach. */
  private async join(): Promise<void> {
    if (this.listeners.isOpen) return;
    await this.listeners.openOwn(this.options.port());
    await this.entry.publish();
    this.watchWindows();
    // The bridge may fail: clients over HTTP do not need it.
    await this.prepareBridge().catch(() => undefined);
  }

  private async leave(state: State, isStopped = state.kind === 'off'): Promise<void> {
    this.clientsPort.release({ isStopped });
    this.stopWatching();
    await this.entry.remove();
    await this.server?.close();
    // Only now: a request that comes until then is answered by this server, and creates no other.
    this.server = undefined;
    this.listeners.forget();
    this.entry.forgetPort();
    this.show(state);
  }

  /** The window that had the clients' port has closed or given it up. */
  private async portFreed(isStopped: boolean): Promise<void> {
    // Something else has settled the matter meanwhile: the setting names another port, for instance.
    if (this.server === undefined || this.clientsPort.isSettled) return;
    if (!isStopped) {
      await this.serve(false);
      return;
    }
    // The person stopped the server in that window. When it is started again anywhere, this window joins.
    await this.leave({ kind: 'off' });
    this.watchForServer();
  }

  private holderAnswers(): void {
    const { state } = this;
    if (state.kind !== 'elsewhere') return;
    const { kind, port, clients, holder } = state;
    this.show({ kind, port, clients, holder });
  }

  /** Joins when a window serves on the clients' port. */
  private watchForServer(): void {
    if (!this.isRequested || this.isDisposed) return;
    const joinIfServed = async (): Promise<void> => {
      const port = this.options.port();
      if (!(await this.registry.list()).some((window) => window.serves === port)) return;
      await this.queue.run(async () => {
        if (this.server === undefined) await this.serve(false);
      });
    };
    this.watches = [this.registry.watch(() => void joinIfServed().catch(() => undefined))];
  }

  private watchWindows(): void {
    this.watches = [
      this.registry.watch(() => {
        // A file that is replaced is reported several times.
        if (this.isChangePending) return;
        this.isChangePending = true;
        setImmediate(() => {
          this.isChangePending = false;
          this.windowsChanged.notify();
          this.queue.run(() => this.entry.restore()).catch(() => undefined);
        });
      }),
    ];
  }

  private stopWatching(): void {
    for (const watch of this.watches) watch.close();
    this.watches = [];
  }

  /** The number of clients whose calls this window answers. */
  private get clients(): number {
    return (this.server?.present ?? []).filter((id) => !this.routes.isElsewhere(id)).length;
  }

  private clientsChanged(): void {
    if (this.state.kind === 'on' || this.state.kind === 'elsewhere')
      this.show({ ...this.state, clients: this.clients });
  }

  private show(state: State): void {
    this.state = withSighting(state, this.key.sighting);
    if (!this.isDisposed) this.options.onDidChange(this.state);
  }
}

function stateOf(holding: Holding, port: number, clients: number): State {
  if (holding.kind === 'held') return { kind: 'on', port, clients };
  const elsewhere = { kind: 'elsewhere', port, clients, holder: nameOf(holding.holder) } as const;
  return holding.isSilent ? { ...elsewhere, isSilent: true } : elsewhere;
}
