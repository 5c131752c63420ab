import type { ChosenTest, ScannedTest } from '../testFramework';
import { fixedParts } from './scanJavaScript';

/** The texts with which runners join the names of groups and tests. */
const SEPARATORS = [' > ', ' › ', ' '] as const;
const PRINTED = / [>›] /;
/** Matches them. A name may also have such a text in it. */
const ANY_SEPARATOR = '(?: [>›] | )';

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
  { path: names, isTemplate, line, isLoose }: ChosenTest,
  between: string,
): string {
  // A function of the person's own may add to the names, and may add groups.
  if (isLoose === true) return names.map(patternOf).join('.*');
  if (line === undefined) return `(?:^|${between})${names.map(escaped).join(ANY_SEPARATOR)}$`;
  return `^${names.map(isTemplate ? patternOf : escaped).join(between)}$`;
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
