import path from 'node:path';
import { samePath } from '../../../debugger/sourcePath';
import type { ToolServices } from '../../services';
import { isJavaScript } from './source/isJavaScript';
import { functionsIn } from './source/functionsIn';
import type { SourceCall, SourceFunction } from './source/sourceFunction';

/** A function in its file. */
export interface PlacedFunction {
  readonly path: string;
  readonly found: SourceFunction;
}

/** A function that the traced function calls by its name. */
export interface CalleeFunction extends PlacedFunction {
  /** The name that the trace shows. */
  readonly name: string;
}

/** The callees of a function. */
export interface Callees {
  readonly functions: readonly CalleeFunction[];
  /** Whether no callee was left out because of the limit. */
  readonly isWhole: boolean;
}

export const NO_CALLEES: Callees = { functions: [], isWhole: true };

/** The maximum number of callees that are recorded. Each one takes a request and some breakpoints. */
const MAX_CALLEES = 16;
/** The maximum number of other files in which callees are searched. */
const MAX_FILES = 24;

type Workspace = ToolServices['workspace'];

/**
 * Finds the functions that a JavaScript or Go function calls by their names: in the same file, in the files that it
 * imports by relative paths, in the other files of a package, and in packages that it names. Two functions of one name
 * are both found. The recorder knows by the stack which one the call has called.
 */
export async function calleesOf(
  { workspace }: Pick<ToolServices, 'workspace'>,
  place: PlacedFunction | undefined,
): Promise<Callees> {
  if (place === undefined) return NO_CALLEES;
  // The block of a generator function does not run when it is called.
  return await calledBy(workspace, place, ({ suspends }) => suspends !== 'generator');
}

/**
 * Finds the generator functions that a JavaScript function calls by their names, and those that these call. Their
 * blocks run while the function iterates over them.
 */
export async function generatorsOf(
  { workspace }: Pick<ToolServices, 'workspace'>,
  consumer: PlacedFunction,
): Promise<readonly PlacedFunction[]> {
  const generators: PlacedFunction[] = [];
  const isNew = ({ path: file, found: { start } }: PlacedFunction): boolean =>
    !generators.some(({ path: known, found }) => known === file && found.start === start);
  const searched = [consumer];
  for (const place of searched) {
    const { functions } = await calledBy(
      workspace,
      place,
      ({ suspends }) => suspends === 'generator',
    );
    const further = functions.filter(isNew);
    generators.push(...further);
    searched.push(...further);
  }
  return generators;
}

async function calledBy(
  workspace: Workspace,
  { path: file, found }: PlacedFunction,
  isIncluded: (callee: SourceFunction) => boolean,
): Promise<Callees> {
  const { calls = [] } = found;
  if (calls.length === 0) return NO_CALLEES;
  try {
    return await search(workspace, file, found, { calls, isIncluded });
  } catch {
    // A file may be gone. The call is traced without its callees.
    return { functions: [], isWhole: false };
  }
}

/** The calls whose functions are searched, and which of these functions are meant. */
interface Wanted {
  readonly calls: readonly SourceCall[];
  readonly isIncluded: (callee: SourceFunction) => boolean;
}

/** Whether a statement calls a function without assigning or returning just its value. */
export function isValueUnknown(
  { calls = [] }: Pick<SourceFunction, 'calls'>,
  { name }: Pick<CalleeFunction, 'name'>,
): boolean {
  const named = calls.filter((call) => name === (call.isNew ? `new ${call.name}` : call.name));
  return named.some(
    ({ assigned, isReturned, start, end }) =>
      (assigned.length === 0 && !isReturned) ||
      named.filter((other) => other.start <= end && other.end >= start).length > 1,
  );
}

async function search(
  workspace: Workspace,
  file: string,
  found: SourceFunction,
  wanted: Wanted,
): Promise<Callees> {
  const own = (await workspace.readSource(file))?.lines.join('\n') ?? '';
  const inFile = await calledIn(file, own, wanted);
  const others = isJavaScript(found)
    ? await importedFiles(workspace, file, own)
    : await packageFiles(workspace, file, calledElsewhere(wanted.calls, inFile, own));
  const inOthers = await Promise.all(
    others.slice(0, MAX_FILES).map(async (other) => {
      const source = await workspace.readSource(other);
      return source === undefined ? [] : await calledIn(other, source.lines.join('\n'), wanted);
    }),
  );
  const all = [inFile, ...inOthers];
  const functions = all.flat();
  return {
    functions: functions.slice(0, MAX_CALLEES),
    isWhole: functions.length <= MAX_CALLEES && others.length <= MAX_FILES,
  };
}

async function calledIn(
  file: string,
  text: string,
  { calls, isIncluded }: Wanted,
): Promise<readonly CalleeFunction[]> {
  if (!calls.some(({ name }) => text.includes(name))) return [];
  const functions = (await functionsIn(file, text)) ?? [];
  return functions.flatMap((found) => {
    if (!isIncluded(found)) return [];
    const isConstructor = found.name === 'constructor';
    const name = isConstructor ? found.container : found.name;
    const call = calls.find((other) => other.name === name && (other.isNew || !isConstructor));
    if (call === undefined) return [];
    return [{ name: call.isNew ? `new ${call.name}` : call.name, path: file, found }];
  });
}

const BUILT_IN: ReadonlySet<string> = new Set([
  ...['append', 'cap', 'clear', 'close', 'copy', 'delete', 'len', 'make', 'max', 'min', 'new'],
  ...['panic', 'print', 'println', 'recover', 'string', 'int', 'int64', 'float64', 'byte', 'error'],
]);

/**
 * Returns the calls of a Go function whose functions may be in other files of the workspace. Packages with one word as
 * their path belong to Go.
 */
function calledElsewhere(
  calls: readonly SourceCall[],
  inFile: readonly CalleeFunction[],
  text: string,
): readonly SourceCall[] {
  return calls.filter(
    ({ name, owner }) =>
      !BUILT_IN.has(name) &&
      // Another type may have a method of the same name.
      (owner !== undefined || !inFile.some((callee) => callee.name === name)) &&
      (owner === undefined || !text.includes(`"${owner}"`)),
  );
}

/** Returns the other Go files of a package, and those of packages whose names the calls contain. */
async function packageFiles(
  workspace: Workspace,
  file: string,
  calls: readonly SourceCall[],
): Promise<readonly string[]> {
  // A search in the workspace takes longer than the rest.
  if (calls.length === 0) return [];
  const owners = new Set(calls.map(({ owner }) => owner));
  const folder = path.dirname(file);
  const files = await workspace.filesWith([path.extname(file).slice(1)]);
  return files.filter(
    (other) =>
      other !== file &&
      (path.dirname(other) === folder || owners.has(path.basename(path.dirname(other)))),
  );
}

/** Returns the source files that a file imports by relative paths. */
async function importedFiles(
  workspace: Workspace,
  file: string,
  text: string,
): Promise<readonly string[]> {
  const folder = path.dirname(file);
  const found = await Promise.all(
    importsIn(text).map((specifier) => fileOf(workspace, path.resolve(folder, specifier))),
  );
  return [...new Set(found.filter((other) => other !== undefined))].filter(
    (other) => !samePath(other, file),
  );
}

const IMPORT = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g;

/** Returns the relative paths that a file imports. */
function importsIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(IMPORT)].flatMap(([, , specifier]) => specifier ?? []))];
}

/** The endings of source files, which an import may leave out. */
const ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];

/** Finds the source file that an import names. TypeScript files are imported by the names of their output. */
async function fileOf(workspace: Workspace, imported: string): Promise<string | undefined> {
  const ending = /\.[cm]?[jt]sx?$/.exec(imported)?.[0];
  const bare = ending === undefined ? imported : imported.slice(0, -ending.length);
  const candidates = [
    ...(ending === undefined ? [] : [imported]),
    ...ENDINGS.map((other) => bare + other),
    ...(ending === undefined ? ENDINGS.map((other) => path.join(imported, `index${other}`)) : []),
  ];
  for (const candidate of candidates)
    if ((await workspace.exists(candidate)) === true) return candidate;
  return undefined;
}
