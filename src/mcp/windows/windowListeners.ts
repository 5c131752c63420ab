import { randomBytes } from 'node:crypto';
import { KeyDoor, type ClientKeys } from '../server/guard';
import type { McpHttpServer } from '../server/httpServer';
import { urlOfListener, type HttpListener } from '../server/listener';
import { ProofDoor } from './proofDoor';
import type { WindowAddress } from './windowConnection';

/**
 * The ports that a window listens on: its own port, for other windows and the bridge, and the clients' port while the
 * window has it.
 */
export class WindowListeners {
  private secret = '';
  private own: HttpListener | undefined;
  private clients: HttpListener | undefined;
  /** All listeners on the clients' port since the start. Connections on closed listeners continue. */
  private readonly allOfClients = new Set<HttpListener>();

  constructor(
    private readonly id: string,
    private readonly server: () => McpHttpServer,
    private readonly keys: () => ClientKeys,
  ) {}

  get isOpen(): boolean {
    return this.own !== undefined;
  }

  get ownPort(): number | undefined {
    return this.own?.port;
  }

  /** The URL of this window for clients. Undefined while it does not have the clients' port. */
  get clientsUrl(): string | undefined {
    return this.clients === undefined ? undefined : urlOfListener(this.clients);
  }

  /** The address of the window's own port. */
  get address(): WindowAddress {
    const { id, secret, own } = this;
    return { id, pid: process.pid, host: own?.host ?? '', port: own?.port ?? 0, secret };
  }

  isOwn(listener: HttpListener): boolean {
    return listener === this.own;
  }

  /** Opens the window's own port. @param notPort the clients' port, which the system might assign */
  async openOwn(notPort: number): Promise<void> {
    this.secret = randomBytes(32).toString('base64url');
    const open = async (): Promise<HttpListener> =>
      await this.server().open(0, new ProofDoor(this.id, this.secret));
    const listener = await open();
    // The clients' port stays open until another port is assigned. Otherwise the system might assign it again.
    this.own = listener.port === notPort ? await open().finally(() => listener.close()) : listener;
  }

  /** @throws NodeJS.ErrnoException `EADDRINUSE` */
  async openForClients(port: number): Promise<void> {
    const retired = [...this.allOfClients].find((listener) => listener.port === port);
    if (retired?.resume() === true) {
      this.clients = retired;
      return;
    }
    this.clients = await this.server().open(port, new KeyDoor(this.keys));
    this.allOfClients.add(this.clients);
  }

  /** Lets clients that are connected to the clients' port stay there, after the window has got another port. */
  retireForClients(): void {
    this.clients?.retire();
    this.clients = undefined;
  }

  /** Stops accepting connections of clients. Open connections continue. */
  closeForClients(): void {
    this.clients?.close();
    this.clients = undefined;
  }

  /** Ends the connections of clients whose key is no longer valid. */
  cut(valid: readonly string[]): void {
    for (const listener of this.allOfClients) listener.cut(valid);
  }

  /** Called after the server and all its listeners were closed. */
  forget(): void {
    this.own = undefined;
    this.clients = undefined;
    this.allOfClients.clear();
  }
}
