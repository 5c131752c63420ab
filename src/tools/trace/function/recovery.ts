import type { TracedFunction } from './callModel';
import type { CallTrace } from './callTrace';
import { codeOf } from './executedLine';
import type { ChosenCall } from './recordedMoves';
import type { SourceFunction } from './source/sourceFunction';

/** Notes the panic from which a call that has returned recovered. It is known only if a closure of the call ran then. */
export function noteRecovery({ called, found, recorder }: ChosenCall, trace: CallTrace): void {
  if (!hasRecovered(called, found, trace.line)) return;
  trace.recovered(recorder.panic?.text, recorder.panic?.deferredAt);
}

/**
 * Whether a call that returned from a line has recovered from a panic there: the line neither returns nor ends the
 * function, which defers another one. Only for Go, whose functions have no other handlers.
 */
export function hasRecovered(
  { path, source }: TracedFunction,
  { start, end }: SourceFunction,
  line: number | undefined,
): boolean {
  if (path?.endsWith('.go') !== true || line === undefined || line >= end) return false;
  const code = source.slice(start - 1, end);
  if (!code.some((text) => /^\s*defer\b/.test(text))) return false;
  return !isInReturn(code.slice(0, line - start + 1));
}

/** Whether the last of these lines is part of a `return` statement, which may have several lines. */
function isInReturn(lines: readonly string[]): boolean {
  const code = lines.map(codeOf);
  let from = code.length - 1;
  while (from > 0 && (isUnopened(code.slice(from)) || CONTINUES.test(code[from - 1] ?? '')))
    from -= 1;
  return /\breturn\b/.test(code[from] ?? '');
}

/** Whether lines close more brackets than they open. */
function isUnopened(lines: readonly string[]): boolean {
  const text = lines.join('\n');
  return (text.match(/[)\]}]/g)?.length ?? 0) > (text.match(/[([{]/g)?.length ?? 0);
}

/** Matches a line of Go whose statement goes on in the next line. */
const CONTINUES = /[,.+\-*/%&|^<>=!([{]\s*$/;
