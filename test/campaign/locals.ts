import { readFileSync } from 'node:fs';
import path from 'node:path';
import { maskOf } from './change/mask';
import type { Place } from './project';
import { localsOfJavaScript } from './localsOfJavaScript';

const NAME = /[A-Za-z_$][\w$]*/g;

/**
 * Returns the local variables that a line uses. JavaScript is parsed. For the other languages, a declaration of the name
 * in the lines above, as far as the function goes, is enough. (Python's own frames tell it: see the hooks.)
 */
export function localsOfLine({ file, line, column = 1 }: Place): readonly string[] {
  const text = readFileSync(file, 'utf8');
  if (/\.(?:[cm]?[jt]sx?)$/.test(file)) return localsOfJavaScript(text, line, column);
  const language = LANGUAGES[path.extname(file)];
  return language === undefined ? [] : localsOfBraces(text, line, language);
}

type Braces = 'go' | 'rust' | 'cpp' | 'java';

const LANGUAGES: Readonly<Record<string, Braces>> = {
  '.go': 'go',
  '.rs': 'rust',
  '.java': 'java',
  ...Object.fromEntries(['.cc', '.cpp', '.cxx', '.h', '.hpp'].map((ext) => [ext, 'cpp' as const])),
};

/** The line on which a function begins. */
const FUNCTIONS: Readonly<Record<Braces, RegExp>> = {
  go: /^func\b/,
  rust: /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const\s+|unsafe\s+|async\s+)*fn\s/,
  cpp: /^(?:[A-Z_]*TEST[A-Z_]*\(|\S.*\)\s*(?:const\s*)?(?:noexcept\s*)?(?:->.*)?\{?\s*$)/,
  java: /^\s*(?:(?:public|protected|private|static|final)\s+)*[\w<>[\],.? ]+\s\w+\([^;]*$/,
};

function declares(language: Braces, name: string, text: string): boolean {
  const word = name.replace(/\$/g, '\\$&');
  const patterns: Readonly<Record<Braces, readonly string[]>> = {
    go: [
      `\\b${word}\\b[\\w\\s,]*:=`,
      `\\bvar\\s+(?:\\w+,\\s*)*${word}\\b`,
      `^func.*[(,]\\s*(?:\\w+,\\s*)*${word}(?:,\\s*\\w+)*\\s+[\\w*.\\[\\]({]`,
    ],
    rust: [
      `\\blet\\s[^=;]*\\b${word}\\b`,
      `\\bfn\\s.*[(,]\\s*(?:mut\\s+)?${word}\\s*:`,
      `\\bfor\\s[^{]*\\b${word}\\b[^{]*\\sin\\s`,
    ],
    cpp: [`[\\w>*&]\\s+[*&]*${word}\\s*(?:[=;({\\[]|,|\\))`],
    java: [`[\\w>\\]]\\s+${word}\\s*(?:[=;:]|,|\\))`],
  };
  return patterns[language].some((pattern) => new RegExp(pattern).test(text));
}

function localsOfBraces(text: string, line: number, language: Braces): readonly string[] {
  const lines = maskOf(text, language).split('\n');
  const current = lines[line - 1] ?? '';
  const used = [...new Set(current.match(NAME) ?? [])];
  const above: string[] = [];
  for (let at = line - 1; at >= 0; at -= 1) {
    above.push(lines[at] ?? '');
    if (FUNCTIONS[language].test(lines[at] ?? '')) break;
  }
  // The line itself declares what has no value yet when it fails.
  const before = above.slice(1);
  return used.filter(
    (name) =>
      !KEYWORDS.has(name) &&
      !isMember(current, name) &&
      before.some((each) => declares(language, name, each)),
  );
}

/** Whether a name occurs only as a member of something else. */
function isMember(line: string, name: string): boolean {
  return !new RegExp(`(?<![.\\w$]|::|->)${name.replace(/\$/g, '\\$&')}(?![\\w$]|::)`).test(line);
}

const KEYWORDS = new Set(
  'return if else for while new this self let mut const var func fn true false nil null t in range match t'.split(
    ' ',
  ),
);
