import type { ScannedTest } from '../testFramework';

/** A test or a group by its place in a text, before it is known what is around it. */
export interface FoundTest {
  readonly kind: ScannedTest['kind'];
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly isTemplate?: boolean;
}

/** Gives each the names of those around it. */
export function nested(
  found: readonly FoundTest[],
  lineOf: (place: number) => number,
): readonly ScannedTest[] {
  const sorted = [...found].sort((left, right) => left.start - right.start);
  const open: FoundTest[] = [];
  return sorted.map((each) => {
    while (open.length > 0 && (open.at(-1)?.end ?? 0) < each.start) open.pop();
    const path = [...open.map(({ name }) => name), each.name];
    const isTemplate = [...open, each].some((one) => one.isTemplate === true);
    open.push(each);
    return {
      kind: each.kind,
      path,
      line: lineOf(each.start),
      endLine: lineOf(each.end),
      isTemplate,
    };
  });
}
