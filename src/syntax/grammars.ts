import { createHash } from 'node:crypto';
import path from 'node:path';
import type TreeSitter from '@vscode/tree-sitter-wasm';
import type { Parser, Query, QueryMatch, Tree } from '@vscode/tree-sitter-wasm';
import { BoundedSet } from '../util/boundedSet';

/** What is needed to read the files of a language. */
export interface Grammar {
  /** The name of its file of WebAssembly, without `tree-sitter-` and the extension. */
  readonly file: 'c-sharp' | 'cpp' | 'go' | 'java' | 'php' | 'ruby' | 'rust';
  /** What is searched in each tree, in the query language of Tree-sitter. */
  readonly query: string;
}

/** A grammar that is ready to parse. Nothing of it waits. */
export interface LoadedGrammar {
  readonly parser: Parser;
  readonly query: Query;
}

/**
 * The processor time in milliseconds after which a text is given up. A file of 5,000 lines takes 50 ms. It is the time of
 * the whole process, because a busy machine must not change what is found.
 */
const MAX_TIME = 1500;

/** The time after which a text is given up in any case, in milliseconds. It is shorter than that of the thread. */
const MAX_WALL_TIME = 4000;

/** In plain Node, the grammars are in the installed package. */
let folder = path.join(__dirname, '../../../node_modules/@vscode/tree-sitter-wasm/wasm');
let runtime: Promise<Runtime> | undefined;
const loaded = new Map<Grammar, Promise<LoadedGrammar | undefined>>();

type Runtime = typeof TreeSitter;

/** Sets the folder of the files of WebAssembly. */
export function setGrammarFolder(path: string): void {
  folder = path;
}

function fileOf(name: string): string {
  return path.join(folder, name);
}

/** The runtime is in a separate chunk, which is loaded with the first grammar. */
async function loadRuntime(): Promise<Runtime> {
  // Node finds no names among the exports of this package.
  const { default: found } = await import(
    /* webpackChunkName: "grammars" */ '@vscode/tree-sitter-wasm'
  );
  await found.Parser.init({ locateFile: fileOf });
  return found;
}

/** Loads a grammar, once. Returns undefined if that is not possible: its file is missing, or WebAssembly is. */
export function loadGrammar(grammar: Grammar): Promise<LoadedGrammar | undefined> {
  let loading = loaded.get(grammar);
  if (loading === undefined) {
    loading = load(grammar).catch(() => undefined);
    loaded.set(grammar, loading);
  }
  return loading;
}

async function load({ file, query }: Grammar): Promise<LoadedGrammar> {
  runtime ??= loadRuntime();
  const { Parser, Language, Query } = await runtime;
  const language = await Language.load(fileOf(`tree-sitter-${file}.wasm`));
  const parser = new Parser();
  parser.setLanguage(language);
  return { parser, query: new Query(language, query) };
}

/** Returns a function that says whether the time for a text is over. */
function clock(): () => boolean {
  const [from, begun] = [process.cpuUsage(), performance.now()];
  return () => {
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1000 > MAX_TIME || performance.now() - begun > MAX_WALL_TIME;
  };
}

/** The hashes of the texts that were given up, so that they cost the time once. */
const givenUp = new BoundedSet<string>(100);

/**
 * Parses a text, and reads what the query finds in its tree, which exists only for that time. A text with mistakes has a
 * tree, too. Returns undefined if that takes too long: both are slow for some texts without sense.
 */
export function foundIn<T>(
  { parser, query }: LoadedGrammar,
  text: string,
  read: (matches: readonly QueryMatch[]) => T,
): T | undefined {
  const hash = createHash('sha256').update(text).digest('hex');
  if (givenUp.has(hash)) return undefined;
  const progressCallback = clock();
  let tree: Tree | null = null;
  try {
    tree = parser.parse(text, null, { progressCallback });
    const matches = tree === null ? [] : query.matches(tree.rootNode, { progressCallback });
    if (tree !== null && !progressCallback()) return read(matches);
  } catch {
    // WebAssembly has no memory left.
  } finally {
    // Otherwise the next parse would continue this one.
    if (tree === null) parser.reset();
    tree?.delete();
  }
  givenUp.add(hash);
  return undefined;
}
