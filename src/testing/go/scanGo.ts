import path from 'node:path';
import type { ToolServices } from '../../tools/services';
import { closingOf, GO, lineCounter, maskText } from '../scan/maskText';
import { nested, type FoundTest } from '../scan/nesting';
import type { ScannedTest } from '../testFramework';
import { MADE_NAME } from './goNames';

/** A method of a suite, which a library runs as a subtest of the test that names the suite. */
interface SuiteMethod {
  readonly suite: string;
  readonly test: FoundTest;
}

/** The maximum number of other files of a package that are searched for the tests that run a suite. */
const MOST_FILES = 40;

/**
 * Finds the tests of a file: the functions, the subtests in them, and the methods of suites. The function that runs a
 * suite may be in another file of the package.
 */
export async function scanPackage(
  text: string,
  file: string,
  { workspace }: Pick<ToolServices, 'workspace'>,
): Promise<readonly ScannedTest[]> {
  const tests = scanGo(text);
  const suites = suitesIn(text).filter((suite) => !runnersOf(suite, [text]).length);
  if (suites.length === 0) return tests;
  const files = (await workspace.filesWith(['go'])).filter(
    (other) =>
      other !== file && /_test\.go$/.test(other) && path.dirname(other) === path.dirname(file),
  );
  const sources = await Promise.all(
    files.slice(0, MOST_FILES).map((other) => workspace.readSource(other)),
  );
  return scanGo(
    text,
    sources.flatMap((source) => source?.lines.join('\n') ?? []),
  );
}

/** Finds the tests in a text. @param others the texts of other files of the package */
export function scanGo(text: string, others: readonly string[] = []): readonly ScannedTest[] {
  const masked = maskText(text, GO);
  const lineOf = lineCounter(text);
  const functions = functionsIn(masked);
  const methods = methodsIn(masked);
  const subtests = subtestsIn(text, masked);
  const found = nested([...functions, ...methods.map(({ test }) => test), ...subtests], lineOf);
  // A subtest counts only inside a test.
  const inTests = found.filter(({ path: [first = ''] }) => IS_TEST.test(first));
  const byLine = new Map(methods.map(({ suite, test }) => [lineOf(test.start), suite]));
  return inTests.flatMap((test) => {
    const method = methods.find(
      ({ test: { name, start, end } }) =>
        name === test.path[0] && lineOf(start) <= test.line && test.line <= lineOf(end),
    );
    if (method === undefined) return [test];
    const runners = runnersOf(byLine.get(lineOf(method.test.start)) ?? '', [text, ...others]);
    return runners.map((runner) => ({
      ...test,
      path: [runner, ...test.path],
      parents: [runner, ...(test.parents ?? [])],
    }));
  });
}

const IS_TEST = /^(?:Test|Fuzz|Example)/;

function functionsIn(masked: string): readonly FoundTest[] {
  return [...masked.matchAll(/^func (Test\w*|Fuzz\w*|Example\w*)\(/gm)].flatMap(
    ({ index, 1: name = '' }) =>
      // It runs all tests, and is none itself.
      name === 'TestMain'
        ? []
        : [{ kind: 'test' as const, name, start: index, end: endOfBlock(masked, index) }],
  );
}

function methodsIn(masked: string): readonly SuiteMethod[] {
  const methods = masked.matchAll(
    /^func \(\s*(?:\w+\s+)?\*?(\w+)(?:\[[^\]]*\])?\s*\) (Test\w*)\(\s*\)/gm,
  );
  return [...methods].map(({ index, 1: suite = '', 2: name = '' }) => ({
    suite,
    test: { kind: 'test', name, start: index, end: endOfBlock(masked, index) },
  }));
}

/** Finds the subtests `t.Run("name", …)`. */
function subtestsIn(text: string, masked: string): readonly FoundTest[] {
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
        end: closingOf(masked, match.index + match[0].indexOf('(')),
        isTemplate: !isText,
      },
    ];
  });
}

function suitesIn(text: string): readonly string[] {
  return [...new Set(methodsIn(maskText(text, GO)).map(({ suite }) => suite))];
}

/** Returns the test functions whose code names a suite. */
function runnersOf(suite: string, texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => {
    const masked = maskText(text, GO);
    return functionsIn(masked)
      .filter(({ start, end }) => masked.slice(start, end).split(/\W+/).includes(suite))
      .map(({ name }) => name);
  });
}

/** Returns the end of the block that follows a place. */
function endOfBlock(masked: string, from: number): number {
  const open = masked.indexOf('{', from);
  return open === -1 ? from : closingOf(masked, open);
}
