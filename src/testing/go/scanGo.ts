import { scannedIfAny } from '../../tools/files/scannedText';
import { giveWay, MAX_SCANNED } from '../../util/projectText';
import path from 'node:path';
import type { ToolServices } from '../../tools/services';
import { closings, GO, lineCounter, maskText, nextOf } from '../scan/maskText';
import { nested, type FoundTest } from '../scan/nesting';
import type { ScannedTest } from '../testFramework';
import { MADE_NAME } from './goNames';

/** A method of a suite, which a library runs as a subtest of the test that names the suite. */
interface SuiteMethod {
  readonly suite: string;
  readonly test: FoundTest;
}

/** The maximum number of other files of a package that are searched for the tests that run a suite. */
const MAX_FILES = 40;

/**
 * Finds the tests of a file: the functions, the subtests in them, and the methods of suites. The function that runs a
 * suite may be in another file of the package.
 */
export async function scanPackage(
  text: string,
  file: string,
  { workspace }: Pick<ToolServices, 'workspace'>,
): Promise<readonly ScannedTest[]> {
  const source = goText(text);
  await giveWay(text);
  const runners = runnersIn([source]);
  const tests = listedIn(source, runners);
  const suites = source.methods.filter(({ suite }) => !runners.has(suite));
  if (suites.length === 0) return tests;
  const files = (await workspace.filesWith(['go'])).filter(
    (other) =>
      other !== file && /_test\.go$/.test(other) && path.dirname(other) === path.dirname(file),
  );
  const others: GoText[] = [];
  let length = 0;
  for (const other of files.slice(0, MAX_FILES)) {
    const found = (await scannedIfAny(workspace, other)) ?? '';
    length += found.length;
    if (length > MAX_SCANNED) break;
    others.push(goText(found));
  }
  await giveWay(text);
  return listedIn(source, runnersIn([source, ...others]));
}

/** Finds the tests in a text. @param others the texts of other files of the package */
export function scanGo(text: string, others: readonly string[] = []): readonly ScannedTest[] {
  const source = goText(text);
  return listedIn(source, runnersIn([source, ...others.map(goText)]));
}

/** What a text declares. */
interface GoText {
  readonly text: string;
  readonly masked: string;
  readonly closing: (open: number) => number;
  readonly functions: readonly FoundTest[];
  readonly methods: readonly SuiteMethod[];
}

function goText(text: string): GoText {
  const masked = maskText(text, GO);
  const closing = closings(masked);
  const functions = functionsIn(masked, blockEnds(masked, closing));
  return {
    text,
    masked,
    closing,
    functions,
    methods: methodsIn(masked, blockEnds(masked, closing)),
  };
}

function listedIn(
  source: GoText,
  runners: ReadonlyMap<string, readonly string[]>,
): readonly ScannedTest[] {
  const { functions, methods } = source;
  const lineOf = lineCounter(source.text);
  const subtests = subtestsIn(source);
  const found = nested([...functions, ...methods.map(({ test }) => test), ...subtests], lineOf);
  // A subtest counts only inside a test.
  const inTests = found.filter(({ path: [first = ''] }) => IS_TEST.test(first));
  const suiteAt = suitesByLine(methods, lineOf);
  return inTests.flatMap((test) => {
    const suite = suiteAt(test);
    if (suite === undefined) return [test];
    return (runners.get(suite) ?? []).map((runner) => ({
      ...test,
      path: [runner, ...test.path],
      parents: [runner, ...(test.parents ?? [])],
    }));
  });
}

/** Returns a function that returns the suite in whose method a test is. */
function suitesByLine(
  methods: readonly SuiteMethod[],
  lineOf: (place: number) => number,
): (test: ScannedTest) => string | undefined {
  const lines = methods.map(({ suite, test: { name, start, end } }) => ({
    ...{ suite, name },
    ...{ from: lineOf(start), to: lineOf(end) },
  }));
  let at = 0;
  let before = 0;
  return ({ path: [name], line }) => {
    // The tests come in the order of the text. Methods are not in each other.
    if (line < before) at = 0;
    before = line;
    while (at + 1 < lines.length && (lines[at + 1]?.from ?? Infinity) <= line) at += 1;
    const method = lines[at];
    const isIn = method !== undefined && method.from <= line && line <= method.to;
    return isIn && method.name === name ? method.suite : undefined;
  };
}

const IS_TEST = /^(?:Test|Fuzz|Example)/;

type EndOf = (from: number) => number;

function functionsIn(masked: string, endOf: EndOf): readonly FoundTest[] {
  return [...masked.matchAll(/^func (Test\w*|Fuzz\w*|Example\w*)\(/gm)].flatMap(
    ({ index, 1: name = '' }) =>
      // It runs all tests, and is none itself.
      name === 'TestMain' ? [] : [{ kind: 'test' as const, name, start: index, end: endOf(index) }],
  );
}

function methodsIn(masked: string, endOf: EndOf): readonly SuiteMethod[] {
  const methods = masked.matchAll(
    /^func \(\s*(?:\w+\s+)?\*?(\w+)(?:\[[^\]]*\])?\s*\) (Test\w*)\(\s*\)/gm,
  );
  return [...methods].map(({ index, 1: suite = '', 2: name = '' }) => ({
    suite,
    test: { kind: 'test', name, start: index, end: endOf(index) },
  }));
}

/** Finds the subtests `t.Run("name", …)`. */
function subtestsIn({ text, masked, closing }: GoText): readonly FoundTest[] {
  return [...masked.matchAll(/\b\w+\.Run\(\s*(?!\))/g)].flatMap((match) => {
    const at = match.index + match[0].length;
    const mark = text.charAt(at);
    const isText = mark === '"' || mark === '`';
    const end = isText ? masked.indexOf(mark, at + 1) : -1;
    // `suite.Run(t, new(Suite))` runs a suite.
    if (/^[\w.()]+,\s*(?:new\(|&)/.test(masked.slice(at, at + 100))) return [];
    return [
      {
        kind: 'test' as const,
        name: isText ? text.slice(at + 1, end) : MADE_NAME,
        start: match.index,
        end: closing(match.index + match[0].indexOf('(')),
        isTemplate: !isText,
      },
    ];
  });
}

/** Returns, for each name in the code of test functions, such as that of a suite, the functions that have it. */
function runnersIn(texts: readonly GoText[]): ReadonlyMap<string, readonly string[]> {
  const runners = new Map<string, string[]>();
  for (const { masked, functions } of texts) {
    for (const [index, { name, start, end }] of functions.entries()) {
      // Without its closing brace, a function seems to reach to the end of the text.
      const last = Math.min(end, functions[index + 1]?.start ?? end);
      for (const word of new Set(masked.slice(start, last).split(/\W+/))) {
        const of = runners.get(word);
        if (of === undefined) runners.set(word, [name]);
        else if (of.length < MAX_RUNNERS) of.push(name);
      }
    }
  }
  return runners;
}

/** The maximum number of test functions that run one suite. */
const MAX_RUNNERS = 20;

/** Returns a function that returns the end of the block that follows a place. The places must increase. */
function blockEnds(masked: string, closing: (open: number) => number): EndOf {
  const nextOpen = nextOf(masked, '{');
  return (from) => {
    const open = nextOpen(from);
    return open === -1 ? from : closing(open);
  };
}
