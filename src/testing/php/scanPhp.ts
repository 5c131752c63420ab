import { lineCounter, maskText, type Lexis } from '../scan/maskText';
import { nested, type FoundTest } from '../scan/nesting';
import type { ScannedTest } from '../testFramework';

const PHP: Lexis = {
  lineComment: '//',
  blockComment: ['/*', '*/'],
  quotes: ["'", '"'].map((mark) => ({ mark, isMultiline: true })),
};

/** The length of the text before a method in which its comment and its attributes are looked for. */
const BEFORE = 400;
const MARKED = /@test\b|#\[(?:\\?[\w\\]+\\)?Test\b/;

/** Finds the test methods of PHPUnit in their classes: by their names, by `@test` and by `#[Test]`. */
export function scanPhp(text: string): readonly ScannedTest[] {
  const masked = maskText(text, PHP);
  const found: FoundTest[] = [];
  const open: (Omit<FoundTest, 'end'> | undefined)[] = [];
  let declared: Omit<FoundTest, 'end'> | undefined;
  let [before, beforeAt, last] = ['', 0, 0];
  for (const { 0: token, index } of masked.matchAll(/[\w$]+|[{};]/g)) {
    if (token === '{') {
      open.push(declared);
      declared = undefined;
    } else if (token === '}') {
      const body = open.pop();
      if (body !== undefined) found.push({ ...body, end: index });
      last = index;
    } else if (token === ';') {
      declared = undefined;
      last = index;
    } else if (before === 'class') {
      declared = { kind: 'suite', name: token, start: beforeAt };
    } else if (before === 'function') {
      const comment = text.slice(Math.max(last, beforeAt - BEFORE), beforeAt);
      const isTest = /^test/i.test(token) || MARKED.test(comment);
      declared = isTest ? { kind: 'test', name: token, start: beforeAt } : undefined;
    }
    [before, beforeAt] = [token, index];
  }
  return nested(found, lineCounter(text));
}
