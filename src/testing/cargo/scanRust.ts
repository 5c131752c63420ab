import { closings, lineCounter, maskText, nextOf, RUST } from '../scan/maskText';
import { nested, type FoundTest } from '../scan/nesting';
import type { ScannedTest } from '../testFramework';

/** An attribute that makes a test, such as `#[test]`, `#[tokio::test(…)]` or `#[rstest]`. */
const TEST = /#\[(?:\w+::)*(?:test|rstest|test_case|quickcheck)\b[^\]]{0,200}\]/g;
/** What may stand between an attribute and its function. */
const BETWEEN =
  /(?:[ \t\r\n]|#\[[^\]]{0,200}\]|\bpub(?:\([\w: ]{1,100}\))?|\basync\b|\bunsafe\b|\bconst\b|\bextern\b|"[^"]*")*/y;
/** The function that follows attributes. Macros may make its name. */
const FUNCTION = /\bfn[ \t\r\n]+(\w+)/y;
const MODULE = /\bmod[ \t\r\n]+(\w+)[ \t\r\n]*\{/g;

/** Finds the tests `#[test] fn name()`, in their modules. */
export function scanRust(text: string): readonly ScannedTest[] {
  const masked = maskedRust(text);
  const closing = closings(masked);
  const nextOpen = nextOf(masked, '{');
  const found: FoundTest[] = [];
  for (const match of masked.matchAll(MODULE))
    found.push({
      kind: 'suite',
      name: match[1] ?? '',
      start: match.index,
      end: closing(match.index + match[0].length - 1),
    });
  let done = -1;
  for (const match of masked.matchAll(TEST)) {
    const end = match.index + match[0].length;
    // Several attributes of one function are one test.
    if (match.index < done) continue;
    BETWEEN.lastIndex = end;
    done = end + (BETWEEN.exec(masked)?.[0].length ?? 0);
    FUNCTION.lastIndex = done;
    const method = FUNCTION.exec(masked);
    if (method === null) continue;
    done = FUNCTION.lastIndex;
    const open = nextOpen(done);
    found.push({
      kind: 'test',
      name: method[1] ?? '',
      start: match.index,
      end: open === -1 ? done : closing(open),
    });
  }
  return nested(found, lineCounter(text));
}

/** Blanks comments and strings. A double quote may be a character. */
export function maskedRust(text: string): string {
  return maskText(
    text.replace(/'\\?"'/g, (quoted) => ' '.repeat(quoted.length)),
    RUST,
  );
}

/** What the source of a test says about how it may end. */
export interface TestFacts {
  /** Whether it returns a value, such as a result. */
  readonly returns: boolean;
  /** Whether it may expect a panic. */
  readonly mayExpectPanic: boolean;
  readonly line: number | undefined;
  /** The feature without which it is not built. */
  readonly feature: string | undefined;
}

const MAX_OF_A_SIGNATURE = 400;
/** The number of lines above a function that may hold its attributes. */
const MAX_ATTRIBUTES = 12;

/**
 * Reads what the source of a test says.
 * @param name the name of the function
 * @param line a line of the test, if it is known
 */
export function testFacts(text: string, name: string, line: number | undefined): TestFacts {
  const masked = maskedRust(text);
  const lineOf = lineCounter(text);
  const functions = [...masked.matchAll(/\bfn[ \t\r\n]+(\w+)/g)].filter(
    (match) => match[1] === name,
  );
  const [first] =
    line === undefined ? functions : functions.filter((match) => lineOf(match.index) >= line);
  if (first === undefined)
    return { returns: true, mayExpectPanic: true, line: undefined, feature: undefined };
  const at = lineOf(first.index);
  const signature = masked.slice(first.index, first.index + MAX_OF_A_SIGNATURE).split('{')[0] ?? '';
  const lines = text.split('\n').slice(Math.max(0, at - 1 - MAX_ATTRIBUTES), at);
  const body = lines.slice(0, -1).findLastIndex((above) => /[;}][ \t\r]*$/.test(above));
  const attributes = lines.slice(body + 1).join('\n');
  return {
    returns: signature.includes('->'),
    mayExpectPanic: /#\[should_panic\b/.test(attributes),
    line: at,
    feature: /#\[cfg\([^\n]{0,100}\bfeature *= *"([^"\n]*)"/.exec(attributes)?.[1],
  };
}

/** Returns the identifiers of a line. */
export function wordsAt(text: string, line: number): readonly string[] {
  return (text.split('\n')[line - 1] ?? '').match(/[A-Za-z_]\w*/g) ?? [];
}

/** Whether a line is in a comment of documentation, whose examples are tests. */
export function isInDocumentation(text: string, line: number): boolean {
  return /^[ \t]*\/\/[/!]/.test(text.split('\n')[line - 1] ?? '');
}
