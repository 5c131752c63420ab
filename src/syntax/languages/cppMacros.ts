/**
 * Replaces macros by blanks of the same length where the grammar of C++ takes them for something else: in front of a
 * declaration, in the head of a class or a namespace, behind the parameters of a function, and alone in a line. Their
 * names have only capital letters. What is in front of a name, such as `HANDLE` in `HANDLE open() {`, may be a type; the
 * function is found without it, too.
 */
export function withoutMacros(text: string): string {
  const code = text.replace(NO_CODE, (found) => found.replace(/[^\n]/g, ' '));
  const parts: string[] = [];
  let done = 0;
  let before = '';
  for (const { 0: name, index } of code.matchAll(MACRO)) {
    if (index < done) continue;
    const end = endOfCall(code, index + name.length);
    const between = code.slice(Math.max(done, index - MAX_BEFORE), index).trimEnd();
    if (between !== '') before = between;
    if (!isMacro(before, code.slice(end, end + MAX_BEFORE).trimStart())) {
      before = name;
      continue;
    }
    parts.push(text.slice(done, index), text.slice(index, end).replace(/[^\n]/g, ' '));
    done = end;
  }
  return parts.join('') + text.slice(done);
}

/** The number of characters that decide about a macro, on each side. */
const MAX_BEFORE = 200;

const MACRO = /(?<![\w.])_*[A-Z][A-Z0-9_]{2,}(?!\w)/g;

/** Matches comments, texts and directives. */
const NO_CODE =
  /\/\/[^\n]*|\/\*[^]*?(?:\*\/|(?![^]))|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.){1,12}'|^[ \t]*#(?:[^\n\\]|\\[^])*/gm;

/** Returns the offset behind the arguments of a macro, or behind its name if it has none. */
function endOfCall(code: string, from: number): number {
  let depth = 0;
  for (let at = from; at < code.length && at < from + MAX_CALL; at += 1) {
    const sign = code[at] ?? '';
    if (sign === '(') depth += 1;
    else if (sign === ')') depth -= 1;
    else if (depth === 0 && sign !== ' ') return from;
    if (sign === ')' && depth <= 0) return depth === 0 ? at + 1 : from;
  }
  return from;
}

const MAX_CALL = 1000;

/** @param before the code up to the name, without macros that have been replaced. @param after the code behind it */
function isMacro(before: string, after: string): boolean {
  if (/\b(?:class|struct|union|enum)$/.test(before)) return CLASS.test(after);
  if (BEGINS.test(before))
    return /^(?:[A-Za-z_~}]|\[\[|::|$)/.test(after) && !/^operator\b/.test(after);
  return /^(?:\{|:(?!:))/.test(after) && BEHIND.test(before);
}

/** Matches what follows a macro between `class` and the name of the class. */
const CLASS = /^\w{1,100}\s*(?:<[^;{}]{0,150}>\s*)?(?:final\s*)?(?:\{|:(?!:))/;
const BEGINS =
  /(?:^|[;{}>:]|\b(?:inline|static|explicit|friend|virtual|extern|constexpr|typedef|mutable))$/;
/** Matches the end of a list of parameters, or the name of a namespace, in front of a macro. */
const BEHIND = /(?:\)|\b(?:const|noexcept|override|final|volatile)|\bnamespace\s{1,9}[\w:]{1,90})$/;
