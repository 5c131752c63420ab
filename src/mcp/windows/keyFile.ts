import { randomBytes } from 'node:crypto';
import { link, rm } from 'node:fs/promises';
import path from 'node:path';
import { draftOf, makePrivateFolder, writeDraft, writePrivate } from '../shared/privateFiles';
import { readRegularFile, readRegularFileNow } from '../shared/regularFile';
import { KeyExposure } from './keyExposure';

/** Where a key outlives the file: VS Code's secret storage. */
export interface KeptKey {
  get(): PromiseLike<string | undefined>;
  store(key: string): PromiseLike<void>;
}

const NAME = 'key';
const MOST_KEY_BYTES = 1024;

/**
 * The key that clients have. The file is the truth, because windows of several editors share it and secret storages
 * are each editor's own; the storage keeps the key for the day the file is lost.
 */
export class KeyFile {
  private readonly file: string;
  private readonly exposure: KeyExposure;

  constructor(
    private readonly home: string,
    private readonly kept: KeptKey,
  ) {
    this.file = path.join(home, NAME);
    this.exposure = new KeyExposure(home);
  }

  /** The key, made when there is none; of several windows that make one at once, one wins. */
  async read(): Promise<string> {
    const known = await this.known();
    if (known !== undefined) return known;
    await makePrivateFolder(this.home);
    const stored = await this.kept.get();
    const offered = isKey(stored) ? stored : await this.make();
    await this.offer(offered);
    const key = (await this.known()) ?? offered;
    if (key !== stored) await this.kept.store(key);
    return key;
  }

  /** The key that counts at this moment; undefined where the file cannot be read. */
  readNow(): string | undefined {
    try {
      const text = readRegularFileNow(this.file, MOST_KEY_BYTES).toString();
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
    await this.exposure.made(key);
    return key;
  }

  private async known(): Promise<string | undefined> {
    const text = await readRegularFile(this.file, MOST_KEY_BYTES).then(String, () => undefined);
    return isKey(text) ? text : undefined;
  }

  /** Puts the key there whole, unless one is there. */
  private async offer(key: string): Promise<void> {
    const draft = draftOf(this.file);
    await writeDraft(draft, Buffer.from(key), { mode: 0o600 });
    // A file system without links, or a file that holds no key.
    await link(draft, this.file).catch(async () => {
      if ((await this.known()) === undefined) await writePrivate(this.file, key);
    });
    await rm(draft, { force: true });
  }
}

function isKey(text: string | undefined): text is string {
  return text !== undefined && /^[\w-]{43,}$/.test(text);
}
