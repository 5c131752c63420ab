import type { ClientKeys } from '../server/guard';
import { KeyExposure, type Sighting } from './keyExposure';
import { KeyFile, NOT_KEPT, type KeptKey } from './keyFile';

export interface WindowKeyEvents {
  /** Called when the key has changed. Connections and sessions with the old key must end. */
  readonly onDidChange: () => Promise<void>;
  /**
   * Called when the offered key has changed. Only sessions and connections that were opened with the old key must end.
   */
  readonly onDidChangeOffered: () => Promise<void>;
  /** Called when the sighting of the key by another program has changed. */
  readonly onDidChangeSighting: () => void;
}

/**
 * The clients' key as one window knows it, and whether another program may know the key. It also has the offered key.
 * Editors write the servers that an extension offers to files that others may read. So the offered server has its own
 * key, which can be renewed without affecting clients that were set up.
 */
export class WindowKey {
  /** The key that admits clients to this window. Empty until it is loaded. */
  current = '';
  /** The offered key as this window knows it. Empty while it knows none. */
  private offered = '';
  /** Set if another program may know the key. */
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

  /** Renews both keys. The editor receives the offered key automatically. */
  async renew(): Promise<void> {
    await this.renewOffered();
    await this.use(await this.file.renew());
  }

  /** The key for the editor. It is created if there is none. */
  async readOffered(): Promise<string> {
    const key = await this.offeredFile.read();
    await this.useOffered(key);
    return key;
  }

  /** Renews the offered key. Does nothing if none was ever created. */
  async renewOffered(): Promise<void> {
    if (this.offeredFile.readNow() !== undefined)
      await this.useOffered(await this.offeredFile.renew());
  }

  /** Called when another window has renewed one of the keys. */
  async reload(): Promise<void> {
    await this.useOffered(this.offeredFile.readNow() ?? this.offered);
    await this.use(await this.file.read());
  }

  /** Called before a client receives the key together with the address of a port. */
  async given(port: number): Promise<void> {
    const key = await this.file.read();
    await this.exposure.given(key, port);
    await this.updateSighting(key);
  }

  /** Called if the person keeps the key although another program may know the key. */
  async keep(): Promise<void> {
    await this.exposure.dismiss();
    await this.updateSighting(await this.file.read());
  }

  /** Called when one of this person's windows has the clients' port. */
  async portAcquired(port: number): Promise<void> {
    await this.exposure.portAcquired(port);
  }

  /** Called when another program has the clients' port. */
  async portTaken(port: number): Promise<void> {
    this.sighting = await this.exposure.portTaken(this.current, port);
    // The editor may have sent its key to that program as well. The old key becomes invalid, and the editor receives
    // the new one.
    await this.renewOffered().catch(() => undefined);
  }

  async loadSighting(): Promise<void> {
    this.sighting = await this.exposure.sighting(this.current);
  }

  /** The keys that this window has read. */
  get loaded(): readonly string[] {
    return [this.current, this.offered].filter((key) => key !== '');
  }

  /** The keys for one request. */
  get forRequest(): ClientKeys {
    return { clients: this.clientsForRequest(), offered: this.offeredForRequest() };
  }

  /** The offered key for one request or for a session id. Empty if there is none. */
  offeredForRequest(): string {
    const key = this.offeredFile.readNow();
    if (key === undefined || key === this.offered) return this.offered;
    queueMicrotask(() => void this.useOffered(key).catch(() => undefined));
    return key;
  }

  /**
   * The clients' key for one request. The file is read each time, because another window may renew the key while this
   * one is suspended. This one then receives requests with the old key when it resumes.
   */
  private clientsForRequest(): string {
    const key = this.file.readNow();
    if (key === undefined || key === this.current) return this.current;
    // This runs after the current request was admitted. Its connection was not opened with the old key.
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
    // Only a change is reported, because a listener may request the address, which hands out the key again.
    if (now?.port === before?.port && now?.at === before?.at) return;
    this.sighting = now;
    this.events.onDidChangeSighting();
  }
}
