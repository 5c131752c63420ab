import type { ChosenTest, ScannedTest } from '../testFramework';

/**
 * Returns the test that a name means. The reporter looks its parts up among the tests that the runner has found, so they
 * may be the end of a name, the name of a group, or a class from which tests inherit.
 */
export function namedPython(name: string, scanned: readonly ScannedTest[]): ChosenTest {
  const parts = partsOf(name);
  const bare = parts.map((part, at) => (at === parts.length - 1 ? withoutParameters(part) : part));
  const exact = scanned.filter(({ path }) => path.join('\n') === bare.join('\n'));
  const [only] = exact.length === 1 ? exact : [];
  return { path: parts, line: only?.line, endLine: only?.endLine, isTemplate: false };
}

/** Splits a name as pytest, unittest and this tool write it. The parameters may contain any characters. */
function partsOf(name: string): readonly string[] {
  const whole = name.replace(/^[^[]*\.pyw?::/, '');
  const open = whole.endsWith(']') ? whole.indexOf('[') : -1;
  const [base, parameters] = open < 0 ? [whole, ''] : [whole.slice(0, open), whole.slice(open)];
  const between = ['::', ' > ', ' › ', '.'].find((separator) => base.includes(separator));
  const parts = between === undefined ? [base] : base.split(between);
  return [...parts.slice(0, -1), `${parts.at(-1) ?? ''}${parameters}`];
}

function withoutParameters(name: string): string {
  return name.endsWith(']') ? name.replace(/\[.*$/s, '') : name;
}

/** Returns the innermost test or class around a line. A class stands for all tests of it, inherited ones, too. */
export function atPythonLine(
  line: number,
  scanned: readonly ScannedTest[],
): ChosenTest | undefined {
  const around = scanned.filter((each) => each.line <= line && line <= each.endLine);
  const length = ({ line: from, endLine }: ScannedTest): number => endLine - from;
  const [innermost] = [...around].sort((one, other) => length(one) - length(other));
  if (innermost === undefined) return undefined;
  const { path, line: first, endLine } = innermost;
  return { path, line: first, endLine, isTemplate: false };
}
