import { randomBytes } from 'node:crypto';
import type { ToolServices } from '../../tools/services';
import { createClientServer } from '../server/clientServer';
import { DebuggerEvents } from '../server/debuggerEvents';
import { KeyDoor } from '../server/guard';
import { McpHttpServer } from '../server/httpServer';
import { urlOfListener, type Listener } from '../server/listener';
import { SessionIds } from '../server/sessionIds';
import { makePrivateFolder } from '../shared/privateFiles';
import { installBridge } from './installBridge';
import { KeyExposure, type Sighting } from './keyExposure';
import { KeyFile } from './keyFile';
import { ProofDoor } from './proofDoor';
import { PortTaken, PublicPort } from './publicPort';
import { nameOf, RELOAD_LIMIT_MS, WindowRegistry } from './registry';
import { SessionRoutes } from './sessionRoutes';
import type { State, WindowOptions } from './windowOptions';

/**
 * One window's part in the MCP server: its own listener for the other windows, its entry in the registry, and the
 * clients' port while this window is the one that has it. What is asked for is done one after the other.
 */
export class McpWindow {
  readonly id = randomBytes(4).toString('hex');
  state: State = { kind: 'off' };
  private readonly registry: WindowRegistry;
  private readonly keys: KeyFile;
  private readonly exposure: KeyExposure;
  private readonly portOfClients: PublicPort;
  private readonly routes: SessionRoutes;
  private readonly startedAt = new Date().toISOString();
  private readonly listeners = new Set<() => void>();
  private secret = '';
  private key = '';
  /** Another program may know the key. */
  private seen: Sighting | undefined;
  private server: McpHttpServer | undefined;
  private own: Listener | undefined;
  private forClients: Listener | undefined;
  /** Those that were given up, too: connections that are open go on. */
  private readonly openedForClients = new Set<Listener>();
  private serves: number | undefined;
  private watches: readonly { close(): void }[] = [];
  private isWanted = false;
  private isDisposed = false;
  private isLooking = false;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly services: ToolServices,
    private readonly options: WindowOptions,
  ) {
    this.registry = new WindowRegistry(options.home);
    this.keys = new KeyFile(options.home, options.key);
    this.exposure = new KeyExposure(options.home);
    this.portOfClients = new PublicPort({
      ownId: this.id,
      registry: this.registry,
      listen: async (port) => {
        this.forClients = await this.openServer().open(port, new KeyDoor(() => this.currentKey()));
        this.openedForClients.add(this.forClients);
      },
      unlisten: () => {
        this.forClients?.close();
        this.forClients = undefined;
      },
      publish: async (port) => {
        this.serves = port;
        await this.publish();
      },
      onFree: ({ isStopped }) =>
        void this.inTurn(() => this.portFreed(isStopped)).catch(() => undefined),
      onAnswer: () => {
        const { state } = this;
        if (state.kind === 'elsewhere')
          this.show({
            kind: 'elsewhere',
            port: state.port,
            clients: state.clients,
            holder: state.holder,
          });
      },
      ...(options.answerLimitMs === undefined ? {} : { answerLimitMs: options.answerLimitMs }),
    });
    this.routes = new SessionRoutes({
      ownId: this.id,
      registry: this.registry,
      ids: new SessionIds(() => this.key),
      port: this.portOfClients,
      server: () => this.openServer(),
      own: () => ({
        id: this.id,
        pid: process.pid,
        host: this.own?.host ?? '',
        port: this.own?.port ?? 0,
        secret: this.secret,
      }),
      onDidChange: (listener) => {
        this.listeners.add(listener);
        return { dispose: () => this.listeners.delete(listener) };
      },
      onDidMove: () => this.clientsChanged(),
      onKeyRenewed: async () => await this.useKey(await this.keys.read()),
      log: (call) => options.mcp.log(call),
      reloadLimitMs: options.reloadLimitMs ?? RELOAD_LIMIT_MS,
    });
  }

  /** Resolves when clients reach this window, or it has failed: `state` says which. */
  async start({ fromOthers }: { readonly fromOthers: boolean }): Promise<void> {
    this.isWanted = true;
    await this.inTurn(async () => {
      if (
        !this.isWanted ||
        this.state.kind === 'on' ||
        (this.state.kind === 'elsewhere' && !fromOthers)
      )
        return;
      await this.serve(fromOthers);
    });
  }

  async stop(): Promise<void> {
    this.isWanted = false;
    await this.inTurn(async () => await this.leave({ kind: 'off' }));
  }

  async restart(): Promise<void> {
    const fromOthers = this.state.kind !== 'elsewhere';
    await this.inTurn(async () => await this.leave({ kind: 'off' }, false));
    await this.start({ fromOthers });
  }

  /** The setting has another port now. */
  async changePort(): Promise<void> {
    await this.inTurn(async () => {
      if (!this.isWanted || ('port' in this.state && this.state.port === this.options.port()))
        return;
      this.portOfClients.release({ isStopped: false });
      await this.serve(false);
    });
  }

  /** Folders were added or taken away. */
  async describeAnew(): Promise<void> {
    await this.inTurn(() => this.publish());
  }

  /** The old key ends at once, and with it every connection that was opened with it. */
  async renewKey(): Promise<void> {
    await this.useKey(await this.keys.renew());
    await this.routes.tellOfKey();
  }

  /** A client is about to be given the key, with an address of this port. */
  async keyGiven(port: number): Promise<void> {
    const key = await this.keys.read();
    await this.exposure.given(key, port);
    await this.lookAtKey(key);
  }

  /** The person knows that another program may know the key, and keeps it. */
  async keepKey(): Promise<void> {
    await this.exposure.dismiss();
    await this.lookAtKey(await this.keys.read());
  }

  /** Where clients reach it; undefined while no port of clients is this window's. */
  get url(): string | undefined {
    return this.forClients === undefined ? undefined : urlOfListener(this.forClients);
  }

  async readKey(): Promise<string> {
    return await this.keys.read();
  }

  /** Nothing is waited for: the window is closing. */
  dispose(): void {
    this.isDisposed = true;
    this.isWanted = false;
    this.registry.removeNow(this.id);
    for (const each of this.watches) each.close();
    this.portOfClients.release({ isStopped: false });
    this.server?.close().catch(() => undefined);
    // What was under way may have opened a listener since, in a process that goes on: an extension can be switched off.
    void this.inTurn(async () => await this.leave({ kind: 'off' }, false)).catch(() => undefined);
  }

  private async serve(fromOthers: boolean): Promise<void> {
    if (!this.isWanted || this.isDisposed) return;
    this.show({ kind: 'starting' });
    const port = this.options.port();
    try {
      // The setting names the very port that this window has for the others: it takes another.
      if (this.own?.port === port) await this.leave({ kind: 'starting' }, false);
      await this.registry.prepare();
      // Before anybody can reach it: the ids of sessions are signed with the key.
      this.key = await this.keys.read();
      await this.join();
      const holding = await this.portOfClients.take(port, { fromOthers });
      if (holding.kind === 'held') await this.exposure.portHeld(port);
      this.seen = await this.exposure.sighting(this.key);
      const clients = this.clients;
      this.show(
        holding.kind === 'held'
          ? { kind: 'on', port, clients }
          : {
              kind: 'elsewhere',
              port,
              clients,
              holder: nameOf(holding.holder),
              ...(holding.isSilent ? { isSilent: true } : {}),
            },
      );
    } catch (error) {
      if (error instanceof PortTaken)
        this.seen = await this.exposure.portTaken(this.key, error.port);
      await this.leave({ kind: 'failed', error, isPortTaken: error instanceof PortTaken });
      this.lookForOthers();
    }
  }

  /** Makes this window one that others reach. */
  private async join(): Promise<void> {
    if (this.own !== undefined) return;
    this.secret = randomBytes(32).toString('base64url');
    this.own = await this.openOwn();
    await this.publish();
    this.watch();
    // Without it clients that speak HTTP have all they need.
    await this.prepareBridge().catch(() => undefined);
  }

  /** Puts the stdio bridge where clients start it: they may do so before the server is on. */
  async prepareBridge(): Promise<void> {
    const { bridge, home, mcp } = this.options;
    if (bridge === undefined) return;
    const news = new DebuggerEvents(this.services);
    try {
      await makePrivateFolder(home);
      await installBridge(
        home,
        bridge,
        mcp.version,
        async (transport) => await createClientServer(this.services, mcp, news).connect(transport),
      );
    } finally {
      news.dispose();
    }
  }

  /** The system gives any port that is free, and so may give the one that clients are to have. */
  private async openOwn(): Promise<Listener> {
    const open = async (): Promise<Listener> =>
      await this.openServer().open(0, new ProofDoor(this.id, this.secret));
    const listener = await open();
    if (listener.port !== this.options.port()) return listener;
    // Held until another is found.
    return await open().finally(() => listener.close());
  }

  private openServer(): McpHttpServer {
    this.server ??= new McpHttpServer(this.services, {
      ...this.options.mcp,
      ...(this.options.loopback === undefined ? {} : { loopback: this.options.loopback }),
      key: () => this.key,
      onDidChangeClients: () => this.clientsChanged(),
      sessionId: (request, introduction) => this.routes.idFor(request, introduction),
      connection: (transport, request, id) => this.routes.connect(transport, request, id),
      route: async (request, response, listener) =>
        await this.routes.route(request, response, listener !== this.own),
    });
    return this.server;
  }

  private async leave(state: State, isStopped = state.kind === 'off'): Promise<void> {
    this.portOfClients.release({ isStopped });
    for (const each of this.watches) each.close();
    this.watches = [];
    await this.registry.remove(this.id);
    await this.server?.close();
    // Only now: a request that comes until then finds the server that it came to, and makes no other.
    this.server = undefined;
    this.own = undefined;
    this.forClients = undefined;
    this.openedForClients.clear();
    this.serves = undefined;
    this.show(state);
  }

  private async portFreed(isStopped: boolean): Promise<void> {
    // Meanwhile it was settled again: the setting had another port, say.
    if (this.server === undefined || this.portOfClients.isSettled) return;
    if (!isStopped) {
      await this.serve(false);
      return;
    }
    // The person stopped the server in the window that had the port: wherever it is started again, this one joins.
    await this.leave({ kind: 'off' });
    this.lookForOthers();
  }

  private lookForOthers(): void {
    if (!this.isWanted || this.isDisposed) return;
    const look = async (): Promise<void> => {
      const isServed = (await this.registry.list()).some(
        (each) => each.serves === this.options.port(),
      );
      if (isServed)
        await this.inTurn(async () =>
          this.server === undefined ? await this.serve(false) : undefined,
        );
    };
    this.watches = [this.registry.watch(() => void look().catch(() => undefined))];
  }

  private watch(): void {
    const changed = (): void => {
      if (this.isLooking) return;
      // A file that is replaced is told several times over.
      this.isLooking = true;
      setImmediate(() => {
        this.isLooking = false;
        for (const each of this.listeners) each();
        void this.keepEntry().catch(() => undefined);
      });
    };
    this.watches = [this.registry.watch(changed)];
  }

  /** Somebody cleaned up too much. */
  private async keepEntry(): Promise<void> {
    await this.inTurn(async () => {
      if (
        this.own !== undefined &&
        !(await this.registry.list()).some((each) => each.id === this.id)
      )
        await this.publish();
    });
  }

  private async publish(): Promise<void> {
    if (this.own === undefined || this.isDisposed) return;
    const { id, secret, startedAt, serves } = this;
    await this.registry.write({
      id,
      pid: process.pid,
      port: this.own.port,
      ...(this.own.host === '::1' ? { host: this.own.host } : {}),
      secret,
      ...this.options.describe(),
      version: this.options.mcp.version,
      startedAt,
      serves,
    });
  }

  private async useKey(key: string): Promise<void> {
    if (key === this.key) return;
    this.key = key;
    // Ports that were given up, too, may still have connections.
    for (const each of this.openedForClients) each.cut(key);
    // Ids that were issued under the old key are foreign from now on, whoever sends them.
    await this.server?.closeSessions();
    this.seen = await this.exposure.sighting(key);
    this.show(this.state);
  }

  private async lookAtKey(key: string): Promise<void> {
    const seen = await this.exposure.sighting(key);
    // Who is told of a change may ask for the address, and so give the key once more.
    if (seen?.port === this.seen?.port && seen?.at === this.seen?.at) return;
    this.seen = seen;
    this.show(this.state);
  }

  /** Asked for each request of a client: this window may sleep while another renews the key, and wake to requests with the old one. */
  private currentKey(): string {
    const now = this.keys.readNow();
    if (now === undefined || now === this.key) return this.key;
    // After this request was let in with it: its connection is not one that the old key opened.
    queueMicrotask(() => void this.useKey(now).catch(() => undefined));
    return now;
  }

  private get clients(): number {
    return (this.server?.present ?? []).filter((id) => !this.routes.isElsewhere(id)).length;
  }

  private clientsChanged(): void {
    if (this.state.kind === 'on' || this.state.kind === 'elsewhere')
      this.show({ ...this.state, clients: this.clients });
  }

  private show(state: State): void {
    this.state = withSighting(state, this.seen);
    if (!this.isDisposed) this.options.onDidChange(this.state);
  }

  private async inTurn(action: () => Promise<void>): Promise<void> {
    const turn = this.last.then(action, action);
    this.last = turn.catch(() => undefined);
    await turn;
  }
}

function withSighting(state: State, keySeen: Sighting | undefined): State {
  if (state.kind === 'off' || state.kind === 'starting') return state;
  const { keySeen: _before, ...rest } = state;
  return keySeen === undefined ? rest : { ...rest, keySeen };
}
