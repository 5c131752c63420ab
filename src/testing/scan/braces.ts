import type { ScannedTest } from '../testFramework';
import { closingOf, GO, JAVA, lineCounter, maskText } from './maskText';
import { nested, type FoundTest } from './nesting';

/** Returns the end of the block that follows a place. */
function endOfBlock(masked: string, from: number): number {
  const open = masked.indexOf('{', from);
  return open === -1 ? from : closingOf(masked, open);
}

/** Finds the tests `func TestX(t *testing.T)`, and the subtests `t.Run("name", …)` in them. */
export function scanGo(text: string): readonly ScannedTest[] {
  const masked = maskText(text, GO);
  const found: FoundTest[] = [];
  for (const match of masked.matchAll(/^func (Test\w*|Fuzz\w*|Example\w*)\(/gm)) {
    // It runs all tests, and is none itself.
    if (match[1] === 'TestMain') continue;
    found.push({
      kind: 'test',
      name: match[1] ?? '',
      start: match.index,
      end: endOfBlock(masked, match.index),
    });
  }
  for (const match of masked.matchAll(/\b\w+\.Run\(\s*(?!\))/g)) {
    const at = match.index + match[0].length;
    const mark = text.charAt(at);
    const isText = mark === '"' || mark === '`';
    const end = isText ? masked.indexOf(mark, at + 1) : -1;
    found.push({
      kind: 'test',
      name: isText ? text.slice(at + 1, end) : '${…}',
      start: match.index,
      end: closingOf(masked, match.index + match[0].indexOf('(')),
      isTemplate: !isText,
    });
  }
  // A subtest counts only inside a test.
  return nested(found, lineCounter(text)).filter(({ path: [first = ''] }) =>
    /^(?:Test|Fuzz|Example)/.test(first),
  );
}

const JAVA_TEST = /@(?:[\w.]+\.)?(Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\b/g;

/** Finds methods with an annotation of JUnit 4 or 5, in their classes. */
export function scanJava(text: string): readonly ScannedTest[] {
  const masked = maskText(text, JAVA);
  const found: FoundTest[] = [];
  for (const match of masked.matchAll(/\b(?:class|record)\s+(\w+)[^;{()]*\{/g))
    found.push({
      kind: 'suite',
      name: match[1] ?? '',
      start: match.index,
      end: endOfBlock(masked, match.index),
    });
  for (const match of masked.matchAll(JAVA_TEST)) {
    const method = /(\w+)\s*\([^()]*\)\s*(?:throws\s+[\w.,\s]+)?\{/.exec(masked.slice(match.index));
    if (method === null) continue;
    const body = match.index + method.index + method[0].length - 1;
    found.push({
      kind: 'test',
      name: method[1] ?? '',
      start: match.index,
      end: closingOf(masked, body),
    });
  }
  return nested(found, lineCounter(text));
}
