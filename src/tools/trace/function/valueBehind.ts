import type { SourceLines } from './branches';
import { callAt } from './recordedCallees';
import { functionAround, type SourceCall, type SourceFunction } from './source/sourceFunction';

/** A JavaScript file with its functions, and the calls outside of them. */
export interface CallingFile {
  readonly lines: SourceLines;
  readonly functions: readonly SourceFunction[];
  readonly calls: readonly SourceCall[];
}

/** What has the value of a call: a variable of the caller, or the value that the caller returns at the stop. */
export type ValueBehind =
  { readonly variable: string; readonly isOutside: boolean } | { readonly variable: undefined };

/** The lines of a call, and of the first stop behind it. */
export interface StopBehind {
  readonly called: number;
  readonly stopped: number;
}

/**
 * Returns what has the value of a finished call at the first stop behind it: the value that the caller returns, if its
 * statement returns just the call, or the `const` or `let` that its statement declares with just the call. An assignment
 * to an older variable is not enough: if the call has thrown, the variable has its old value. Returns undefined if
 * another variable of the name may be visible at the stop, or if the value may have changed.
 */
export function valueBehind(
  { lines, functions, calls }: CallingFile,
  { called, stopped }: StopBehind,
  name: string,
): ValueBehind | undefined {
  const around = functionAround(functions, called);
  if (functionAround(functions, stopped) !== around) return undefined;
  const call = callAt({ calls: around === undefined ? calls : (around.calls ?? []) }, called, name);
  if (call === undefined) return undefined;
  // The function may also be called indirectly by the same statement.
  const statement = lines.slice(call.start - 1, call.end).join('\n');
  if (wordsIn(statement).filter((word) => word === name).length > 1) return undefined;
  if (call.isReturned)
    return stopped >= call.start && stopped <= call.end ? { variable: undefined } : undefined;
  const [variable, ...others] = call.assigned;
  if (variable === undefined || others.length > 0) return undefined;
  if (!call.isDeclared || stopped <= call.end) return undefined;
  // The line at which the block ends may also contain code behind it.
  if (call.block !== undefined && stopped >= call.block.end) return undefined;
  const isReached = linesBetween(lines, call.end, stopped, functions).every(isEmpty);
  const isHidden = declares(lines[stopped - 1] ?? '', variable);
  return isReached && !isHidden ? { variable, isOutside: around === undefined } : undefined;
}

/** Returns the lines between two lines, without those of declared functions. */
function linesBetween(
  lines: SourceLines,
  after: number,
  before: number,
  functions: readonly SourceFunction[],
): readonly string[] {
  const declared = functions.filter(
    ({ start, end }) => DECLARES_FUNCTION.test(lines[start - 1] ?? '') && isEnd(lines[end - 1]),
  );
  return lines
    .slice(after, before - 1)
    .filter((_, index) => functionAround(declared, after + index + 1) === undefined);
}

const DECLARES_FUNCTION = /^\s*(?:export\s+(?:default\s+)?)?(?:async\s+)?function\b/;

function isEnd(text = ''): boolean {
  return /^\s*\}\s*$/.test(text);
}

function isEmpty(text: string): boolean {
  return /^\s*(?:\/\/.*)?$/.test(text);
}

/** Whether a line may declare a name, so that it may hide another variable at the beginning of the line. */
function declares(text: string, name: string): boolean {
  const words = wordsIn(text);
  return words.includes(name) && words.some((word) => DECLARES.has(word));
}

const DECLARES: ReadonlySet<string> = new Set(['const', 'let', 'var', 'function', 'class']);

function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_$]+/gu) ?? [];
}
