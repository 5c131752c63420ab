import { randomBytes } from 'node:crypto';
import { link, rm } from 'node:fs/promises';
import path from 'node:path';
import { draftOf, makePrivateFolder, writeDraft, writePrivate } from '../shared/privateFiles';
import { readRegularFile, readRegularFileNow } from '../shared/regularFile';
import { KeyExposure } from './keyExposure';

/** Stores the key in case the file is lost: VS Code's secret storage. */
export interface KeptKey {
  get(): PromiseLike<string | undefined>;
  store(key: string): PromiseLike<void>;
}

/**
 * The names of the files: the file of the clients' key, and the file of the key that editors receive with the offered
 * server.
 */
const NAMES = { clients: 'key', offered: 'key.offered' } as const;
const MAX_KEY_BYTES = 1024;

/** The storage for a key that is created again if its file is lost. */
export const NOT_KEPT: KeptKey = {
  get: () => Promise.resolve(undefined),
  store: () => Promise.resolve(),
};

/**
 * A key that admits clients. The file is authoritative, because several editors share it, but each editor has its own
 * secret storage. The storage keeps the key in case the file is lost.
 */
export class KeyFile {
  private readonly file: string;
  private readonly exposure: KeyExposure;

  constructor(
    private readonly home: string,
    private readonly kept: KeptKey,
    private readonly kind: keyof typeof NAMES = 'clients',
  ) {
    this.file = path.join(home, NAMES[kind]);
    this.exposure = new KeyExposure(home);
  }

  /** Reads the key, or creates one. If several windows create one at the same time, one of them wins. */
  async read(): Promise<string> {
    const existing = await this.existing();
    if (existing !== undefined) return existing;
    await makePrivateFolder(this.home);
    const stored = await this.kept.get();
    const offered = isKey(stored) ? stored : await this.make();
    await this.offer(offered);
    const key = (await this.existing()) ?? offered;
    if (key !== stored) await this.kept.store(key);
    return key;
  }

  /** The current key. Undefined if the file cannot be read. */
  readNow(): string | undefined {
    try {
      const text = readRegularFileNow(this.file, MAX_KEY_BYTES).toString();
      return isKey(text) ? text : undefined;
    } catch {
      return undefined;
    }
  }

  async renew(): Promise<string> {
    await makePrivateFolder(this.home);
    const key = await this.make();
    await writePrivate(this.file, key);
    await this.kept.store(key);
    return key;
  }

  private async make(): Promise<string> {
    const key = randomBytes(32).toString('base64url');
    if (this.kind === 'clients') await this.exposure.made(key);
    return key;
  }

  private async existing(): Promise<string | undefined> {
    const text = await readRegularFile(this.file, MAX_KEY_BYTES).then(String, () => undefined);
    return isKey(text) ? text : undefined;
  }

  /** Writes the key, unless there is one. */
  private async offer(key: string): Promise<void> {
    const draft = draftOf(this.file);
    await writeDraft(draft, Buffer.from(key), { mode: 0o600 });
    // The file system has no links, or the file contains no key.
    await link(draft, this.file).catch(async () => {
      if ((await this.existing()) === undefined) await writePrivate(this.file, key);
    });
    await rm(draft, { force: true });
  }
}

function isKey(text: string | undefined): text is string {
  return text !== undefined && /^[\w-]{43,}$/.test(text);
}
