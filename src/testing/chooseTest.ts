import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { Failure } from '../results/failure';
import { fixedParts } from './javascript/scanJavaScript';
import { defined } from '../util/defined';
import type { ChosenTest, ScannedTest } from './testFramework';

/** The maximum number of names that an error lists. */
const MAX_NAMES = 20;
const MAX_NEAR = 5;

interface RequestedTest {
  readonly name: string | undefined;
  readonly line: number | undefined;
}

/** Returns the readable name of a test. */
export function nameOf({ path: names }: Pick<ScannedTest, 'path'>): string {
  return names.join(' > ');
}

/**
 * Returns the requested test from the tests in a file's text.
 * @throws Failure `ambiguous_test`, `test_not_found`
 */
export function chooseTest(
  scanned: readonly ScannedTest[],
  { name, line }: RequestedTest,
  file: string,
): ChosenTest {
  const tests = scanned.filter(({ kind }) => kind === 'test');
  const named = name === undefined ? tests : byName(tests, name);
  const found = line === undefined ? named : innermost(named, line);
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return asChosen(first, name);
  if (first !== undefined) throw ambiguous(found, name);
  // The runner may know names that the text does not show.
  if (name !== undefined && line === undefined)
    return { path: [name], line: undefined, isTemplate: false };
  throw notFound(tests, { name, line }, file);
}

function asChosen(scanned: ScannedTest, name: string | undefined): ChosenTest {
  const { path: names, line, endLine, parents, isTemplate, isSkipped, isLoose } = scanned;
  const [leaf = ''] = names.slice(-1);
  const above = names.slice(0, -1);
  const place = { line, endLine, parents, isSkipped, ...(isLoose === true ? { isLoose } : {}) };
  // pytest identifies a case of a parametrized test by its parameters after the name.
  const parameters = name === undefined ? undefined : parametersOf(name);
  if (!isTemplate && parameters !== undefined && name?.endsWith(`${leaf}${parameters}`) === true)
    return { ...place, path: [...above, `${leaf}${parameters}`], isTemplate };
  if (!isTemplate || name === undefined) return { ...place, path: names, isTemplate };
  // If the runner creates the name from a template, the name in the call identifies the test.
  const isItself = SEPARATORS.some((between) => names.join(between) === name);
  const parts = isItself ? undefined : partsOf(names, name);
  if (parts !== undefined) return { ...place, path: parts, isTemplate: false };
  const own = withoutGroups(name, above);
  if (own === leaf || isItself) return { ...place, path: names, isTemplate };
  return fits(leaf, own)
    ? { ...place, path: [...above, own], isTemplate: above.some(isPattern) }
    : { ...place, path: [name], isTemplate: false };
}

/** Removes the names of the groups from the beginning of a whole name. */
function withoutGroups(name: string, above: readonly string[]): string {
  const prefix = SEPARATORS.map((between) => above.join(between) + between).find((groups) =>
    name.startsWith(groups),
  );
  return above.length === 0 || prefix === undefined ? name : name.slice(prefix.length);
}

/** The texts between the parts of a name, as runners and this tool write them. */
const SEPARATORS = [' > ', ' › ', '::', ' ', '.', '/'] as const;

/** The maximum number of ways to split a name that are tried. */
const MAX_SPLITS = 2000;

/** The separators that stand only between the parts of a name. */
const CLEAR_SEPARATORS = [' > ', ' › '] as const;

/** Splits a whole name as templates produce it. */
function partsOf(templates: readonly string[], name: string): readonly string[] | undefined {
  if (!templates.slice(0, -1).some(isPattern)) return undefined;
  let left = MAX_SPLITS;
  const split = (at: number, rest: string): readonly string[] | undefined => {
    const template = templates[at] ?? '';
    if (at === templates.length - 1) return fits(template, rest) ? [rest] : undefined;
    for (const between of CLEAR_SEPARATORS)
      for (let end = rest.indexOf(between); end >= 0; end = rest.indexOf(between, end + 1)) {
        left -= 1;
        if (left < 0) return undefined;
        if (!fits(template, rest.slice(0, end))) continue;
        const others = split(at + 1, rest.slice(end + between.length));
        if (others !== undefined) return [rest.slice(0, end), ...others];
      }
    return undefined;
  };
  return split(0, name);
}

function isPattern(name: string): boolean {
  return fixedParts(name).length > 1;
}

/**
 * Finds tests by the whole name with any separator between its parts, otherwise by the last part, the end of the path,
 * or a template.
 */
function byName(tests: readonly ScannedTest[], name: string): readonly ScannedTest[] {
  const bareName = withoutParameters(name);
  const matching = (textsOf: (names: readonly string[]) => readonly string[]) => {
    const isAny = (normalized: (text: string) => string) => {
      const possible = [name, bareName].map(normalized);
      return tests.filter(({ path: names }) =>
        textsOf(names).some((text) => possible.includes(normalized(text))),
      );
    };
    const exact = isAny((text) => text);
    return exact.length > 0 ? exact : isAny(withUnderscores);
  };
  const whole = matching((names) => SEPARATORS.map((between) => names.join(between)));
  if (whole.length > 0) return whole;
  const leaf = matching((names) => names.slice(-1));
  if (leaf.length > 0) return leaf;
  // The name is the end of the path, such as `Class.method` in a module.
  const tail = tests.filter(({ path: names }) =>
    names.some((_, index) =>
      SEPARATORS.some((between) => names.slice(index).join(between) === bareName),
    ),
  );
  if (tail.length > 0) return tail;
  return tests.filter(
    ({ path: names, isTemplate }) =>
      isTemplate &&
      (fits(names.at(-1) ?? '', withoutGroups(name, names.slice(0, -1))) ||
        fits(names.join(' '), name)),
  );
}

/** Removes the file that pytest writes before the name of a test, and the parameters behind it. */
function withoutParameters(name: string): string {
  const inFile = name.replace(/^[^[]*\.py::/, '');
  const base = inFile.slice(0, inFile.length - (parametersOf(inFile) ?? '').length);
  return /(?:^|::|[./]| [>›] )\w+$/.test(base) ? base : inFile;
}

/** Returns what is in brackets behind a name, with the brackets. */
function parametersOf(name: string): string | undefined {
  const before = name.endsWith(']') ? name.search(/\w\[/) : -1;
  return before === -1 ? undefined : name.slice(before + 1);
}

/** Returns a name as Go writes it. */
function withUnderscores(name: string): string {
  return name.replace(/\s/g, '_');
}

/** Whether a template can produce a name. The name must contain the fixed parts of the template in the same order. */
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
  const around = tests.filter((test) => test.line <= line && line <= test.endLine);
  const smallest = Math.min(...around.map(({ line: from, endLine }) => endLine - from));
  return around.filter(({ line: from, endLine }) => endLine - from === smallest);
}

function ambiguous(found: readonly ScannedTest[], name: string | undefined): Failure {
  return new Failure(
    'ambiguous_test',
    ambiguity(found, name),
    'Pass test_name with the full name, or line, of one of candidates.',
    {
      candidates: found
        .slice(0, MAX_NAMES)
        .map((test) => ({ name: nameOf(test), line: test.line })),
      test_count: found.length,
    },
  );
}

function ambiguity(found: readonly ScannedTest[], name: string | undefined): string {
  if (name === undefined) return l10n.t('{0} tests match. Name one.', found.length);
  return found.every((test) => test.isTemplate && !hasPart(test, name))
    ? l10n.t('{0} tests with names made at run time may have the name {1}.', found.length, name)
    : l10n.t('{0} tests have the name {1}.', found.length, name);
}

/** Whether the end of a test's name, as the text shows it, is a name. */
function hasPart({ path: names }: ScannedTest, name: string): boolean {
  return names.some((_, at) =>
    SEPARATORS.some((between) => names.slice(at).join(between) === name),
  );
}

function notFound(
  tests: readonly ScannedTest[],
  { name, line }: RequestedTest,
  file: string,
): Failure {
  const base = path.basename(file);
  const unnamed =
    line === undefined
      ? l10n.t('There is no test in {0}.', base)
      : l10n.t('There is no test around line {0} of {1}.', line, base);
  return new Failure(
    'test_not_found',
    name === undefined ? unnamed : l10n.t('There is no test {0} in {1}.', name, base),
    'Pass test_name or line of one of tests.',
    { outcome: 'not_found', ...availableTests(tests, name) },
  );
}

/** Returns the available tests, and the tests with similar names. */
export function availableTests(
  tests: readonly ScannedTest[],
  name: string | undefined,
): Readonly<Record<string, unknown>> {
  const near = name === undefined ? [] : nearNames(tests, name);
  return {
    ...defined({ names: near.length > 0 ? near : undefined }),
    tests: tests.slice(0, MAX_NAMES).map((test) => ({ name: nameOf(test), line: test.line })),
    test_count: tests.length,
  };
}

/** Returns the tests that the runner found, and those with similar names. */
export function collectedTests(
  names: readonly string[],
  name: string,
): Readonly<Record<string, unknown>> {
  const near = nearest(
    names.map((each) => ({ name: each, texts: [each, each.split(/::|\./).at(-1) ?? ''] })),
    name,
  );
  return {
    ...defined({ names: near.length > 0 ? near : undefined }),
    tests: names.slice(0, MAX_NAMES).map((each) => ({ name: each })),
    test_count: names.length,
  };
}

/** The maximum length of compared names. Longer names are cut, because their comparison would take too long. */
const MAX_COMPARED = 200;

function nearNames(tests: readonly ScannedTest[], name: string): readonly string[] {
  return nearest(
    tests.map((test) => ({ name: nameOf(test), texts: [nameOf(test), test.path.at(-1) ?? ''] })),
    name,
  );
}

function nearest(
  candidates: readonly { readonly name: string; readonly texts: readonly string[] }[],
  name: string,
): readonly string[] {
  const requested = name.toLowerCase().slice(0, MAX_COMPARED);
  return candidates
    .map(({ name: own, texts }) => {
      const distances = texts.map((text) =>
        editDistance(text.toLowerCase().slice(0, MAX_COMPARED), requested),
      );
      return { name: own, distance: Math.min(...distances) };
    })
    .filter(({ distance }) => distance <= Math.max(3, requested.length / 2))
    .sort((left, right) => left.distance - right.distance)
    .slice(0, MAX_NEAR)
    .map((candidate) => candidate.name);
}

/** Returns the number of characters that have to be inserted, removed or changed. */
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
