import type { ScannedTest } from '../testFramework';
import { blank, lineCounter, maskText, PYTHON } from '../scan/maskText';
import { MAX_NESTED, nested, type FoundTest } from '../scan/nesting';

const DEFINITION = /^([ \t]*)(?:(class)|(?:async[ \t]+)?def)[ \t]+(\w+)/gm;

/**
 * Finds the classes of a file, and the functions with names of tests. A class without tests of its own may inherit some,
 * and the tests of a class may run only where it is inherited, so the runner decides what is a test.
 */
export function scanPython(text: string): readonly ScannedTest[] {
  // A quote that ends a string of several lines may be at the beginning of its line.
  const masked = maskText(text, PYTHON).replace(/^[ \t]*(?:"""|''')/gm, blank);
  const found: FoundTest[] = [];
  const around: { readonly indent: number; readonly isClass: boolean }[] = [];
  for (const match of masked.matchAll(DEFINITION)) {
    const [whole, space = '', isClass, name = ''] = match;
    const indent = space.length;
    while (around.length > 0 && (around.at(-1)?.indent ?? 0) >= indent) around.pop();
    const isInFunction = around.some((each) => !each.isClass);
    around.push({ indent, isClass: isClass !== undefined });
    if (around.length > MAX_NESTED) continue;
    if (isInFunction || (isClass === undefined && !name.startsWith('test'))) continue;
    found.push({
      kind: isClass ? 'suite' : 'test',
      name,
      start: match.index + whole.length,
      end: endOfBlock(masked, match.index + whole.length, indent),
    });
  }
  const lines = masked.split('\n').map(lineOf);
  return nested(found, lineCounter(text)).map((test) => withDecorators(test, lines));
}

/** Returns the last position of the block that is indented more than `indent`. */
function endOfBlock(masked: string, from: number, indent: number): number {
  const LINE = /\n([ \t]*)(\S)/g;
  LINE.lastIndex = from;
  for (let line = LINE.exec(masked); line !== null; line = LINE.exec(masked))
    if ((line[1]?.length ?? 0) <= indent && !/[)\]}]/.test(line[2] ?? '')) return line.index - 1;
  return masked.length - 1;
}

interface Line {
  readonly isDecorator: boolean;
  /** The number of brackets that it closes, without those that it opens. */
  readonly closes: number;
}

function lineOf(text: string): Line {
  const closes = (text.match(/[)\]}]/g)?.length ?? 0) - (text.match(/[([{]/g)?.length ?? 0);
  return { isDecorator: /^[ \t]*@/.test(text), closes };
}

/** The maximum number of lines of decorators. */
const MAX_DECORATORS = 200;

/** Extends a test to the line of its first decorator. */
function withDecorators(test: ScannedTest, lines: readonly Line[]): ScannedTest {
  let first = test.line;
  let depth = 0;
  for (let line = test.line - 1; line >= Math.max(1, test.line - MAX_DECORATORS); line -= 1) {
    const { isDecorator = false, closes = 0 } = lines[line - 1] ?? {};
    depth += closes;
    if (isDecorator && depth === 0) first = line;
    else if (depth <= 0) break;
  }
  return { ...test, line: first };
}
