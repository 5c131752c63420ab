/**
 * Whether the text of a value is known to show the whole value. Only two complete texts prove that values are equal. It
 * knows how the adapters and the recorders show a part: `…`, `...+36 more`, `size=3`, addresses, `<ndarray>`. A text
 * that only might be complete counts as incomplete.
 */
export function isCompleteText(text: string): boolean {
  const bare = withoutStrings(text);
  if (bare === undefined || bare.trim() === '') return false;
  return !PARTS.some((part) => part.test(bare)) && !isCountAlone(bare);
}

/** The forms in which a value is shown in part. They are searched outside of string literals. */
const PARTS: readonly RegExp[] = [
  /…|\.\.\./,
  // An address without the contents behind it. Delve shows an integer as `4831232 = 0x49b800`.
  /(?<!\d = )\b0x[\da-f]{6,16}\b(?! \(| ")/i,
  // `Order @ 0x…` and `Order@1b2c`.
  /[\w>] ?@ ?(?:0x)?[\da-f]/i,
  // The objects of Python that are shown by their class alone. One with fields is `<Order price=10>`.
  /<[\w.]+(?:>| (?!\w+=))/,
  // `Array(3)` of JavaScript, but not `Array(3) [1, 2, 3]`, nor `Some(3)` of Rust and `np.int64(3)` of Python.
  /(?<![.\w])(?!Some\(|Ok\(|Err\()[A-Z]\w*\(\d+\)(?! ?[[{])/,
  // Arrays and tables of Python without rows.
  /\bdtype=[\w[\]<>?]+\)|\bshape=\([\d, ]*\)\)/,
  // numpy shows eight digits.
  /\barray\(.{0,400}\d\.\d{8}/s,
  // What JavaScript's recorder does not look into.
  /\[Proxy\]|\(getter\)|\(not shown\)|\(a large bigint\)|ƒ|\bPromise\b|\bclass \w/,
  // Values that could not be read, channels and functions of Go.
  /(?:^|[[{(,:] ?)\?|\bunreadable\b|\bchan |\bfunc\(/,
  /^(?:Object|Array|Generator)$/,
];

const QUOTES = new Set(['"', "'", '`']);

/** The length from which adapters may put `...` into the middle or to the end of a string. */
const MIN_CUT = 40;

/** Replaces each string literal by `""`. Undefined if one may have been cut. */
function withoutStrings(text: string): string | undefined {
  let bare = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const isInWord = /\w/.test(text.charAt(at - 1)) && !isPrefix(text, at);
    if (!QUOTES.has(character) || isInWord) {
      bare += character;
      continue;
    }
    const end = endOfString(text, at);
    if (end === undefined || mayBeCut(text.slice(at + 1, end))) return undefined;
    bare += '""';
    at = end;
  }
  return bare;
}

/** Whether the letters before a quote belong to its literal: `b'…'`, `u8"…"`. Others are words with an apostrophe. */
function isPrefix(text: string, at: number): boolean {
  return /(?:^|\W)(?:[bruLU]|u8|br|rb)$/.test(text.slice(Math.max(0, at - 4), at));
}

function endOfString(text: string, start: number): number | undefined {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\' && quote !== '`') at += 1;
    else if (text.charAt(at) === quote) return at;
  }
  return undefined;
}

function mayBeCut(content: string): boolean {
  if (content.includes('…') || /\.\.\.\+\d{1,15} more$/.test(content)) return true;
  return content.length >= MIN_CUT && content.includes('...');
}

/** Whether a collection of LLDB is shown by its size alone: `size=3`, but not `size=3 [0, 1, 2]` or `<Order size=3>`. */
function isCountAlone(bare: string): boolean {
  const brackets: string[] = [];
  for (let at = 0; at < bare.length; at += 1) {
    const character = bare.charAt(at);
    if ('[{(<'.includes(character)) brackets.push(character);
    else if (']})>'.includes(character)) brackets.pop();
    const isField = brackets.at(-1) === '<' || brackets.at(-1) === '(';
    if (isField || /\w/.test(bare.charAt(at - 1))) continue;
    if (/^size=[1-9]\d{0,15}(?! ?[[{]|\d)/.test(bare.slice(at, at + 30))) return true;
  }
  return false;
}
