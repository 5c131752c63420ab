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
  const prefix = owner?.replace(/^_+/, '') ?? '';
  const whole = prefix === '' ? condition : withPrefix(condition, `_${prefix}`);
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
  let quote = '';
  return code.replace(/\\[\s\S]|["']|[\p{L}\p{N}_]+/gu, (part) => {
    if (part === '"' || part === "'") {
      if (quote === '') quote = part;
      else if (quote === part) quote = '';
      return part;
    }
    return quote === '' && part.startsWith('__') && !part.endsWith('__') ? prefix + part : part;
  });
}

const CLASS = /^\s*class\s+([\p{L}_][\p{L}\p{N}_]*)/u;

/** The innermost class in whose source a line is, by the indentation. @param line 1-based */
export function enclosingClass(lines: readonly string[], line: number): string | undefined {
  let indent = indentOf(lines[line - 1] ?? '');
  for (let at = line - 2; at >= 0 && indent > 0; at -= 1) {
    const text = lines[at] ?? '';
    // The last line of a signature of several lines is indented like its first one.
    if (/^\s*(?:$|[#)\]}])/.test(text) || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    const name = CLASS.exec(text)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
