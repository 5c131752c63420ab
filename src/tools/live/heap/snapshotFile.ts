import type { Turns } from '../../../results/turns';
import { SnapshotGraph } from './snapshotGraph';
import { SnapshotStream } from './snapshotStream';

/** Reads a file from a position on, in parts. */
export type FileParts = (from: number) => AsyncIterable<Uint8Array>;

/** The maximum number of bytes that are read without a pause. */
const PART = 64 * 1024;

export interface SnapshotFile {
  readonly graph: SnapshotGraph;
  /** Reads some of the strings by their indices. */
  readonly strings: (needed: ReadonlySet<number>) => Promise<ReadonlyMap<number, string>>;
}

/**
 * Reads a heap snapshot except for its strings. The host can do something else between two parts of the file.
 * @param check throws if the reading has to end
 * @throws Error if the file is no heap snapshot, or only a part of one
 */
export async function readSnapshot(
  file: FileParts,
  turns: Turns,
  check: () => void,
  makeGraph: (head: string) => SnapshotGraph = (head) => new SnapshotGraph(head),
): Promise<SnapshotFile> {
  let graph: SnapshotGraph | undefined;
  const stream = new SnapshotStream({
    head: (text) => {
      graph = makeGraph(text);
    },
    number: (list, value) => graph?.number(list, value),
    needs: () => false,
    string: () => undefined,
  });
  const feed = async (to: SnapshotStream, from: number, ends: () => boolean): Promise<void> => {
    for await (const bytes of file(from))
      for (let at = 0; at < bytes.length; at += PART) {
        check();
        to.push(bytes.subarray(at, at + PART));
        if (ends()) return;
        await turns.next();
      }
  };
  await feed(stream, 0, () => stream.stringsAt !== undefined);
  const from = stream.stringsAt;
  if (graph?.isComplete !== true || from === undefined) throw new Error('a part of a snapshot');
  return {
    graph,
    strings: async (needed) => {
      const texts = new Map<number, string>();
      const strings = SnapshotStream.ofStrings({
        needs: (index) => needed.has(index),
        string: (index, text) => texts.set(index, text),
      });
      await feed(strings, from, () => strings.isComplete);
      if (!strings.isComplete) throw new Error('a part of a snapshot');
      return texts;
    },
  };
}
