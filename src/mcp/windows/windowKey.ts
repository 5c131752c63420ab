import type { ClientKeys } from '../server/guard';
import { KeyExposure, type Sighting } from './keyExposure';
import { KeyFile, NOT_KEPT, type KeptKey } from './keyFile';

export interface WindowKeyEvents {
  /** The key has changed: connections and sessions of the old one have to end. */
  readonly onDidChange: () => Promise<void>;
  /** The offered key has changed: what was opened with the old one has to end, and nothing else. */
  readonly onDidChangeOffered: () => Promise<void>;
  /** It has changed whether another program may know the key. */
  readonly onDidChangeSighting: () => void;
}

/**
 * The clients' key as one window knows it, and whether another program may know it. Beside it is the offered key: editors
 * write what an extension offers them to files that others may read, so the offered server has a key of its own, which
 * can end without any client that was set up.
 */
export class WindowKey {
  /** The key that this window lets clients in with; empty until it was loaded. */
  current = '';
  /** The offered key as this window knows it; empty while it knows none. */
  private offered = '';
  /** Another program may know the key. */
  sighting: Sighting | undefined;
  private readonly file: KeyFile;
  private readonly offeredFile: KeyFile;
  private readonly exposure: KeyExposure;

  constructor(
    home: string,
    kept: KeptKey,
    private readonly events: WindowKeyEvents,
  ) {
    this.file = new KeyFile(home, kept);
    this.offeredFile = new KeyFile(home, NOT_KEPT, 'offered');
    this.exposure = new KeyExposure(home);
  }

  async read(): Promise<string> {
    return await this.file.read();
  }

  async load(): Promise<void> {
    this.current = await this.file.read();
  }

  /** Renews both keys: the editor gets the offered one by itself. */
  async renew(): Promise<void> {
    await this.renewOffered();
    await this.use(await this.file.renew());
  }

  /** The key that an editor is given; made when there is none. */
  async readOffered(): Promise<string> {
    const key = await this.offeredFile.read();
    await this.useOffered(key);
    return key;
  }

  /** Ends the offered key. Does nothing where none was ever made. */
  async renewOffered(): Promise<void> {
    if (this.offeredFile.readNow() !== undefined)
      await this.useOffered(await this.offeredFile.renew());
  }

  /** Another window has renewed one of the keys. */
  async reload(): Promise<void> {
    await this.useOffered(this.offeredFile.readNow() ?? this.offered);
    await this.use(await this.file.read());
  }

  /** A client is about to be given the key, with the address of a port. */
  async given(port: number): Promise<void> {
    const key = await this.file.read();
    await this.exposure.given(key, port);
    await this.updateSighting(key);
  }

  /** The person knows that another program may know the key, and keeps it. */
  async keep(): Promise<void> {
    await this.exposure.dismiss();
    await this.updateSighting(await this.file.read());
  }

  /** This person's windows have the clients' port. */
  async portHeld(port: number): Promise<void> {
    await this.exposure.portHeld(port);
  }

  /** Another program has the clients' port. */
  async portTaken(port: number): Promise<void> {
    this.sighting = await this.exposure.portTaken(this.current, port);
    // The editor may have sent it there as well. Nobody is let in with it now, and the editor gets the new one.
    await this.renewOffered().catch(() => undefined);
  }

  async loadSighting(): Promise<void> {
    this.sighting = await this.exposure.sighting(this.current);
  }

  /** The keys as far as this window has read them. */
  get known(): readonly string[] {
    return [this.current, this.offered].filter((key) => key !== '');
  }

  /** The keys for one request. */
  get forRequest(): ClientKeys {
    return { clients: this.clientsForRequest(), offered: this.offeredForRequest() };
  }

  /** The offered key for one request, or for the id of a session; empty where there is none. */
  offeredForRequest(): string {
    const key = this.offeredFile.readNow();
    if (key === undefined || key === this.offered) return this.offered;
    queueMicrotask(() => void this.useOffered(key).catch(() => undefined));
    return key;
  }

  /**
   * The clients' key for one request. The file is read each time: this window may sleep while another one renews the key, and
   * wake up to requests with the old one.
   */
  private clientsForRequest(): string {
    const key = this.file.readNow();
    if (key === undefined || key === this.current) return this.current;
    // After this request was let in: its own connection was not opened with the old key.
    queueMicrotask(() => void this.use(key).catch(() => undefined));
    return key;
  }

  private async use(key: string): Promise<void> {
    if (key === this.current) return;
    this.current = key;
    await this.events.onDidChange();
    this.sighting = await this.exposure.sighting(key);
    this.events.onDidChangeSighting();
  }

  private async useOffered(key: string): Promise<void> {
    const { offered: before } = this;
    this.offered = key;
    if (before !== '' && before !== key) await this.events.onDidChangeOffered();
  }

  private async updateSighting(key: string): Promise<void> {
    const now = await this.exposure.sighting(key);
    const { sighting: before } = this;
    // Reported only when it has changed: a listener may ask for the address, and so give the key once more.
    if (now?.port === before?.port && now?.at === before?.at) return;
    this.sighting = now;
    this.events.onDidChangeSighting();
  }
}
