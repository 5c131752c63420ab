import type { ChosenTest, ScannedTest } from '../testFramework';

/** Stands in a path for a name that is made at run time. */
export const MADE_NAME = '${…}';

/** A name as `go test` prints it: a test, and below it the names of subtests. It runs benchmarks by another option. */
const PRINTED = /^(?:Test|Fuzz|Example|Benchmark)[^/\s]*(?:\/[^]*)?$/;

/** Returns the names of the tests on the way to a test, as `go test` writes them. A slash in a name separates, too. */
export function goNames({ path }: Pick<ChosenTest, 'path'>): readonly string[] {
  return path.flatMap((name) => name.split('/')).map((name) => name.replace(/\s/g, '_'));
}

/** Returns the whole name of a test, as `go test` prints it. For a template, it is the name of the test around it. */
export function goName(test: Pick<ChosenTest, 'path'>): string {
  const names = goNames(test);
  const made = names.indexOf(MADE_NAME);
  return names.slice(0, made === -1 ? undefined : made).join('/');
}

/** Returns the path of a test, with the names as the call has them. */
export function pathOf(name: string, test: ChosenTest): readonly string[] {
  const requested = goName(test);
  if (test.isTemplate || !`${name}/`.startsWith(`${requested}/`)) return name.split('/');
  const inner = name.slice(requested.length + 1);
  return inner === '' ? test.path : [...test.path, ...inner.split('/')];
}

/** Returns the pattern that runs only this test. */
export function goPattern(test: Pick<ChosenTest, 'path'>): string {
  return goNames(test).map(asPattern).join('/');
}

function asPattern(name: string): string {
  return name === MADE_NAME ? '.*' : `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;
}

/**
 * Returns the test that a name means: one with slashes, as `go test` prints it, or the row of a table whose name is in
 * the text of one test.
 */
export function namedInGo(
  name: string,
  scanned: readonly ScannedTest[],
  text: string,
): ChosenTest | undefined {
  const isListed = scanned.some(({ path }) => path.includes(name));
  if (PRINTED.test(name) && (name.includes('/') || !isListed))
    return chosen(name.split('/'), scanned);
  if (isListed) return undefined;
  const around = testsWith(name, scanned, text);
  const [only, ...others] = around;
  return only === undefined || others.length > 0
    ? undefined
    : chosen([...only.path, ...name.split('/')], scanned);
}

function chosen(path: readonly string[], scanned: readonly ScannedTest[]): ChosenTest {
  const names = goNames({ path });
  // The innermost test in the text that is this one, or contains it.
  const [found] = scanned
    .filter(({ path: other }) =>
      goNames({ path: other }).every(
        (part, at) => part === names[at] || (part === MADE_NAME && names[at] !== undefined),
      ),
    )
    .sort((one, other) => other.path.length - one.path.length);
  return { path: names, line: found?.line, endLine: found?.endLine, isTemplate: false };
}

/** Returns the outermost tests whose text has a name as a string. */
function testsWith(
  name: string,
  scanned: readonly ScannedTest[],
  text: string,
): readonly ScannedTest[] {
  const quoted = [JSON.stringify(name), `\`${name}\``];
  const lines = text
    .split('\n')
    .flatMap((line, index) => (quoted.some((each) => line.includes(each)) ? [index + 1] : []));
  return scanned.filter(
    ({ path, parents = [], line, endLine }) =>
      path.length === 1 && parents.length === 0 && lines.some((at) => line <= at && at <= endLine),
  );
}
