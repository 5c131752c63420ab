import type { ScannedTest } from '../testFramework';
import { closings, JAVASCRIPT, lineCounter, maskText } from '../scan/maskText';
import { MAX_TESTS, nested, type FoundTest } from '../scan/nesting';

/** Matches a call of a function that declares tests, by the names that runners use. `t.test` declares a subtest. */
const DECLARATION =
  /(?<![\w$.])(?:(?<word>describe|suite|context|it|test|specify|bench|[xf](?:describe|context|it|test|specify))(?<more>(?:\.\w+)*)|(?:t|ctx|context|test)\.(?<subtest>test|it))\s*(?=[(`])/g;

const SUITE = /^[xf]?(?:describe|suite|context)$/;

/** Finds tests in a text that cannot be parsed. */
export function testsInText(text: string): readonly ScannedTest[] {
  const masked = maskText(text, JAVASCRIPT);
  const closing = closings(masked);
  const found: FoundTest[] = [];
  for (const match of masked.matchAll(DECLARATION)) {
    if (found.length >= MAX_TESTS) break;
    const { word = 'test', more = '' } = match.groups ?? {};
    const start = match.index;
    const isTable = /\.(?:each|for)\b/.test(more);
    const open = isTable
      ? afterTable(masked, start + match[0].length, closing)
      : start + match[0].length;
    if (masked.charAt(open) !== '(') continue;
    const name = nameAt(text, masked, open + 1);
    if (name === undefined) continue;
    found.push({
      kind: SUITE.test(word) || /\.describe\b/.test(more) ? 'suite' : 'test',
      name: name.text,
      start,
      end: closing(open),
      isTemplate: isTable || name.isTemplate,
    });
  }
  return nested(found, lineCounter(text));
}

/**
 * Returns the offset of the second opening parenthesis in `test.each(rows)(name, …)` and `` test.each`rows`(name, …)
 * ``.
 */
function afterTable(masked: string, at: number, closing: (open: number) => number): number {
  const end = masked.charAt(at) === '`' ? masked.indexOf('`', at + 1) : closing(at);
  const rest = /\S/.exec(masked.slice(end + 1));
  return rest === null ? masked.length : end + 1 + rest.index;
}

/** Returns the name that begins at an offset. A name that is not a literal is a template that matches any name. */
function nameAt(
  text: string,
  masked: string,
  from: number,
): { readonly text: string; readonly isTemplate: boolean } | undefined {
  const skipped = /^\s*/.exec(masked.slice(from, from + 1000))?.[0].length ?? 0;
  const at = from + skipped;
  const mark = text.charAt(at);
  if (mark === ')' || mark === '') return undefined;
  // There may be a function instead of a name: a class, or the test itself.
  if (!/["'`]/.test(mark)) {
    const word = /^[\w$.]+/.exec(text.slice(at, at + 200))?.[0];
    const isFunction = word === undefined || /^(?:async|function)\b/.test(word);
    return isFunction ? undefined : { text: `\${${word}}`, isTemplate: true };
  }
  const end = masked.indexOf(mark, at + 1);
  if (end === -1) return undefined;
  const raw = text.slice(at + 1, end);
  const isJoined = /^\s*\+/.test(masked.slice(end + 1, end + 100));
  return {
    text: unescaped(raw) + (isJoined ? '${…}' : ''),
    isTemplate: isJoined || (mark === '`' && raw.includes('${')),
  };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function unescaped(raw: string): string {
  return raw.replace(
    /\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(.))/gs,
    (whole, ...groups: (string | undefined)[]) => {
      const [long, four, two, one] = groups;
      const code = long ?? four ?? two;
      if (code !== undefined) {
        const point = parseInt(code, 16);
        return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
      }
      return one === undefined ? whole : (ESCAPES[one] ?? one);
    },
  );
}
