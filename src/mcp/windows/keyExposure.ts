import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { makePrivateFolder, writePrivate } from '../shared/privateFiles';
import { readRegularFile } from '../shared/regularFile';

/** The port on which another program was found, and the time (ISO 8601). */
export interface Sighting {
  readonly port: number;
  readonly at: string;
}

/**
 * Records whether another program may know the clients' key, because clients send it to any program that listens on the
 * clients' port. Each fact has its own file next to the key, so that concurrent writes of windows lose nothing. The
 * files contain only the hash of the key.
 */
export class KeyExposure {
  private readonly unused: string;
  private readonly seen: string;
  private readonly taken: string;

  constructor(
    private readonly home: string,
    private readonly machine = hostname(),
  ) {
    this.unused = path.join(home, 'key.unused');
    this.seen = path.join(home, 'key.seen');
    this.taken = path.join(home, 'port.taken');
  }

  /**
   * Records a new key, which no client has yet. All other keys count as given, because older versions recorded nothing.
   */
  async made(key: string): Promise<void> {
    await writePrivate(this.unused, hashOf(key));
  }

  /** Called before a client receives the key together with the address of a port. */
  async given(key: string, port: number): Promise<void> {
    await rm(this.unused, { force: true });
    const taken = await this.read(this.taken);
    if (taken?.port === port && taken.owner === this.machine) await this.note(key, taken);
  }

  /**
   * Called if another program has the port.
   * @returns the sighting if it may know the key, even if it cannot be recorded
   */
  async portTaken(key: string, port: number): Promise<Sighting | undefined> {
    const found = { port, at: new Date().toISOString() };
    await makePrivateFolder(this.home);
    await this.write(this.taken, this.machine, found).catch(() => undefined);
    if (!(await this.isGiven(key))) return undefined;
    await this.note(key, found).catch(() => undefined);
    return found;
  }

  /**
   * Called if one of the person's windows has the port. Clients that receive the key from now on send it to that
   * window.
   */
  async portAcquired(port: number): Promise<void> {
    if ((await this.read(this.taken))?.port === port) await rm(this.taken, { force: true });
  }

  /** The sighting of a key. Undefined if there is none, or if the person has decided to keep the key. */
  async sighting(key: string): Promise<Sighting | undefined> {
    const seen = await this.read(this.seen);
    return seen?.owner === hashOf(key) ? { port: seen.port, at: seen.at } : undefined;
  }

  /** Called if the person keeps the key, although another program may know the key. */
  async dismiss(): Promise<void> {
    await rm(this.seen, { force: true });
  }

  private async isGiven(key: string): Promise<boolean> {
    const unused = await readRegularFile(this.unused).then(String, () => undefined);
    return unused !== hashOf(key);
  }

  private async note(key: string, { port, at }: Sighting): Promise<void> {
    await this.write(this.seen, hashOf(key), { port, at });
  }

  private async write(file: string, owner: string, { port, at }: Sighting): Promise<void> {
    await writePrivate(file, JSON.stringify({ owner, port, at }));
  }

  private async read(file: string): Promise<(Sighting & { readonly owner: string }) | undefined> {
    try {
      const value: unknown = JSON.parse(String(await readRegularFile(file)));
      return isRecord(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Identifies a key without revealing it. */
function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function isRecord(value: unknown): value is Sighting & { readonly owner: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { owner, port, at } = { owner: undefined, port: undefined, at: undefined, ...value };
  return (
    typeof owner === 'string' &&
    Number.isInteger(port) &&
    typeof at === 'string' &&
    !Number.isNaN(Date.parse(at))
  );
}
