import type { ReturnedAt } from '../callModel';
import type { SourceBody } from './sourceBody';
import { closing } from './brackets';
import { goCalls } from './goCalls';
import type { LineRange, SourceFunction, SourceLoop } from './sourceFunction';

const SHORT =
  /(?<![\p{L}\p{N}_])([\p{L}_][\p{L}\p{N}_]*(?:[ \t]*,[ \t]*[\p{L}_][\p{L}\p{N}_]*){0,8})[ \t]*:=/gu;
const VAR = /\bvar[ \t]+([\p{L}_][\p{L}\p{N}_]*(?:[ \t]*,[ \t]*[\p{L}_][\p{L}\p{N}_]*)*)/gu;
const VAR_BLOCK = /\bvar[ \t]*\(([^()]*)\)/gu;
const FIRST_NAMES = /^[ \t]*([\p{L}_][\p{L}\p{N}_]*(?:[ \t]*,[ \t]*[\p{L}_][\p{L}\p{N}_]*)*)/gmu;
const ASSIGNED =
  /(?<![\p{L}\p{N}_])([\p{L}_][\p{L}\p{N}_]*(?:[ \t]*,[ \t]*[\p{L}_][\p{L}\p{N}_]*){0,8})[ \t]*(?:\+\+|--|(?:<<|>>|&\^|[-+*/%&|^:])?=(?!=))/gu;
const RETURN = /\breturn\b([^\n;}]*)/g;
const FOR = /\bfor\b/g;
/** Matches the header of a loop that has more than a condition. */
const STARTS = /^\s*[^;\s][^;]*;|\brange\b/;

type GoBody = Pick<
  SourceFunction,
  'locals' | 'returns' | 'results' | 'hasUnreadReturns' | 'loops' | 'deferred' | 'calls'
>;

/** Reads the body of a Go function: its variables, its returned expressions, and its loops. */
export function goBody(body: SourceBody): GoBody {
  const results = resultsIn(body.header);
  // A deferred function may change a named result after the `return`.
  const isFinal = !/\bdefer\b/.test(body.code) || results.length === 0;
  const returns = isFinal ? returnsIn(body) : [];
  return {
    locals: localsIn(body.code),
    returns,
    results,
    hasUnreadReturns: hasUnreadReturns(body, returns, results),
    loops: loopsIn(body),
    deferred: deferredIn(body),
    calls: goCalls(body, isFinal),
  };
}

/** Returns the names of the results in the header of a function. Results without names have none. */
function resultsIn(header: string): readonly string[] {
  const list = /\)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*$/.exec(header)?.[1] ?? '';
  if (!/(?:^|,)\s*[\p{L}_][\p{L}\p{N}_]*\s+\S/u.test(list)) return [];
  // The type of a function contains commas and names, too.
  const plain = list.replace(/\([^()]*\)/g, '');
  return plain.split(',').flatMap((part) => /^\s*([\p{L}_][\p{L}\p{N}_]*)/u.exec(part)?.[1] ?? []);
}

/** The conversions and built-in functions that Delve evaluates without a call. */
const EVALUATED =
  /(?<![.\p{L}\p{N}_])(?:u?int(?:8|16|32|64)?|uintptr|float(?:32|64)|byte|rune|bool|string|len|cap)\s*\(/gu;

function hasUnreadReturns(
  { code, lineAt }: SourceBody,
  returns: readonly ReturnedAt[],
  results: readonly string[],
): boolean {
  return [...code.matchAll(RETURN)].some(({ index, 1: list = '' }) => {
    if (list.trim() === '') return results.length > 0;
    const known = returns.find(({ line }) => line === lineAt(index));
    return known === undefined || known.hasCalls === true;
  });
}

function hasCalls(code: string): boolean {
  return /[\p{L}\p{N}_)\]}]\s*\(/u.test(code.replace(EVALUATED, '('));
}

/** Returns the variables that are declared in any block. */
function localsIn(code: string): readonly string[] {
  const blocks = [...code.matchAll(VAR_BLOCK)].map(([, inner = '']) => inner);
  return unique([
    ...namesIn(code, SHORT),
    ...namesIn(code, VAR),
    ...blocks.flatMap((inner) => namesIn(inner, FIRST_NAMES)),
  ]);
}

function namesIn(code: string, lists: RegExp): readonly string[] {
  const names: string[] = [];
  for (let found = lists.exec(code); found !== null; found = lists.exec(code))
    names.push(...(found[1] ?? '').split(',').map((name) => name.trim()));
  return names;
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== '_');
}

/**
 * Returns the returned expressions by line. It omits a line with two `return` statements, and a list that continues in
 * the next line or contains braces.
 */
function returnsIn({ code, text, lineAt }: SourceBody): readonly ReturnedAt[] {
  const found = [...code.matchAll(RETURN)].map((match) => ({
    line: lineAt(match.index),
    expressions: expressionsIn(match[1] ?? '', text.slice(match.index + 'return'.length)),
    ...(hasCalls(match[1] ?? '') && { hasCalls: true as const }),
  }));
  return found.filter(
    ({ line, expressions }) =>
      expressions.length > 0 && found.filter((other) => other.line === line).length === 1,
  );
}

/** Returns the expressions between commas. Returns none if the list is incomplete. */
function expressionsIn(code: string, text: string): readonly string[] {
  if (/[{}]/.test(code) || /[,([+\-*/%&|=<>!^]\s*$/.test(code)) return [];
  const expressions: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < code.length; at += 1) {
    const sign = code[at] ?? '';
    if ('(['.includes(sign)) depth += 1;
    if (')]'.includes(sign)) depth -= 1;
    if (sign !== ',' || depth > 0) continue;
    expressions.push(text.slice(from, at).trim());
    from = at + 1;
  }
  expressions.push(text.slice(from, code.length).trim());
  const isWhole =
    depth === 0 && expressions.every((expression) => expression !== '' && !/[{}]/.test(expression));
  return isWhole ? expressions : [];
}

/**
 * Returns the loops with an initial statement or a range. A breakpoint on such a header is at its first instruction,
 * which runs only when the program enters the loop. A breakpoint on `for condition {` is reached in each round, and
 * `for {` has no header.
 */
function loopsIn({ code, lineAt }: SourceBody): readonly SourceLoop[] {
  return [...code.matchAll(FOR)].flatMap(({ index }): SourceLoop[] => {
    const open = blockAfter(code, index);
    const header = code.slice(index + 'for'.length, open);
    if (open === undefined || !STARTS.test(header)) return [];
    const close = closing(code, open, '{}');
    if (close === undefined) return [];
    const assigned = unique(namesIn(header, ASSIGNED));
    return [{ line: lineAt(index), end: lineAt(close), assigned }];
  });
}

/** Returns the closures that a function defers. */
function deferredIn({ code, lineAt }: SourceBody): readonly LineRange[] {
  return [...code.matchAll(/\bdefer\s+func\b/g)].flatMap(({ index }) => {
    const open = blockAfter(code, index);
    const close = open === undefined ? undefined : closing(code, open, '{}');
    return close === undefined ? [] : [{ start: lineAt(index), end: lineAt(close) }];
  });
}

/** Matches the type of a literal that needs no parentheses in a header: `range []int{5, 2} {`. */
const LITERAL = /(?:\]\*?[\p{L}_][\p{L}\p{N}_.]*|\bstruct)\s*$/u;

/**
 * Returns the offset at which the block of a statement begins. Other literals with braces in a header are in parentheses
 * (Go spec, "Composite literals").
 */
function blockAfter(code: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < code.length; at += 1) {
    const sign = code[at] ?? '';
    if ('(['.includes(sign)) depth += 1;
    if (')]'.includes(sign)) depth -= 1;
    if (sign !== '{' || depth > 0) continue;
    // The value of a struct follows its type: `struct{ a int }{1}`.
    if (!LITERAL.test(code.slice(from, at)) && code[at - 1] !== '}') return at;
    at = closing(code, at, '{}') ?? code.length;
  }
  return undefined;
}
