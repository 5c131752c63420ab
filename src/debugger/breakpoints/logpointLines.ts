import { countOf, fields, textOf, type Fields } from '../protocol';
import { personPath, samePath } from '../sourcePath';
import type { AdapterBreakpoint, SessionState } from '../state/state';

/**
 * Returns a test for lines that a logpoint printed. The test uses the location in the `output` event, if it has one,
 * and the fixed part of the message. Undefined if the session has no logpoint that could have printed the output.
 */
export function logpointTest(
  session: SessionState,
  output: Fields,
): ((line: string) => boolean) | undefined {
  const line = countOf(output['line']);
  const path = textOf(fields(output['source'])['path']);
  const fixedParts: string[] = [];
  for (const [file, { breakpoints }] of session.sourceBreakpoints) {
    if (path !== undefined && !samePath(file, personPath(path))) continue;
    for (const breakpoint of breakpoints)
      if (breakpoint.requestedLogMessage !== undefined && isAt(breakpoint, line))
        fixedParts.push(fixedPart(breakpoint.requestedLogMessage));
  }
  // Without a location, any line would match a message that has no fixed part.
  const distinct =
    line === undefined ? fixedParts.filter((part) => part.length >= MIN_LENGTH) : fixedParts;
  if (distinct.length === 0) return undefined;
  return (text) => distinct.some((part) => text.includes(part));
}

const MIN_LENGTH = 2;

function isAt({ line, requestedLine }: AdapterBreakpoint, printed: number | undefined): boolean {
  return printed === undefined || line === printed || requestedLine === printed;
}

/** The first part of a message that is outside braces. */
function fixedPart(message: string): string {
  return (
    message
      .split(/\{[^{}]*\}/)
      .map((part) => (part.split(/[{}]/, 1)[0] ?? '').trim())
      .find((part) => part !== '') ?? ''
  );
}

/**
 * Whether a line belongs to the stack trace that js-debug prints if a logpoint's expression fails. The line is either
 * as `console.log` prints it or quoted as `util.inspect` prints it.
 */
export function isTraceOfLogpoint(line: string): boolean {
  return /^(?:\s|\s*'\s)\s*at .*\blogpoint-[\da-f]+\.cdp:\d+/.test(line);
}
