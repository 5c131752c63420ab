import type { FileEntry, GrowingFile, SessionFiles } from '../../../src/investigation/files';

/** Files of investigations in memory. */
export class MemoryFiles implements SessionFiles {
  readonly kept = new Map<string, Uint8Array>();

  async sessions(): Promise<readonly string[]> {
    return [...new Set([...this.kept.keys()].map((key) => key.slice(0, key.indexOf('/'))))];
  }

  async entries(sid: string): Promise<readonly FileEntry[]> {
    return [...this.kept]
      .filter(([key]) => key.startsWith(`${sid}/`))
      .map(([key, data]) => ({
        path: key.slice(sid.length + 1),
        size: data.byteLength,
        changedAt: 0,
      }));
  }

  async read(sid: string, path: string, mostBytes: number): Promise<Uint8Array | undefined> {
    return this.kept.get(`${sid}/${path}`)?.subarray(0, mostBytes);
  }

  async write(sid: string, path: string, data: string | Uint8Array): Promise<void> {
    this.kept.set(
      `${sid}/${path}`,
      typeof data === 'string' ? new TextEncoder().encode(data) : data,
    );
  }

  async grow(sid: string, path: string): Promise<GrowingFile> {
    await this.write(sid, path, '');
    return {
      append: async (text) =>
        await this.write(
          sid,
          path,
          Buffer.concat([this.kept.get(`${sid}/${path}`) ?? Buffer.of(), Buffer.from(text)]),
        ),
      close: () => Promise.resolve(),
    };
  }

  async *pieces(sid: string, path: string): AsyncIterable<Uint8Array> {
    const data = this.kept.get(`${sid}/${path}`);
    if (data !== undefined) yield data;
  }

  async remove(sid: string): Promise<void> {
    for (const key of [...this.kept.keys()]) if (key.startsWith(`${sid}/`)) this.kept.delete(key);
  }

  text(sid: string, path: string): string {
    return new TextDecoder().decode(this.kept.get(`${sid}/${path}`));
  }
}
