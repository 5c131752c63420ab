import { countOf, fields, textOf, type Fields } from '../protocol';
import { personPath, samePath } from '../sourcePath';
import type { AdapterBreakpoint, SessionState } from '../state/state';

/**
 * Tells the lines that logpoints print from the program's own, by the place that an `output` event names, where it does,
 * and by the message's fixed words. Undefined where the session has no logpoint that it could be.
 */
export function logpointTest(
  session: SessionState,
  output: Fields,
): ((line: string) => boolean) | undefined {
  const line = countOf(output['line']);
  const path = textOf(fields(output['source'])['path']);
  const words: string[] = [];
  for (const [file, { breakpoints }] of session.sourceBreakpoints) {
    if (path !== undefined && !samePath(file, personPath(path))) continue;
    for (const breakpoint of breakpoints)
      if (breakpoint.requestedLogMessage !== undefined && isAt(breakpoint, line))
        words.push(fixedWords(breakpoint.requestedLogMessage));
  }
  // Without a place, any line could be that of a message of which nothing is fixed.
  const known = line === undefined ? words.filter((word) => word.length >= LEAST_WORDS) : words;
  return known.length === 0 ? undefined : (text) => known.some((each) => text.includes(each));
}

const LEAST_WORDS = 2;

function isAt({ line, requestedLine }: AdapterBreakpoint, printed: number | undefined): boolean {
  return printed === undefined || line === printed || requestedLine === printed;
}

/** The first words of a message that stand outside of braces. */
function fixedWords(message: string): string {
  return (
    message
      .split(/\{[^{}]*\}/)
      .map((part) => (part.split(/[{}]/, 1)[0] ?? '').trim())
      .find((part) => part !== '') ?? ''
  );
}

/**
 * A line of the stack trace that js-debug prints where a logpoint's expression fails, in either form: as `console.log`
 * shows it, or quoted as `util.inspect` writes it.
 */
export function isTraceOfLogpoint(line: string): boolean {
  return /^\s*'?\s+at .*\blogpoint-[\da-f]+\.cdp:\d+/.test(line);
}
