import type { Language } from '../project';

/** How strings and comments begin and end in a language. The first pattern that matches at a place counts. */
const C_COMMENTS = [/\/\/[^\n]*/y, /\/\*[^]*?(?:\*\/|$)/y];
const QUOTED = [/"(?:\\[^]|[^"\\\n])*"?/y];
const APOSTROPHES = [/'(?:\\[^]|[^'\\\n])*'?/y];

const SKIPPED: Readonly<Record<Language, readonly RegExp[]>> = {
  python: [
    /#[^\n]*/y,
    /[rRbBuUfFtT]{0,2}"""(?:\\[^]|[^\\])*?(?:"""|$)/y,
    /[rRbBuUfFtT]{0,2}'''(?:\\[^]|[^\\])*?(?:'''|$)/y,
    ...QUOTED,
    ...APOSTROPHES,
  ],
  javascript: [
    ...C_COMMENTS,
    ...QUOTED,
    ...APOSTROPHES,
    /`(?:\\[^]|[^`\\])*`?/y,
    // A regular expression stands where an operand may begin.
    /(?<=(?:^|[=(,:[!&|?{};>]|\breturn|\btypeof)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/my,
  ],
  go: [...C_COMMENTS, ...QUOTED, ...APOSTROPHES, /`[^`]*`?/y],
  rust: [
    ...C_COMMENTS,
    /b?r(#*)"[^]*?"\1/y,
    /b?"(?:\\[^]|[^"\\])*"?/y,
    // A character, and not a lifetime.
    /b?'(?:\\[^\n]{1,9}?|[^'\\\n])'/y,
  ],
  cpp: [
    ...C_COMMENTS,
    /R"([^()\s]*)\([^]*?\)\1"/y,
    ...QUOTED,
    /(?<!\d)'(?:\\[^]|[^'\\\n])*'?/y,
    /^[ \t]*#[^\n]*/my,
  ],
  java: [...C_COMMENTS, /"""[^]*?"""/y, ...QUOTED, ...APOSTROPHES],
};

/** Returns the text with spaces instead of its strings and comments. Lines and columns stay. */
export function maskOf(text: string, language: Language): string {
  let masked = '';
  let at = 0;
  while (at < text.length) {
    const skipped = matchAt(text, at, SKIPPED[language]);
    masked += skipped === '' ? (text[at] ?? '') : skipped.replace(/[^\n]/g, ' ');
    at += Math.max(1, skipped.length);
  }
  return masked;
}

function matchAt(text: string, at: number, patterns: readonly RegExp[]): string {
  for (const pattern of patterns) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    if (found !== '') return found;
  }
  return '';
}
