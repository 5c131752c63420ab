import { JAVASCRIPT, maskText, PYTHON, type Lexis } from '../../../testing/scan/maskText';
import { endOfName, readPath } from './valuePath';
import type { Language } from './writes';

/** What the statement of a write reads. */
export interface StatementInputs {
  /** The variables and members, in the order of the source. */
  readonly paths: readonly string[];
  /** The one that is assigned or returned as it is, without a computation. */
  readonly copied: string | undefined;
  /** The name of the function whose call is assigned as it is. */
  readonly called?: string | undefined;
}

/** The maximum number of characters of a statement that are read. */
const MAX_STATEMENT = 2000;

const KEYWORDS: ReadonlySet<string> = new Set(
  'if else elif for while in not and or is lambda None True False await yield return raise throw del import from as with global nonlocal assert pass const let var new typeof instanceof void delete null undefined true false of function async class static super switch case do try except print console self this'.split(
    ' ',
  ),
);

/**
 * Returns the variables and members that a statement reads. Some of them may not exist where it stands, such as the
 * variable of a comprehension.
 * @param at the place at which the statement begins
 */
export function statementInputs(
  text: string,
  at: { readonly line: number; readonly column?: number | undefined },
  language: Language,
): StatementInputs {
  const grammar = GRAMMARS[language];
  const masked = maskText(text, grammar.lexis);
  const from = offsetOf(text, at);
  const end = endOfStatement(masked, from, grammar);
  const assigned = assignedIn(masked, from, end);
  const source: Source = { text, masked, grammar };
  const target = assigned?.isCompound === true ? pathsIn(source, from, assigned.sign) : [];
  const start = assigned === undefined ? from : assigned.sign + 1;
  const returned = /^\s{0,200}return\b/.exec(masked.slice(from, end))?.[0].length;
  const written =
    assigned === undefined && returned === undefined
      ? ''
      : text.slice(assigned === undefined ? from + (returned ?? 0) : start, end).trim();
  const paths = [...target, ...pathsIn(source, start, end), ...interpolated(source, start, end)];
  return {
    paths: [...new Set(paths)],
    copied:
      assigned?.isCompound !== true && !KEYWORDS.has(written)
        ? readPath(written)?.expression
        : undefined,
    called: assigned?.isCompound === false ? calledIn(masked.slice(start, end).trim()) : undefined,
  };
}

/** Returns the name of the function, if a masked expression is only its call, and does not call it again in its arguments. */
function calledIn(expression: string): string | undefined {
  const callee = /^(?:[\p{L}_$][\p{L}\p{N}_$]*\.){0,8}([\p{L}_$][\p{L}\p{N}_$]*)\(/u.exec(
    expression,
  );
  const [head, name] = [callee?.[0], callee?.[1]];
  if (head === undefined || name === undefined) return undefined;
  let depth = 1;
  for (let at = head.length; at < expression.length; at += 1) {
    const sign = expression.charAt(at);
    if (OPEN.includes(sign)) depth += 1;
    else if (CLOSE.includes(sign)) depth -= 1;
    if (depth === 0 && at < expression.length - 1) return undefined;
  }
  const isAgain = expression.slice(head.length).includes(`${name}(`);
  return depth === 0 && !isAgain ? name : undefined;
}

/** What differs between the languages. */
interface Grammar {
  readonly lexis: Lexis;
  /** The sign that ends the head of a statement. */
  readonly headEnd: string;
  readonly hasArrows: boolean;
  /** Whether `a: b` between braces or commas is a property with its value. */
  readonly namesProperties: boolean;
  /** Whether a line ends its statement, from the masked text before and behind it. */
  readonly goesOn: (before: string, after: string) => boolean;
  /** What is in the placeholders of the strings of a code. */
  readonly placeholders: (code: string) => readonly string[];
}

const GRAMMARS: Readonly<Record<Language, Grammar>> = {
  python: {
    ...{ lexis: PYTHON, headEnd: ':', hasArrows: false, namesProperties: false },
    goesOn: (before) => before.endsWith('\\'),
    placeholders: (code) =>
      /\b[fF]["']/.test(code)
        ? insides(code.matchAll(/\{([^{}]{1,200})\}/g)).map((inside) =>
            inside.replace(/[!:=].{0,200}$/s, ''),
          )
        : [],
  },
  javascript: {
    ...{ lexis: JAVASCRIPT, headEnd: '{', hasArrows: true, namesProperties: true },
    goesOn: (before, after) => /[-+*/%&|^=<>,?:.]$/.test(before) || /^[*/%&|=<>,?:.]/.test(after),
    placeholders: (code) => insides(code.matchAll(/\$\{([^{}]{1,200})\}/g)),
  },
};

function insides(found: Iterable<RegExpExecArray>): readonly string[] {
  return [...found].map(([, inside = '']) => inside);
}

interface Source {
  readonly text: string;
  readonly masked: string;
  readonly grammar: Grammar;
}

function offsetOf(
  text: string,
  { line, column = 1 }: { readonly line: number; readonly column?: number | undefined },
): number {
  let from = 0;
  for (let at = 1; at < line; at += 1) {
    const next = text.indexOf('\n', from);
    if (next < 0) return text.length;
    from = next + 1;
  }
  return from + column - 1;
}

const OPEN = '([{';
const CLOSE = ')]}';

/** Returns the end of a statement: of its line, its brackets, its head, or the first function in it. */
function endOfStatement(masked: string, from: number, grammar: Grammar): number {
  const most = Math.min(masked.length, from + MAX_STATEMENT);
  const isHead = HEAD.test(masked.slice(from, from + 100));
  let depth = 0;
  for (let at = from; at < most; at += 1) {
    const sign = masked.charAt(at);
    if (grammar.hasArrows && masked.startsWith('=>', at)) return beforeArrow(masked, at);
    if (depth === 0 && isHead && sign === grammar.headEnd) return at;
    if (OPEN.includes(sign)) depth += 1;
    else if (CLOSE.includes(sign)) depth -= 1;
    if (depth < 0 || (depth === 0 && sign === ';')) return at;
    if (depth === 0 && sign === '\n' && !goesOn(masked, at, grammar)) return at;
  }
  return most;
}

const HEAD = /^\s{0,80}(?:async\s+)?(?:for|while|if|elif|with|switch)\b/;

/** Whether a statement goes on behind a line end outside of brackets. */
function goesOn(masked: string, at: number, grammar: Grammar): boolean {
  const before = masked.slice(Math.max(0, at - 80), at).trimEnd();
  return grammar.goesOn(before, masked.slice(at, at + 200).trimStart());
}

/** Returns the beginning of the parameters of an arrow function. */
function beforeArrow(masked: string, arrow: number): number {
  let at = arrow - 1;
  while (/\s/.test(masked.charAt(at))) at -= 1;
  if (masked.charAt(at) !== ')') {
    while (/[\w$]/.test(masked.charAt(at))) at -= 1;
    return at + 1;
  }
  let depth = 0;
  for (; at > 0; at -= 1) {
    if (masked.charAt(at) === ')') depth += 1;
    else if (masked.charAt(at) === '(') depth -= 1;
    if (depth === 0) break;
  }
  return at;
}

/** Returns the last sign of an assignment that is in no brackets, and whether it also reads its target. */
function assignedIn(
  masked: string,
  from: number,
  to: number,
): { readonly sign: number; readonly isCompound: boolean } | undefined {
  let depth = 0;
  let found: { readonly sign: number; readonly isCompound: boolean } | undefined;
  for (let at = from; at < to; at += 1) {
    const sign = masked.charAt(at);
    if (OPEN.includes(sign)) depth += 1;
    else if (CLOSE.includes(sign)) depth -= 1;
    if (sign !== '=' || depth !== 0) continue;
    const before = masked.slice(Math.max(from, at - 2), at);
    if (/[=>]/.test(masked.charAt(at + 1)) || /(?:[=!]|(?<![<>])[<>])$/.test(before)) {
      at += 1;
      continue;
    }
    found = { sign: at, isCompound: /[-+*/%&|^@?<>]$/.test(before) };
  }
  return found;
}

/** Returns the paths in a part of the text. What is called is no value, but its object is. */
function pathsIn(source: Source, from: number, to: number): readonly string[] {
  const { masked } = source;
  const found: string[] = [];
  let at = from;
  while (at < to) {
    const end = endOfName(masked, at);
    if (end === at) {
      at += 1;
      continue;
    }
    const word = masked.slice(at, end);
    if (word === 'lambda') break;
    if (isMember(masked, at) || /^\d/.test(word)) {
      at = end;
      continue;
    }
    const path = pathAt(source, at, end);
    for (const index of path.indexes) found.push(...pathsIn(source, index.from, index.to));
    if (path.text !== undefined && !KEYWORDS.has(path.text)) found.push(path.text);
    at = path.end;
  }
  return found;
}

/** Whether a name is a member of what stands before it, or a part of a number. */
function isMember(masked: string, at: number): boolean {
  const before = masked.slice(Math.max(0, at - 3), at);
  return (/\.\s*$/.test(before) && !before.endsWith('...')) || /\d$/.test(before);
}

interface PathAt {
  /** Undefined if it is called, or the name of an argument or a property. */
  readonly text: string | undefined;
  readonly end: number;
  readonly indexes: readonly { readonly from: number; readonly to: number }[];
}

function pathAt({ text, masked, grammar }: Source, start: number, first: number): PathAt {
  let [end, owner] = [first, start];
  const indexes: { from: number; to: number }[] = [];
  for (;;) {
    const next = stepEnd(text, masked, start, end);
    if (next === undefined) break;
    if (masked.charAt(end) === '[') indexes.push({ from: end + 1, to: next - 1 });
    [owner, end] = [end, next];
  }
  const after = masked.slice(end, end + 20).trimStart();
  if (/^[(`]/.test(after))
    return { text: owner === start ? undefined : text.slice(start, owner), end, indexes };
  const before = masked.slice(Math.max(0, start - 20), start).trimEnd();
  // A quote directly behind a name belongs to a string with a prefix.
  const isNamed =
    /["']/.test(masked.charAt(end)) ||
    /^=(?![=>])/.test(after) ||
    (grammar.namesProperties && after.startsWith(':') && /[{,]$/.test(before));
  return { text: isNamed ? undefined : text.slice(start, end), end, indexes };
}

/** Returns the end of a member or an element behind a path. Undefined if there is none that can be read. */
function stepEnd(text: string, masked: string, start: number, end: number): number | undefined {
  const sign = masked.charAt(end);
  if (sign === '.') {
    const next = endOfName(masked, end + 1);
    return next > end + 1 ? next : undefined;
  }
  if (sign !== '[') return undefined;
  let depth = 0;
  for (let at = end; at < Math.min(masked.length, end + 200); at += 1) {
    if (masked.charAt(at) === '[') depth += 1;
    else if (masked.charAt(at) === ']') depth -= 1;
    if (depth === 0) return readPath(text.slice(start, at + 1)) === undefined ? undefined : at + 1;
  }
  return undefined;
}

/** Returns the paths in the placeholders of strings. */
function interpolated({ text, grammar }: Source, from: number, to: number): readonly string[] {
  return grammar
    .placeholders(text.slice(from, to))
    .flatMap((part) => pathsIn({ text: part, masked: part, grammar }, 0, part.length));
}
