import { shortPattern } from '../../../util/shortPattern';
import type { Callee, ExecutedLine } from './callModel';

/**
 * Ends the last call of a line whose exception was caught behind it.
 * @returns whether the exception has left that call
 */
export function endLast(callees: Callee[], exception: string | undefined): boolean {
  const last = callees.at(-1);
  if (last === undefined || last.history !== undefined || last.end.kind === 'returned')
    return false;
  // A call whose end was not seen may have returned before the exception was thrown.
  if (last.end.kind === 'open' && last.hasEnds === false) return false;
  const known = last.end.kind === 'threw' ? last.end.exception : undefined;
  callees[callees.length - 1] = {
    ...last,
    end: {
      ...{ source: last.throws, ...last.end },
      ...{ kind: 'threw', exception: known ?? exception },
    },
  };
  return true;
}

/** Whether a line is only the end of a block. Some debuggers stop there. */
export function isClosing(text: string | undefined): boolean {
  return text !== undefined && /^\s*[})\]]+[;,]?\s*$/.test(text);
}

/** Whether a line of source is an assignment, or an increment. */
export function assigns(text = ''): boolean {
  const code = codeOf(text).trim();
  // What is in parentheses may be a named argument.
  const [open, close] = [code.indexOf('('), code.lastIndexOf(')')];
  const outer = open === -1 || close < open ? code : code.slice(0, open) + code.slice(close + 1);
  return !/^(?:return|const|let|var)\b/.test(code) && ASSIGNS.test(outer);
}

const ASSIGNS = /\+\+|--|(?:>>|<<|[^=!<>])=(?![=>])/;

/** Whether an executed line has nothing to show beside itself. */
export function hasNoEffect(executed: ExecutedLine): boolean {
  const { changes, callees, thrown, hasUnknownChanges } = executed;
  if (hasUnknownChanges === true) return false;
  return changes.length === 0 && callees.length === 0 && thrown === undefined;
}

/** Joins two executions of one line that follow each other. */
export function joined(one: ExecutedLine, next: ExecutedLine): ExecutedLine {
  const changes = [...one.changes];
  for (const change of next.changes) {
    const at = changes.findIndex(({ name }) => name === change.name);
    const earlier = changes[at];
    if (earlier === undefined) changes.push(change);
    else changes[at] = { ...change, before: earlier.before };
  }
  return {
    ...one,
    ...next,
    changes: changes.filter(({ before, now }) => before !== now),
    callees: [...one.callees, ...next.callees],
    branch: next.branch ?? one.branch,
    // A later part of the line may have shown the change.
    ...(one.hasUnknownChanges === true && next.changes.length === 0 && { hasUnknownChanges: true }),
  };
}

/** Whether a line of source contains a name as a whole word, outside of comments and texts. */
export function mentions(line: string, name: string): boolean {
  const text = line.includes(name) ? codeOf(line) : line;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`;
    if (!/[\w$]/.test(around)) return true;
  }
  return false;
}

/** Returns a line of source without comments and texts. */
export function codeOf(text: string): string {
  return NO_CODE.replace(text, ' ');
}

/** Matches texts in quotes, and comments behind code. Names within a template of JavaScript are code. */
const NO_CODE = shortPattern(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/[^]*|\/\*.*?\*\//g);

/**
 * Returns the calls of a line that are shown. The person's own come first. Those of libraries are shown by the names that
 * the line has, each once; what these names call by themselves, such as a property or a conversion, is left out unless it
 * has thrown.
 */
export function shownCallees(callees: readonly Callee[], source: string): readonly Callee[] {
  const own = callees.filter(({ isLibrary }) => isLibrary !== true);
  const others = callees.filter(
    ({ isLibrary, name, end }) =>
      isLibrary === true && (end.kind === 'threw' || mentions(source, name)),
  );
  const once = others.filter(
    ({ name }, at) => others.findLastIndex((other) => other.name === name) === at,
  );
  return [...own, ...once];
}
