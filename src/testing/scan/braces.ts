import type { ScannedTest } from '../testFramework';
import { closingOf, CPP, lineCounter, maskText, RUST } from './maskText';
import { nested, type FoundTest } from './nesting';

/** Returns the end of the block that follows a place. */
function endOfBlock(masked: string, from: number): number {
  const open = masked.indexOf('{', from);
  return open === -1 ? from : closingOf(masked, open);
}

/** Finds `TEST(Suite, Name)` and the similar macros of GoogleTest. */
export function scanGoogleTest(text: string): readonly ScannedTest[] {
  const masked = maskText(text, CPP);
  const lineOf = lineCounter(text);
  return [...masked.matchAll(/^[ \t]*(TYPED_)?TEST(_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)/gm)].map(
    ({ index, 0: whole, 1: typed, 2: kind, 3: suite = '', 4: name = '' }) => ({
      kind: 'test',
      path: [suite, name],
      line: lineOf(index + whole.search(/\S/)),
      endLine: lineOf(endOfBlock(masked, index)),
      isTemplate: typed !== undefined || kind === '_P',
    }),
  );
}

/** Finds the tests `#[test] fn name()`, in their modules. */
export function scanRust(text: string): readonly ScannedTest[] {
  // A double quote may be a character.
  const masked = maskText(
    text.replace(/'\\?"'/g, (quoted) => ' '.repeat(quoted.length)),
    RUST,
  );
  const found: FoundTest[] = [];
  for (const match of masked.matchAll(/\bmod\s+(\w+)\s*\{/g))
    found.push({
      kind: 'suite',
      name: match[1] ?? '',
      start: match.index,
      end: endOfBlock(masked, match.index),
    });
  for (const match of masked.matchAll(/#\[(?:\w+::)*(?:test|rstest)\b[^\]]*\]/g)) {
    const method = /\bfn\s+(\w+)/.exec(masked.slice(match.index));
    if (method === null) continue;
    found.push({
      kind: 'test',
      name: method[1] ?? '',
      start: match.index,
      end: endOfBlock(masked, match.index + method.index),
    });
  }
  return nested(found, lineCounter(text));
}
