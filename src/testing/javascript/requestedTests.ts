import type { ReportedTest } from '../runReport';
import type { ChosenTest } from '../testFramework';
import { fixedParts } from './scanJavaScript';

type Tests = readonly ReportedTest[];

/**
 * Returns the results of the requested test, and of the groups around it whose own code failed. The runner selects tests by their names, so that others may have run: with
 * the name in them, with the same name in another group, or around a subtest.
 */
export function requestedTests(tests: Tests, test: ChosenTest): Tests {
  const name = wholeName(test.path);
  const ran = tests.filter(({ outcome }) => outcome !== 'skipped');
  const byName = firstOf([
    () => (test.isLoose === true ? withPlace(withName(ran, test), test) : []),
    () => tests.filter(({ path }) => isBelow(path, test.path)),
    () => tests.filter(({ path }) => wholeName(path) === name),
    () => atPlace(withName(ran, test), test),
    () => atPlace(withName(tests, test), test),
  ]);
  const errored = tests.filter(({ outcome }) => outcome === 'errored');
  if (byName.length > 0)
    return [
      // The runner may report the line of compiled code, or of a function that declares the test.
      ...byName.map((found) => ({
        ...found,
        requested: 'test' as const,
        line: test.line ?? found.line,
      })),
      ...errored
        .filter((other) => !byName.includes(other))
        .filter(({ path }) => byName.some((found) => isBelow(found.path, groupsOf(path))))
        .map((other) => ({ ...other, isAround: true as const })),
    ];
  return firstOf([
    // A hook has a name of its own. If a group is skipped, there may be only a result of the group.
    () => errored.filter((other) => isAround(other, test)),
    () => tests.filter(({ outcome, path }) => outcome === 'skipped' && isBelow(test.path, path)),
  ]);
}

/** Returns what the first way finds that finds anything. */
function firstOf(ways: readonly (() => Tests)[]): Tests {
  for (const way of ways) {
    const found = way();
    if (found.length > 0) return found;
  }
  return [];
}

/** Whether a path is that of a test, or of a subtest of it. */
function isBelow(path: readonly string[], of: readonly string[]): boolean {
  return of.every((name, at) => path[at] === name);
}

/** Matches the names that mocha gives to hooks. */
const HOOK = /" hook\b/;

/** Whether what failed outside of all tests may be a hook of the requested one, or a group around it. */
function isAround({ path, requested }: ReportedTest, test: ChosenTest): boolean {
  const isWithoutGroups =
    test.line === undefined && test.path.length === 1 && !/ [>›] /.test(test.path[0] ?? '');
  // It is unknown in which groups such a test is, or how their names are shown.
  if (requested !== undefined || test.isTemplate || test.isLoose === true || isWithoutGroups)
    return true;
  const groups = groupsOf(path);
  return groups.length === 0 || `${wholeName(test.path)} `.startsWith(`${wholeName(groups)} `);
}

/** Returns the path of a group, or of the group of a hook. */
function groupsOf(path: readonly string[]): readonly string[] {
  return HOOK.test(path.at(-1) ?? '') ? path.slice(0, -1) : path;
}

/** Returns the whole name of a test, without the marks that runners write between its parts. */
function wholeName(path: readonly string[]): string {
  return path.join(' ').replaceAll(/ [>›] /g, ' ');
}

function withName(tests: Tests, { path, line, isTemplate, isLoose }: ChosenTest): Tests {
  const name = wholeName(path);
  const isWhole = line !== undefined && isLoose !== true;
  if (!isTemplate && isLoose !== true)
    return isWhole ? [] : tests.filter((other) => ` ${wholeName(other.path)}`.endsWith(` ${name}`));
  const parts = path.flatMap((part, at) => [
    ...(at === 0 ? [] : [' ']),
    ...partsOf(part, isTemplate),
  ]);
  return tests.filter((other) => hasParts(wholeName(other.path), parts, isWhole));
}

function partsOf(name: string, isTemplate: boolean): readonly string[] {
  return isTemplate ? fixedParts(name) : [name];
}

/** Whether a text has all parts in their order. @param isWhole whether it has to begin and end with them */
function hasParts(text: string, parts: readonly string[], isWhole: boolean): boolean {
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = text.indexOf(part, at);
    if (found < 0 || (isWhole && index === 0 && found > 0)) return false;
    at = found + part.length;
  }
  return !isWhole || text.endsWith(parts.at(-1) ?? '');
}

/** Returns the tests that the runner places into the lines of the requested one. */
function withPlace(tests: Tests, { line: from = Infinity, endLine: to = from }: ChosenTest): Tests {
  return tests.filter(({ line }) => line !== undefined && from <= line && line <= to);
}

function atPlace(tests: Tests, test: ChosenTest): Tests {
  const there = withPlace(tests, test);
  return there.length > 0 ? there : tests;
}
