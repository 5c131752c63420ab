import { replacedNames, statementLines } from './pythonText';

/**
 * Conditions of Python breakpoints that mean what they would mean at their line. debugpy evaluates a condition as
 * `eval(condition, globals, locals)`: functions in it (comprehensions, generators, lambdas) look names up as globals,
 * and private names have no prefix of their class. A condition that fails counts as false, so the program never stops.
 */

/** What begins a function within an expression. The same words in a text do no harm. */
const NESTED = /\b(?:for|lambda)\b/;

const OPEN = 'eval(';
const CLOSE = ', {**globals(), **locals()})';

/** The condition as debugpy has to evaluate it. @param owner the class in whose source the line is */
export function pythonCondition(condition: string, owner?: string): string {
  const whole = withPrefix(condition, prefixOf(owner));
  return NESTED.test(whole) ? `${OPEN}${JSON.stringify(whole.trim())}${CLOSE}` : whole;
}

/** The condition as it was requested; the same text for any other condition. */
export function requestedCondition(condition: string): string {
  if (!condition.startsWith(`${OPEN}"`) || !condition.endsWith(`"${CLOSE}`)) return condition;
  try {
    const text: unknown = JSON.parse(condition.slice(OPEN.length, -CLOSE.length));
    return typeof text === 'string' ? text : condition;
  } catch {
    return condition;
  }
}

/** Whether a condition may have private names. */
export function hasPrivateNames(condition: string): boolean {
  return condition !== withPrefix(condition, '_');
}

/** Adds the prefix of a class to the private names outside of texts. */
function withPrefix(code: string, prefix: string): string {
  return replacedNames(code, (name) =>
    name.startsWith('__') && !name.endsWith('__') ? prefix + name : name,
  );
}

/** An expression with its private names as the class around its line has them. @param line 1-based */
export function pythonExpression(code: string, lines: readonly string[], line: number): string {
  return withPrefix(code, prefixOf(enclosingClass(lines, line)));
}

/** What Python puts before private names in a class. A class whose name has only underscores adds nothing. */
function prefixOf(owner = ''): string {
  const name = owner.replace(/^_+/, '');
  return name === '' ? '' : `_${name}`;
}

const CLASS = /^\s*class\s+([\p{L}_][\p{L}\p{N}_]*)/u;

/** The innermost class in whose source a line is, by the indentation. @param line 1-based */
export function enclosingClass(lines: readonly string[], line: number): string | undefined {
  const begins = statementLines(lines.slice(0, line));
  let at = line - 1;
  while (at > 0 && begins[at] === false) at -= 1;
  let indent = indentOf(lines[at] ?? '');
  for (at -= 1; at >= 0 && indent > 0; at -= 1) {
    const text = lines[at] ?? '';
    if (begins[at] === false || /^\s*(?:$|#)/.test(text) || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    const name = CLASS.exec(text)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
