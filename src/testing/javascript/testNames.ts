import type { ChosenTest, ScannedTest } from '../testFramework';
import { fixedParts } from './scanJavaScript';

/** The texts with which runners join the names of groups and tests. */
const SEPARATORS = [' > ', ' › ', ' '] as const;
const PRINTED = / [>›] /;

/** Returns the regular expression for a name. Each placeholder of a template matches any text. */
export function patternOf(name: string): string {
  return fixedParts(name).map(escaped).join('.*');
}

export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/**
 * Returns the pattern for the full name of a test. Its parts are joined in the same way as in the runner. The name of a
 * test that the file's text does not show may be only the last part.
 */
export function wholePattern(
  { path: names, isTemplate, line }: ChosenTest,
  between: string,
): string {
  const name = names.map(isTemplate ? patternOf : escaped).join(between);
  return line === undefined ? `(?:^|${between})${name}$` : `^${name}$`;
}

/**
 * Returns the test for a name as its runner prints it, unless the name is one that the text of the file shows. A name
 * of a row is made when the test runs, so that only the runner knows it.
 */
export function namedTest(name: string, scanned: readonly ScannedTest[]): ChosenTest | undefined {
  const isListed = scanned.some(
    ({ kind, path: names }) =>
      kind === 'test' &&
      names.some((_, at) => SEPARATORS.some((between) => names.slice(at).join(between) === name)),
  );
  if (isListed) return undefined;
  return { path: name.split(PRINTED), line: undefined, isTemplate: false };
}
