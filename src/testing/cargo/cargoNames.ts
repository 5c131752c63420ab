import path from 'node:path';
import { bareLineOf } from '../native/namedLine';
import type { ChosenTest, ScannedTest } from '../testFramework';
import { wordsAt } from './scanRust';

/** A test program that Cargo has built. */
export interface RustProgram {
  readonly program: string;
  /** The root file of its crate. */
  readonly root: string;
  readonly manifest: string | undefined;
  readonly crate: string;
  /** Cargo's kind of target, such as `lib`, `bin` or `test`. */
  readonly kind: string;
}

/** Returns the names in the list of a test program: `store::tests::totals: test`. */
export function readList(output: string): readonly string[] {
  return output.split(/\r?\n/).flatMap((line) => /^(.+): test$/.exec(line)?.[1] ?? []);
}

/** A doctest: `src/lib.rs - half (line 12)`. */
const DOCTEST = /^\S+\.rs - .*\(line \d+\)/;

/** Whether a name is that of an example in a comment, which Cargo compiles to a program of its own. */
export function isDoctest(name: string): boolean {
  return DOCTEST.test(cleanName(name));
}

/** Returns a name without what the test program prints around it. */
export function cleanName(name: string): string {
  return name
    .replace(/^(?:test |---- )/, '')
    .replace(/ (?:\.\.\. .*|stdout ----)$/s, '')
    .replace(/ - should panic$/, '')
    .replaceAll(' > ', '::')
    .trim();
}

/** Returns the test that a name means as far as the file shows it. The program says later what the name means to it. */
export function namedTest(name: string, scanned: readonly ScannedTest[]): ChosenTest {
  const clean = cleanName(name);
  const shown = scanned.filter(
    ({ kind, path: names }) =>
      kind === 'test' && (isEnd(clean, names.join('::')) || isEnd(names.join('::'), clean)),
  );
  const [only, ...others] = shown;
  const isOne = only !== undefined && others.length === 0;
  const place = isOne ? { line: only.line, endLine: only.endLine } : { line: undefined };
  return { ...place, path: [clean], isTemplate: false };
}

/** Whether one name is the end of another one, or the same. */
function isEnd(whole: string, end: string): boolean {
  return whole === end || whole.endsWith(`::${end}`);
}

/** The listed tests that a name or a line means. */
export interface MeantTests {
  readonly tests: readonly string[];
  /** The name of the function of which they are rows. Undefined if each of them is a function. */
  readonly rowsOf: string | undefined;
}

/**
 * Returns the listed tests that are meant. Several tests that are no rows fit equally well.
 * @param modules the modules of the file, as far as its path shows them
 */
export function meantTests(
  listed: readonly string[],
  test: ChosenTest,
  { crate }: Pick<RustProgram, 'crate'>,
  modules: readonly string[],
  text: string,
): MeantTests {
  const line = bareLineOf(test);
  if (line !== undefined)
    return { tests: atLine(listed, modules, wordsAt(text, line)), rowsOf: undefined };
  const name = cleanName(test.path.join('::'));
  const names = [name, name.startsWith(`${crate}::`) ? name.slice(crate.length + 2) : name];
  const ranks = listed.map((entry) => Math.min(...names.map((own) => rankOf(entry, own, modules))));
  const best = Math.min(...ranks);
  const tests = listed.filter((_, index) => best < Infinity && ranks[index] === best);
  if (best < ROWS) return { tests, rowsOf: undefined };
  const rowsOf = functionOf(tests, text);
  return { tests: rowsOf === undefined ? [] : tests, rowsOf };
}

/** The rank from which on a name is that of the function above the tests, or of a module. */
const ROWS = 4;

/** How well a name fits a listed test. The rows of a table are listed below the name of their function. */
function rankOf(entry: string, name: string, modules: readonly string[]): number {
  const own = rankAs(entry, name, modules);
  if (own < Infinity) return own;
  const above = entry.slice(0, Math.max(0, entry.lastIndexOf('::')));
  return above === '' ? Infinity : rankAs(above, name, modules) + ROWS;
}

function rankAs(entry: string, name: string, modules: readonly string[]): number {
  if (entry === [...modules, name].join('::')) return 0;
  if (entry === name) return 1;
  if (!entry.endsWith(`::${name}`)) return Infinity;
  return modules.length > 0 && entry.startsWith(`${modules.join('::')}::`) ? 2 : 3;
}

/** Returns the tests that a line with these words makes, such as one in the call of a macro. */
function atLine(
  listed: readonly string[],
  modules: readonly string[],
  words: readonly string[],
): readonly string[] {
  const prefix = modules.length === 0 ? '' : `${modules.join('::')}::`;
  const own = listed.filter((entry) => entry.startsWith(prefix));
  return own.filter((entry) => words.includes(entry.split('::').at(-1) ?? ''));
}

/** Returns the function above all of several tests. A module is no test. */
function functionOf(tests: readonly string[], text: string): string | undefined {
  const above = new Set(tests.map((test) => test.slice(0, Math.max(0, test.lastIndexOf('::')))));
  const [only = '', ...others] = above;
  const last = only.split('::').at(-1) ?? '';
  return others.length === 0 && functionsIn(text).has(last) ? only : undefined;
}

function functionsIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/\bfn[ \t\r\n]+(\w+)/g)].map((match) => match[1] ?? ''));
}

/**
 * Returns the modules of a file. The module of `src/cart.rs` is `cart`.
 * @param root the root file of the crate
 */
export function modulesOf(file: string, root: string): readonly string[] {
  if (root === file) return [];
  const names = path.relative(path.dirname(root), file).replace(/\.rs$/, '').split(path.sep);
  if (names.includes('..')) return [];
  return names.at(-1) === 'mod' ? names.slice(0, -1) : names;
}
