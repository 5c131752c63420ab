import { shortPattern } from '../../../util/shortPattern';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import type { InjectedPoint } from '../../../control/injectedLists';
import type { SourceLines } from './branches';
import type { TracedFunction } from './callModel';

/** Whether a line begins a `defer` statement. */
export function isDefer(text = ''): boolean {
  return /^\s*defer\b/.test(text);
}

/** Returns the line at which the `defer` statement begins that contains a line. Undefined if it has 100 lines or more. */
export function deferAround(source: SourceLines, line: number): number | undefined {
  for (let start = line; start > 0 && start > line - MAX_LINES; start -= 1)
    if (isDefer(source[start - 1])) return statementEnd(source, start) >= line ? start : undefined;
  return undefined;
}

/** The maximum number of lines of a statement that are searched. */
const MAX_LINES = 100;

/** Matches the texts and the comment of a line. */
const TEXTS = shortPattern(/"(?:\\.|[^"\\])*"|`[^`]*`|'(?:\\.|[^'\\])*'|\/\/[^]*/g);

/** Returns the line at which the brackets close that a statement opens. */
function statementEnd(source: SourceLines, start: number): number {
  let depth = 0;
  for (let line = start; line <= source.length; line += 1) {
    const text = TEXTS.replace(source[line - 1] ?? '', '');
    depth += (text.match(/[([{]/g)?.length ?? 0) - (text.match(/[)\]}]/g)?.length ?? 0);
    if (depth <= 0) return line;
  }
  return source.length;
}

/**
 * Whether a deferred function is the closure that the compiler adds for a call with arguments or results. It calls the
 * function.
 * @param frame the frame of the function that the runtime has called
 */
export function isAdded(frame: Frame, source: SourceLines): boolean {
  const own = source[frame.line - 1] ?? '';
  // Another closure may be within the statement.
  if (!isClosure(frame) || (!isDefer(own) && /\bfunc\b/.test(own))) return false;
  const line = deferAround(source, frame.line);
  return line !== undefined && !LITERAL.test(source[line - 1] ?? '');
}

/** Matches a `defer` statement with a function without parameters and results. */
const LITERAL = /\bdefer\s+\(?func\s*\(\s*\)\s*\{/;

/** Whether a function is a closure, which has a name like `main.load.func1` or `main.load.deferwrap1`. */
export function isClosure({ name }: Pick<Frame, 'name'>): boolean {
  return CLOSURE.test(name);
}

/** Returns the name of the function that contains a closure. */
export function nameAround({ name }: Pick<Frame, 'name'>): string | undefined {
  return CLOSURE.test(name) ? name.replace(CLOSURE, '') : undefined;
}

/** Returns the name of a closure without the path of its package. Undefined for other functions. */
export function closureName(frame: Frame): string | undefined {
  if (!isClosure(frame)) return undefined;
  const bare = frame.name.replace(/^.*\//, '').replace(/^[^.]*\./, '');
  return bare.replace(/\(\*?([^()]*)\)/, '$1');
}

const CLOSURE = /\.(?:func|deferwrap)\d+(?:\.\d+)*$/;

/** The maximum number of `defer` statements in a function. Each one takes a breakpoint. */
const MAX_PLACES = 60;

/**
 * Returns the lines of the `defer` statements in a function. A breakpoint there is also at the beginning of the closure
 * in the statement.
 */
export function deferredPlaces(
  { path, source, range }: TracedFunction,
  condition: string,
): readonly InjectedPoint[] {
  if (path === undefined || range === undefined) return [];
  const points = source
    .slice(range.start - 1, range.end)
    .flatMap((text, index) =>
      isDefer(text) ? [{ path, line: range.start + index, condition }] : [],
    );
  return points.slice(0, MAX_PLACES);
}
