import type { ChosenTest, ScannedTest } from '../testFramework';

const LINE = /^line (\d+)$/;

/**
 * Returns the test around a line. If the file shows none there, such as in the call of a macro that makes tests, the
 * program says which one it is.
 */
export function testAtLine(line: number, scanned: readonly ScannedTest[]): ChosenTest | undefined {
  const isShown = scanned.some(
    (test) => test.kind === 'test' && test.line <= line && line <= test.endLine,
  );
  if (isShown) return undefined;
  return { path: [`line ${line}`], line, endLine: line, isTemplate: false };
}

/** Returns the line by which a test was chosen, if the file shows no test there. */
export function bareLineOf({ path: [name = ''] }: ChosenTest): number | undefined {
  const found = LINE.exec(name)?.[1];
  return found === undefined ? undefined : Number(found);
}
