import { CPP, lineCounter, maskText } from '../scan/maskText';
import type { ScannedTest } from '../testFramework';

const MACRO = /^[ \t]*(TYPED_)?TEST(_F|_P)?\([ \t]*(\w+)[ \t]*,\s*(\w+)[ \t]*\)/gm;

/** Finds `TEST(Suite, Name)` and the similar macros of GoogleTest. */
export function scanGoogleTest(text: string): readonly ScannedTest[] {
  const masked = maskText(text, CPP);
  const lineOf = lineCounter(text);
  const found = [...masked.matchAll(MACRO)];
  return found.map(({ index, 0: whole, 1: typed, 2: kind, 3: suite = '', 4: name = '' }, at) => ({
    kind: 'test',
    path: [suite, name],
    line: lineOf(index + whole.search(/\S/)),
    endLine: lineOf(endOfBody(masked, index + whole.length, found[at + 1]?.index)),
    isTemplate: typed !== undefined || kind === '_P',
  }));
}

/**
 * Returns the end of the block that follows a place.
 * @param next the place of the next test. No block reaches it.
 */
function endOfBody(masked: string, from: number, next = masked.length): number {
  let depth = 0;
  for (let at = from; at < next; at += 1) {
    const character = masked.charAt(at);
    if (character === '{') depth += 1;
    if (character !== '}') continue;
    depth -= 1;
    if (depth <= 0) return at;
  }
  return next - 1;
}
