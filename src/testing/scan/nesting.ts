import type { ScannedTest } from '../testFramework';

/** A test or a group at its position in a text, before its enclosing groups are known. */
export interface FoundTest {
  readonly kind: ScannedTest['kind'];
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly isTemplate?: boolean;
  /** Whether its declaration says that it is skipped. */
  readonly isSkipped?: boolean;
  /** Whether a function of the person's own declares it, so that its name may only be a part of that of the test. */
  readonly isLoose?: boolean;
  /** Whether it is only the call of such a function. */
  readonly isWrapper?: boolean;
}

/** The maximum depth of groups. Nobody nests tests deeper, but a text without closing brackets may look like it. */
export const MAX_NESTED = 100;

/** The maximum number of tests of a file that are found. */
export const MAX_TESTS = 20_000;

/** Adds the names of the enclosing groups to each test. */
export function nested(
  found: readonly FoundTest[],
  lineOf: (place: number) => number,
): readonly ScannedTest[] {
  const sorted = [...found].sort((left, right) => left.start - right.start);
  const open: FoundTest[] = [];
  return sorted.flatMap((test) => {
    while (open.length > 0 && (open.at(-1)?.end ?? 0) < test.start) open.pop();
    if (open.length >= MAX_NESTED) return [];
    const parents = open.filter(({ kind }) => kind === 'test').map(({ name }) => name);
    const path = [...open.map(({ name }) => name), test.name];
    const isTemplate = [...open, test].some((outer) => outer.isTemplate === true);
    const isSkipped = [...open, test].some((outer) => outer.isSkipped === true);
    const isLoose = [...open, test].some((outer) => outer.isLoose === true);
    open.push(test);
    const scanned: ScannedTest = {
      kind: test.kind,
      path,
      line: lineOf(test.start),
      endLine: lineOf(test.end),
      ...(parents.length === 0 ? {} : { parents }),
      isTemplate,
      ...(isSkipped && { isSkipped }),
      ...(isLoose && { isLoose }),
    };
    return [scanned];
  });
}
