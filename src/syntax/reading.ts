import path from 'node:path';
import { MAX_SCANNED } from '../util/projectText';
import { ReadingThread } from './readingThread';

/** In plain Node, the thread's file is beside the folders of the layers. */
let thread = new ReadingThread(path.join(__dirname, '../syntaxWorker.js'), {});

/** Sets the folder of the bundled file of the thread, in which the grammars are, too. */
export function setReadingFolder(folder: string): void {
  thread = new ReadingThread(path.join(folder, 'syntaxWorker.js'), { grammars: folder });
}

/** Ends the thread in which texts are read. The next text starts another one. */
export async function endReading(): Promise<void> {
  await thread.end();
}

/**
 * Reads a source text in a thread of its own, so that no text of a project blocks the host. Returns undefined if that
 * took too long or too much memory, which is then remembered, or if the text is longer than `MAX_SCANNED`.
 * @param name the name of the reader in `syntaxWorker.ts`
 * @param args the arguments of the reader, which are copied, as its result is
 * @throws Error if the reader throws, or the thread cannot be started
 */
export async function inThread<R extends (...args: never[]) => unknown>(
  name: string,
  ...args: Parameters<R>
): Promise<Awaited<ReturnType<R>> | undefined> {
  if (args.some((each: unknown) => typeof each === 'string' && each.length > MAX_SCANNED))
    return undefined;
  return (await thread.read(name, args)) as Awaited<ReturnType<R>> | undefined;
}
