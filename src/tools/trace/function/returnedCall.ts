import type { CallEnd, ExecutedLine, TracedFunction } from './callModel';
import { closing } from './source/brackets';

/**
 * Adds the value that an asynchronous JavaScript call returned if the debugger did not show it, and its last `return`
 * returns just what a traced call returns. V8 shows no value at a `return` in a `try` with `finally`.
 * @param lines the executed lines in order
 */
export function withReturnedCall(
  end: CallEnd,
  { source, suspends }: Pick<TracedFunction, 'source' | 'suspends'>,
  lines: readonly Pick<ExecutedLine, 'line' | 'callees'>[],
): CallEnd {
  if (end.kind !== 'returned' || end.value !== undefined || suspends !== 'async') return end;
  const last = lines.findLast(({ line }) => /\breturn\b/.test(source[line - 1] ?? ''));
  if (last === undefined) return end;
  const name = callReturnedAt(source, last.line);
  const [callee, ...others] = last.callees.filter((each) => shortName(each.name) === name);
  if (name === undefined || callee?.end.kind !== 'returned' || others.length > 0) return end;
  // A function that does not suspend shows the promise. The call returns what it resolves to.
  const { value } = callee.end;
  return value?.startsWith('Promise') === true ? end : { ...end, value };
}

/** Returns the name of the function if the statement at a line returns just what a call of it returns. */
function callReturnedAt(source: readonly string[], line: number): string | undefined {
  const text = source.slice(line - 1, line - 1 + MAX_LINES).join('\n');
  const found = RETURNS_CALL.exec(text);
  const close = found && closing(text, found[0].length - 1, '()');
  if (found === null || close === null || close === undefined) return undefined;
  const [start, name = ''] = found;
  // Another function of the name may be called in the arguments.
  if (text.slice(start.length, close).includes(`${name}(`)) return undefined;
  const behind = text.slice(close + 1).replace(/\/\/[^\n]*/g, '');
  return ENDS.test(behind) ? name : undefined;
}

const RETURNS_CALL = /^\s*return\s+(?:await\s+)?(?:[\w$]+\.)*([\w$]+)\(/;
/** Matches the text behind a call that is the last code of its statement. */
const ENDS = /^[^\S\n]*(?:;|\}|$|\n(?!\s*[.?[(+*/%,&|=<>-]))/;
const MAX_LINES = 40;

function shortName(name: string): string {
  return name.split('.').at(-1) ?? name;
}
