import { randomBytes } from 'node:crypto';
import type { ToolServices } from '../../tools/services';
import { defined } from '../../util/defined';
import { Listeners } from '../../util/listeners';
import { SerialQueue } from '../../util/serialQueue';
import { McpHttpServer } from '../server/httpServer';
import { SessionIds } from '../server/sessionIds';
import { OwnEntry } from './ownEntry';
import { prepareBridge } from './prepareBridge';
import { PortTaken, PublicPort, type Holding } from './publicPort';
import { nameOf, RELOAD_LIMIT_MS, WindowRegistry } from './registry';
import { RegistryWatch } from './registryWatch';
import { SessionRoutes } from './sessionRoutes';
import { WindowKey } from './windowKey';
import { WindowListeners } from './windowListeners';
import { withSighting, type State, type WindowOptions } from './windowOptions';

/**
 * One window's part in the MCP server: its own port for the other windows, its entry in the registry, and the clients'
 * port while this window has it. Requests to start, stop and so on are processed one at a time.
 */
export class McpWindow {
  readonly id = randomBytes(4).toString('hex');
  state: State = { kind: 'off' };
  private readonly registry: WindowRegistry;
  private readonly watch: RegistryWatch;
  private readonly key: WindowKey;
  private readonly clientsPort: PublicPort;
  private readonly routes: SessionRoutes;
  private readonly listeners: WindowListeners;
  private readonly entry: OwnEntry;
  private readonly windowsChanged = new Listeners();
  private readonly queue = new SerialQueue();
  private server: McpHttpServer | undefined;
  /** Whether the person or the setting has switched the server on. */
  private isRequested = false;
  private isDisposed = false;

  constructor(
    private readonly services: ToolServices,
    private readonly options: WindowOptions,
  ) {
    this.registry = new WindowRegistry(options.home);
    this.watch = new RegistryWatch(this.registry);
    this.key = new WindowKey(options.home, options.key, {
      onDidChange: async () => {
        this.listeners.cut(this.key.loaded);
        // Ids that were issued under the old key are no longer valid.
        await this.server?.closeSessions();
      },
      onDidChangeOffered: async () => {
        this.listeners.cut(this.key.loaded);
        await this.server?.closeInvalidSessions((id) => this.routes.read(id) !== undefined);
        // This makes the editor request the offered server again.
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

  /** Called when the person has changed the relay's setting. */
  relayChanged(): void {
    this.server?.relayChanged();
  }

  /** Starts the server. Resolves when clients reach this window or the start has failed. See `state`. */
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

  /** Called when the setting of the port has changed. */
  async changePort(): Promise<void> {
    await this.queue.run(async () => {
      const isSame = 'port' in this.state && this.state.port === this.options.port();
      if (!this.isRequested || isSame) return;
      this.clientsPort.change();
      await this.serve(false);
    });
  }

  /** Called when the window's folders have changed. */
  async updateDescription(): Promise<void> {
    await this.queue.run(() => this.entry.publish());
  }

  /** Invalidates the old key immediately, and ends all connections that were opened with it. */
  async renewKey(): Promise<void> {
    await this.key.renew();
    await this.routes.announceKey();
  }

  /** Called before a client receives the key together with the address of a port. */
  async keyGiven(port: number): Promise<void> {
    await this.key.given(port);
  }

  /** Called if the person keeps the key although another program may know the key. */
  async keepKey(): Promise<void> {
    await this.key.keep();
  }

  async readKey(): Promise<string> {
    return await this.key.read();
  }

  /** Reads the key that the editor receives with the offered server. */
  async readOfferedKey(): Promise<string> {
    return await this.key.readOffered();
  }

  /**
   * Invalidates the offered key immediately, and ends the sessions and connections that were opened with it. Clients
   * that were set up are not affected.
   */
  async renewOfferedKey(): Promise<void> {
    await this.key.renewOffered();
    await this.routes.announceKey();
  }

  /** The keys of clients that this window has read. */
  get loadedKeys(): readonly string[] {
    return this.key.loaded;
  }

  /** The URL of this window for clients. Undefined while it does not have the clients' port. */
  get url(): string | undefined {
    return this.listeners.clientsUrl;
  }

  /** Called when the window closes. It does not wait. */
  dispose(): void {
    this.isDisposed = true;
    this.isRequested = false;
    this.entry.dispose();
    this.watch.stop();
    this.clientsPort.release({ isStopped: false });
    this.server?.close().catch(() => undefined);
    // A start in progress may still open a listener, and the process may continue if only the extension is disabled.
    this.queue.run(() => this.leave({ kind: 'off' }, false)).catch(() => undefined);
  }

  /** Installs the stdio bridge at the path that clients use, which may be before the server is on. */
  async prepareBridge(): Promise<void> {
    await prepareBridge(this.services, this.options);
  }

  private createClientsPort(): PublicPort {
    return new PublicPort({
      ownId: this.id,
      registry: this.registry,
      listen: (port) => this.listeners.openForClients(port),
      unlisten: () => this.listeners.closeForClients(),
      retire: () => this.listeners.retireForClients(),
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

  /** Takes part in the server, with the clients' port or through the window that has it. */
  private async serve(fromOthers: boolean): Promise<void> {
    if (!this.isRequested || this.isDisposed) return;
    this.show({ kind: 'starting' });
    const port = this.options.port();
    try {
      // The setting names this window's own port, so it opens another one.
      if (this.listeners.ownPort === port) await this.leave({ kind: 'starting' }, false);
      await this.registry.prepare();
      // The key is needed before any request, because session ids are signed with it.
      await this.key.load();
      await this.join();
      const holding = await this.clientsPort.take(port, { fromOthers });
      if (holding.kind === 'own') await this.key.portAcquired(port);
      await this.key.loadSighting();
      this.show(stateOf(holding, port, this.clients));
    } catch (error) {
      if (error instanceof PortTaken) await this.key.portTaken(error.port);
      await this.leave({ kind: 'failed', error, isPortTaken: error instanceof PortTaken });
      this.watchForServer();
    }
  }

  /** Opens this window for the other windows. */
  private async join(): Promise<void> {
    if (this.listeners.isOpen) return;
    await this.listeners.openOwn(this.options.port());
    await this.entry.publish();
    this.watchWindows();
    // The installation of the bridge may fail, because clients over HTTP do not need it.
    await this.prepareBridge().catch(() => undefined);
  }

  private async leave(state: State, isStopped = state.kind === 'off'): Promise<void> {
    this.clientsPort.release({ isStopped });
    this.watch.stop();
    await this.entry.remove();
    await this.server?.close();
    // The server is kept until now, so that a request during the shutdown does not create another one.
    this.server = undefined;
    this.listeners.forget();
    this.entry.forgetPort();
    this.show(state);
  }

  /** Called when the window that had the clients' port has closed or released it. */
  private async portFreed(isStopped: boolean): Promise<void> {
    // In the meantime, this may have been settled in another way, for example by another port in the setting.
    if (this.server === undefined || this.clientsPort.isSettled) return;
    if (!isStopped) {
      await this.serve(false);
      return;
    }
    // The person stopped the server in that window. This window joins when it is started again anywhere.
    await this.leave({ kind: 'off' });
    this.watchForServer();
  }

  private holderAnswers(): void {
    const { state } = this;
    if (state.kind !== 'elsewhere') return;
    const { kind, port, clients, holder } = state;
    this.show({ kind, port, clients, holder });
  }

  /** Joins when a window has the clients' port. */
  private watchForServer(): void {
    if (!this.isRequested || this.isDisposed) return;
    this.watch.forServer(
      () => this.options.port(),
      async () => {
        await this.queue.run(async () => {
          if (this.server === undefined) await this.serve(false);
        });
      },
    );
  }

  private watchWindows(): void {
    this.watch.forChanges(() => {
      this.windowsChanged.notify();
      this.queue.run(() => this.entry.restore()).catch(() => undefined);
    });
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
  if (holding.kind === 'own') return { kind: 'on', port, clients };
  const elsewhere = { kind: 'elsewhere', port, clients, holder: nameOf(holding.holder) } as const;
  return holding.isSilent ? { ...elsewhere, isSilent: true } : elsewhere;
}
