import type { ToolServices } from '../../services';
import { inThread } from '../../../syntax/reading';
import type { javaScriptScope, writesOfJavaScript } from './javaScriptWrites';
import { pythonWrites } from './pythonWrites';
import type { FileWrite } from './plannedProbes';
import type { Language, Scope, SourceWrites } from './writes';

/** As `SourceWrites`, but the scope may be read in a thread of its own. */
export interface ReadSource extends Pick<SourceWrites, 'writes'> {
  readonly scopeOf: (name: string, line: number) => Scope | Promise<Scope>;
}

/** The sources in which writes are searched. */
export interface WriteSources {
  readonly writes: readonly FileWrite[];
  /** The files whose lines were read, and those that could not be read. */
  readonly searched: readonly string[];
  readonly unread: readonly string[];
  readonly byFile: ReadonlyMap<string, ReadSource>;
}

/** Reads the sources of files. */
export async function readWrites(
  { workspace }: Pick<ToolServices, 'workspace'>,
  files: readonly string[],
  language: Language,
): Promise<WriteSources> {
  const byFile = new Map<string, ReadSource>();
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
): Promise<ReadSource | undefined> {
  if (language !== 'javascript') return /\.pyw?$/i.test(file) ? pythonWrites(text) : undefined;
  if (!/\.[cm]?[jt]sx?$/i.test(file)) return undefined;
  const writes = await inThread<typeof writesOfJavaScript>('writesOfJavaScript', text, file);
  const unclear: Scope = { id: 'unknown', calls: 'unclear' };
  return (
    writes && {
      writes,
      scopeOf: async (name, line) =>
        (await inThread<typeof javaScriptScope>('javaScriptScope', text, file, name, line)) ??
        unclear,
    }
  );
}
