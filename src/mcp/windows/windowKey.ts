import { KeyExposure, type Sighting } from './keyExposure';
import { KeyFile, type KeptKey } from './keyFile';

export interface WindowKeyEvents {
  /** The key has changed: connections and sessions of the old one have to end. */
  readonly onDidChange: (key: string) => Promise<void>;
  /** It has changed whether another program may know the key. */
  readonly onDidChangeSighting: () => void;
}

/** The clients' key as one window knows it, and whether another program may know it. */
export class WindowKey {
  /** The key that this window lets clients in with; empty until it was loaded. */
  current = '';
  /** Another program may know the key. */
  sighting: Sighting | undefined;
  private readonly file: KeyFile;
  private readonly exposure: KeyExposure;

  constructor(
    home: string,
    kept: KeptKey,
    private readonly events: WindowKeyEvents,
  ) {
    this.file = new KeyFile(home, kept);
    this.exposure = new KeyExposure(home);
  }

  async read(): Promise<string> {
    return await this.file.read();
  }

  async load(): Promise<void> {
    this.current = await this.file.read();
  }

  async renew(): Promise<void> {
    await this.use(await this.file.renew());
  }

  /** Another window has renewed the key. */
  async reload(): Promise<void> {
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
  }

  async loadSighting(): Promise<void> {
    this.sighting = await this.exposure.sighting(this.current);
  }

  /**
   * The key for one request. The file is read each time: this window may sleep while another one renews the key, and
   * wake up to requests with the old one.
   */
  forRequest(): string {
    const key = this.file.readNow();
    if (key === undefined || key === this.current) return this.current;
    // After this request was let in: its own connection was not opened with the old key.
    queueMicrotask(() => void this.use(key).catch(() => undefined));
    return key;
  }

  private async use(key: string): Promise<void> {
    if (key === this.current) return;
    this.current = key;
    await this.events.onDidChange(key);
    this.sighting = await this.exposure.sighting(key);
    this.events.onDidChangeSighting();
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
