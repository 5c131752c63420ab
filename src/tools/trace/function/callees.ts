import path from 'node:path';
import type { ToolServices } from '../../services';
import { isJavaScript } from './placesAhead';
import type { JavaScriptFunction } from './source/javascriptFunctions';
import { functionsIn } from './source/functionsIn';
import type { SourceFunction } from './source/sourceFunction';

/** A function that the traced function calls by its name. */
export interface CalleeFunction {
  /** The name that the trace shows. */
  readonly name: string;
  readonly path: string;
  readonly found: JavaScriptFunction;
}

/** The callees of a function. */
export interface Callees {
  readonly functions: readonly CalleeFunction[];
  /** Whether no callee was left out because of the limit. */
  readonly isWhole: boolean;
}

export const NO_CALLEES: Callees = { functions: [], isWhole: true };

/** The maximum number of callees that are recorded. Each one takes a request and some breakpoints. */
const MOST_CALLEES = 16;
/** The maximum number of imported files in which callees are searched. */
const MOST_FILES = 12;

/**
 * Finds the functions in the same file, and in the files that it imports by relative paths, that a JavaScript function
 * calls by their names. Two functions of one name are both found. The recorder knows by the stack which one the call has
 * called.
 */
export async function calleesOf(
  { workspace }: Pick<ToolServices, 'workspace'>,
  place: { readonly path: string; readonly found: SourceFunction } | undefined,
): Promise<Callees> {
  if (place === undefined) return NO_CALLEES;
  const { path: file, found } = place;
  if (!isJavaScript(found) || found.calls.length === 0) return NO_CALLEES;
  const own = (await workspace.readSource(file))?.lines.join('\n') ?? '';
  const functions = await calledIn(file, own, found);
  const imported = await Promise.all(
    importsIn(own)
      .slice(0, MOST_FILES)
      .map(async (specifier) => {
        const other = await fileOf(workspace, path.resolve(path.dirname(file), specifier));
        return other === undefined ? [] : await calledIn(other.path, other.text, found);
      }),
  );
  const all = [...functions, ...imported.flat()];
  return { functions: all.slice(0, MOST_CALLEES), isWhole: all.length <= MOST_CALLEES };
}

async function calledIn(
  file: string,
  text: string,
  { calls }: JavaScriptFunction,
): Promise<readonly CalleeFunction[]> {
  if (!calls.some(({ name }) => text.includes(name))) return [];
  const functions = (await functionsIn(file, text)) ?? [];
  return functions.filter(isJavaScript).flatMap((found) => {
    // The block of a generator function does not run when it is called.
    if (found.suspends === 'generator') return [];
    const isConstructor = found.name === 'constructor';
    const name = isConstructor ? found.container : found.name;
    const call = calls.find((other) => other.name === name && (other.isNew || !isConstructor));
    if (call === undefined) return [];
    return [{ name: call.isNew ? `new ${call.name}` : call.name, path: file, found }];
  });
}

const IMPORT = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g;

/** Returns the relative paths that a file imports. */
function importsIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(IMPORT)].flatMap(([, , specifier]) => specifier ?? []))];
}

/** The endings of source files, which an import may leave out. */
const ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];

/** Finds the source file that an import names. TypeScript files are imported by the names of their output. */
async function fileOf(
  workspace: ToolServices['workspace'],
  imported: string,
): Promise<{ readonly path: string; readonly text: string } | undefined> {
  const ending = /\.[cm]?[jt]sx?$/.exec(imported)?.[0];
  const bare = ending === undefined ? imported : imported.slice(0, -ending.length);
  const candidates = [
    ...(ending === undefined ? [] : [imported]),
    ...ENDINGS.map((other) => bare + other),
    ...(ending === undefined ? ENDINGS.map((other) => path.join(imported, `index${other}`)) : []),
  ];
  for (const candidate of candidates) {
    if ((await workspace.exists(candidate)) !== true) continue;
    const source = await workspace.readSource(candidate);
    if (source !== undefined) return { path: candidate, text: source.lines.join('\n') };
  }
  return undefined;
}
