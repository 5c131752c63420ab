import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { makePrivateFolder, writePrivate } from '../shared/privateFiles';
import { readRegularFile } from '../shared/regularFile';

/** Where and since when (ISO 8601) another program was found on the clients' port. */
export interface Sighting {
  readonly port: number;
  readonly at: string;
}

/**
 * Whether another program may know the clients' key: one that had the clients' port while clients had the key, which
 * they send to whoever listens there. What the windows remember of it lies beside the key, each fact in a file of its
 * own, so that windows which write at once lose nothing. No file holds the key, only what tells it from others.
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

  /** A key that nobody was given, before it can be. Every other one counts as given: of an older version nothing is known. */
  async made(key: string): Promise<void> {
    await writePrivate(this.unused, printOf(key));
  }

  /** A client is about to be given the key, with an address of this port. */
  async given(key: string, port: number): Promise<void> {
    await rm(this.unused, { force: true });
    const taken = await this.read(this.taken);
    if (taken?.port === port && taken.owner === this.machine) await this.note(key, taken);
  }

  /** Another program has the port. @returns whether it may know the key, also where that cannot be remembered */
  async portTaken(key: string, port: number): Promise<Sighting | undefined> {
    const found = { port, at: new Date().toISOString() };
    await makePrivateFolder(this.home);
    await this.write(this.taken, this.machine, found).catch(() => undefined);
    if (!(await this.isGiven(key))) return undefined;
    await this.note(key, found).catch(() => undefined);
    return found;
  }

  /** One of the person's windows has the port: a client that is given the key from now on sends it there. */
  async portHeld(port: number): Promise<void> {
    if ((await this.read(this.taken))?.port === port) await rm(this.taken, { force: true });
  }

  /** Undefined as well when the person has said that the key is kept. */
  async sighting(key: string): Promise<Sighting | undefined> {
    const seen = await this.read(this.seen);
    return seen?.owner === printOf(key) ? { port: seen.port, at: seen.at } : undefined;
  }

  /** The person keeps the key, knowing that it may be known. */
  async dismiss(): Promise<void> {
    await rm(this.seen, { force: true });
  }

  private async isGiven(key: string): Promise<boolean> {
    const unused = await readRegularFile(this.unused).then(String, () => undefined);
    return unused !== printOf(key);
  }

  private async note(key: string, { port, at }: Sighting): Promise<void> {
    await this.write(this.seen, printOf(key), { port, at });
  }

  private async write(file: string, owner: string, { port, at }: Sighting): Promise<void> {
    await writePrivate(file, JSON.stringify({ owner, port, at }));
  }

  private async read(file: string): Promise<(Sighting & { readonly owner: string }) | undefined> {
    try {
      const value: unknown = JSON.parse(String(await readRegularFile(file)));
      return isRemembered(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Tells one key from another, and nothing else of it. */
function printOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function isRemembered(value: unknown): value is Sighting & { readonly owner: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { owner, port, at } = { owner: undefined, port: undefined, at: undefined, ...value };
  return (
    typeof owner === 'string' &&
    Number.isInteger(port) &&
    typeof at === 'string' &&
    !Number.isNaN(Date.parse(at))
  );
}
