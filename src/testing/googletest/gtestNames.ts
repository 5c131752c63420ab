import path from 'node:path';
import { fields, isFields, listOf, textOf, wholeOf } from '../../debugger/protocol';
import { bareLineOf } from '../native/namedLine';
import type { ChosenTest, ScannedTest } from '../testFramework';

/** A test as the program itself lists it. */
export interface ListedTest {
  /** The suite with its instance or the number of its type: `Some/Prices`, `Stack/0`. */
  readonly suite: string;
  /** The name with its parameter: `AreOdd/1`. */
  readonly name: string;
  /** Both without instance, type and parameter, as the file has them. */
  readonly base: readonly [suite: string, name: string];
  readonly file: string | undefined;
  readonly line: number | undefined;
}

/** Reads the list of tests that a program writes as JSON. */
export function readList(report: string | undefined): readonly ListedTest[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(report ?? '');
  } catch {
    return [];
  }
  return listOf(fields(parsed)['testsuites'])
    .filter(isFields)
    .flatMap((entry) => {
      const suite = textOf(entry['name']) ?? '';
      return listOf(entry['testsuite'])
        .filter(isFields)
        .map((test) => {
          const name = textOf(test['name']) ?? '';
          const isTyped = 'type_param' in test;
          return {
            ...{ suite, name },
            base: [suiteBase(suite, isTyped), name.split('/')[0] ?? ''] as const,
            ...{ file: textOf(test['file']), line: wholeOf(test['line']) },
          };
        });
    });
}

/** `Instance/Suite` has a parameter, and `Suite/0` or `Instance/Suite/0` has a type. */
function suiteBase(suite: string, isTyped: boolean): string {
  const parts = suite.split('/');
  return (isTyped ? parts.at(-2) : parts.at(-1)) ?? suite;
}

/** Returns a name without what GoogleTest prints around it in its lines about a run. */
export function cleanName(name: string): string {
  return name
    .replace(/^\[ *[A-Z]+ *\] /, '')
    .replace(/, where (?:TypeParam|GetParam\(\)) = .*$/s, '')
    .replace(/ \(\d+ ms\)$/, '')
    .replace(' > ', '.')
    .trim();
}

/**
 * Returns the test that a name means as far as the file shows it. The program says later what the name means to it.
 */
export function namedTest(name: string, scanned: readonly ScannedTest[]): ChosenTest {
  const clean = cleanName(name);
  const [suite, test] = partsOf(clean);
  const own = test.split('/')[0] ?? '';
  const shown = scanned.filter(
    ({ path: [itsSuite = '', itsName = ''] }) =>
      itsName === own && (suite === undefined || suite.split('/').includes(itsSuite)),
  );
  const [only] = shown;
  const place =
    shown.length === 1 ? { line: only?.line, endLine: only?.endLine } : { line: undefined };
  const names = suite ?? (shown.length === 1 ? only?.path[0] : undefined);
  const isTemplate = only?.isTemplate === true && clean.split('/').length === 1;
  return { ...place, path: names === undefined ? [test] : [names, test], isTemplate };
}

/** Splits `Suite.Name`. A parameter may contain a dot. */
function partsOf(name: string): readonly [suite: string | undefined, test: string] {
  const dot = name.indexOf('.');
  return dot < 0 ? [undefined, name] : [name.slice(0, dot), name.slice(dot + 1)];
}

/**
 * Returns the listed tests that are meant: the rows of one test, or several tests if the name fits them equally well.
 * @param file the file of the call, which decides between equal names
 */
export function meantTests(
  listed: readonly ListedTest[],
  test: ChosenTest,
  file: string,
): readonly ListedTest[] {
  const line = bareLineOf(test);
  if (line !== undefined)
    return atLine(
      listed.filter((entry) => isIn(entry, file)),
      line,
    );
  const name = cleanName(test.path.join('.'));
  const ranks = listed.map((entry) => rankOf(name, entry));
  const best = Math.min(...ranks);
  const fitting = listed.filter((_, index) => best < Infinity && ranks[index] === best);
  const own = fitting.filter((entry) => isIn(entry, file));
  return own.length > 0 ? own : fitting;
}

/** Returns the tests that begin at the last line with a test up to this one. */
function atLine(listed: readonly ListedTest[], line: number): readonly ListedTest[] {
  const before = listed.flatMap((test) => test.line ?? []).filter((begin) => begin <= line);
  const begin = Math.max(...before);
  return listed.filter((test) => test.line === begin);
}

/** How well a name fits a test: 0 is its whole name. */
function rankOf(name: string, { suite, name: own, base }: ListedTest): number {
  const [baseSuite, baseName] = base;
  const wanted = name.replaceAll('DISABLED_', '');
  const names = [
    [`${suite}.${own}`],
    [`${baseSuite}.${baseName}`],
    [`${baseSuite}.${own}`, `${suite}.${baseName}`],
    [own],
    [baseName],
  ];
  const exact = names.findIndex((texts) => texts.includes(name));
  if (exact >= 0) return exact;
  const enabled = names.findIndex((texts) =>
    texts.some((text) => text.replaceAll('DISABLED_', '') === wanted),
  );
  return enabled < 0 ? Infinity : enabled + names.length;
}

/** Whether a test is in a file. The compiler may keep the path as its build has passed it. */
function isIn({ file: own }: ListedTest, file: string): boolean {
  if (own === undefined) return false;
  const tail = path.normalize(own).replace(/^(?:\.\.?[\\/])+/, '');
  return path.isAbsolute(own) ? path.normalize(own) === file : file.endsWith(path.sep + tail);
}

/** Whether all tests are rows of one test in a source. */
export function isOneTest([first, ...others]: readonly ListedTest[]): boolean {
  return first !== undefined && others.every((other) => baseOf(other) === baseOf(first));
}

/** Returns the name as the source has it. */
export function baseOf({ base }: ListedTest): string {
  return base.join('.');
}

/** Returns the name as the program prints it. */
export function fullNameOf({ suite, name }: ListedTest): string {
  return `${suite}.${name}`;
}
