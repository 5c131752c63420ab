import type { ToolServices } from '../../services';
import { pythonWrites } from './pythonWrites';
import type { FileWrite } from './plannedProbes';
import type { Language, SourceWrites } from './writes';

/** The sources in which writes are searched. */
export interface WriteSources {
  readonly writes: readonly FileWrite[];
  /** The files whose lines were read, and those that could not be read. */
  readonly searched: readonly string[];
  readonly unread: readonly string[];
  readonly byFile: ReadonlyMap<string, SourceWrites>;
}

/** Reads the sources of files. */
export async function readWrites(
  { workspace }: Pick<ToolServices, 'workspace'>,
  files: readonly string[],
  language: Language,
): Promise<WriteSources> {
  const byFile = new Map<string, SourceWrites>();
  for (const file of files) {
    const text = (await workspace.readSource(file))?.lines.join('\n');
    const found = text === undefined ? undefined : await writesIn(text, file, language);
    if (found !== undefined) byFile.set(file, found);
  }
  return {
    byFile,
    writes: [...byFile].flatMap(([path, { writes }]) => writes.map((write) => ({ path, write }))),
    searched: [...byFile.keys()],
    unread: files.filter((file) => !byFile.has(file)),
  };
}

async function writesIn(
  text: string,
  file: string,
  language: Language,
): Promise<SourceWrites | undefined> {
  if (language !== 'javascript') return /\.pyw?$/i.test(file) ? pythonWrites(text) : undefined;
  if (!/\.[cm]?[jt]sx?$/i.test(file)) return undefined;
  const { javaScriptWrites } = await import(
    /* webpackChunkName: "javascript" */ './javaScriptWrites.js'
  );
  return javaScriptWrites(text, file);
}
