import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { Failure } from '../../../results/failure';
import { fixedParts } from './scan/javascript';
import type { ChosenTest, ScannedTest } from './testFramework';

/** How many names an error tells. */
const MOST_NAMES = 20;
const MOST_NEAR = 5;

interface Wanted {
  readonly name: string | undefined;
  readonly line: number | undefined;
}

/** A test as a person reads its name. */
export function nameOf({ path: names }: Pick<ScannedTest, 'path'>): string {
  return names.join(' > ');
}

/**
 * The test that a call means, among those that a file's text shows.
 * @throws Failure `ambiguous_test`, `test_not_found`
 */
export function chooseTest(
  scanned: readonly ScannedTest[],
  { name, line }: Wanted,
  file: string,
): ChosenTest {
  const tests = scanned.filter(({ kind }) => kind === 'test');
  const named = name === undefined ? tests : byName(tests, name);
  const found = line === undefined ? named : innermost(named, line);
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return asChosen(first, name);
  if (first !== undefined) throw ambiguous(found, name);
  const isMade = scanned.some(({ isTemplate }) => isTemplate);
  // The runner knows names that the text does not show.
  if (name !== undefined && line === undefined && isMade)
    return { path: [name], line: undefined, isTemplate: false };
  throw notFound(tests, { name, line }, file);
}

function asChosen(scanned: ScannedTest, name: string | undefined): ChosenTest {
  const { path: names, line, endLine, isTemplate } = scanned;
  const [leaf = ''] = names.slice(-1);
  const above = names.slice(0, -1);
  const place = { line, endLine };
  // pytest knows one of a parametrized test by what stands behind its name.
  const parameters = name === undefined ? undefined : /\w(\[.*\])$/s.exec(name)?.[1];
  if (!isTemplate && parameters !== undefined && name?.endsWith(`${leaf}${parameters}`) === true)
    return { ...place, path: [...above, `${leaf}${parameters}`], isTemplate };
  if (!isTemplate || name === undefined) return { ...place, path: names, isTemplate };
  // Of a name that the runner makes, the call's own words say which one it is.
  return fits(leaf, name)
    ? { ...place, path: [...above, name], isTemplate: above.some(isPattern) }
    : { ...place, path: [name], isTemplate: false };
}

function isPattern(name: string): boolean {
  return fixedParts(name).length > 1;
}

/** By the whole name, however its parts are joined, else by the last part. */
function byName(tests: readonly ScannedTest[], name: string): readonly ScannedTest[] {
  const wanted = withoutParameters(name);
  const whole = tests.filter(({ path: names }) =>
    [' > ', ' ', '::', '.', '/', ' › '].some((between) =>
      [name, wanted].includes(names.join(between)),
    ),
  );
  if (whole.length > 0) return whole;
  const leaf = tests.filter(({ path: names }) => [name, wanted].includes(names.at(-1) ?? ''));
  if (leaf.length > 0) return leaf;
  // A part of the path from its end: `Class.method` of a module.
  const tail = tests.filter(({ path: names }) =>
    names.some((_, index) =>
      [' > ', ' ', '::', '.', '/'].some((between) => names.slice(index).join(between) === wanted),
    ),
  );
  if (tail.length > 0) return tail;
  return tests.filter(
    ({ path: names, isTemplate }) =>
      isTemplate && (fits(names.at(-1) ?? '', name) || fits(names.join(' '), name)),
  );
}

/** pytest writes the parameters of a test behind its name. */
function withoutParameters(name: string): string {
  return name.replace(/^(.*::)?(\w+)\[.*\]$/s, '$1$2');
}

/** Whether a name is one that a template makes: its fixed parts are in it, in their order. */
function fits(template: string, name: string): boolean {
  const parts = fixedParts(template);
  if (parts.length < 2) return template === name;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = name.indexOf(part, at);
    if (found === -1 || (index === 0 && found !== 0)) return false;
    at = found + part.length;
  }
  return name.endsWith(parts.at(-1) ?? '');
}

function innermost(tests: readonly ScannedTest[], line: number): readonly ScannedTest[] {
  const around = tests.filter((each) => each.line <= line && line <= each.endLine);
  const smallest = Math.min(...around.map(({ line: from, endLine }) => endLine - from));
  return around.filter(({ line: from, endLine }) => endLine - from === smallest);
}

function ambiguous(found: readonly ScannedTest[], name: string | undefined): Failure {
  return new Failure(
    'ambiguous_test',
    name === undefined
      ? l10n.t('{0} tests are meant: name one.', found.length)
      : l10n.t('{0} tests have the name {1}.', found.length, name),
    'Pass test_name with the full name, or line, of one of candidates.',
    {
      candidates: found
        .slice(0, MOST_NAMES)
        .map((each) => ({ name: nameOf(each), line: each.line })),
      test_count: found.length,
    },
  );
}

function notFound(tests: readonly ScannedTest[], { name, line }: Wanted, file: string): Failure {
  const base = path.basename(file);
  const unnamed =
    line === undefined
      ? l10n.t('There is no test in {0}.', base)
      : l10n.t('There is no test around line {0} of {1}.', line, base);
  return new Failure(
    'test_not_found',
    name === undefined ? unnamed : l10n.t('There is no test {0} in {1}.', name, base),
    'Pass test_name or line of one of tests.',
    { outcome: 'not_found', ...whatThereIs(tests, name) },
  );
}

/** The tests there are, and those whose names are near. */
export function whatThereIs(
  tests: readonly ScannedTest[],
  name: string | undefined,
): Readonly<Record<string, unknown>> {
  const near = name === undefined ? [] : nearNames(tests, name);
  return {
    ...(near.length > 0 ? { near } : {}),
    tests: tests.slice(0, MOST_NAMES).map((each) => ({ name: nameOf(each), line: each.line })),
    test_count: tests.length,
  };
}

/** Longer names are not compared: that would take long. */
const MOST_COMPARED = 200;

function nearNames(tests: readonly ScannedTest[], name: string): readonly string[] {
  const wanted = name.toLowerCase().slice(0, MOST_COMPARED);
  return tests
    .map((each) => {
      const candidates = [nameOf(each), each.path.at(-1) ?? ''].map((text) =>
        text.toLowerCase().slice(0, MOST_COMPARED),
      );
      const distance = Math.min(...candidates.map((text) => editDistance(text, wanted)));
      return { name: nameOf(each), distance };
    })
    .filter(({ distance }) => distance <= Math.max(3, wanted.length / 2))
    .sort((left, right) => left.distance - right.distance)
    .slice(0, MOST_NEAR)
    .map((each) => each.name);
}

/** How many characters have to be put in, taken out or changed. */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let to = 0; to < other.length; to += 1) {
      const changed = (row[to] ?? 0) + (one.charAt(at) === other.charAt(to) ? 0 : 1);
      next.push(Math.min(changed, (row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
