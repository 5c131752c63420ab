import type { TracedFunction } from './callModel';
import type { CallTrace } from './callTrace';
import type { ChosenCall } from './recordedRun';
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
  const from = lines.findLastIndex((text) => /\breturn\b/.test(text));
  if (from < 0) return false;
  if (from === lines.length - 1) return true;
  const between = lines.slice(from, -1).join('\n');
  const open = between.match(/[([{]/g)?.length ?? 0;
  const closed = between.match(/[)\]}]/g)?.length ?? 0;
  return open > closed || /[,.+\-*/%&|^<>=!]\s*$/.test(between);
}
