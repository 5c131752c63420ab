import { isTraceOfLogpoint } from '../../debugger/breakpoints/logpointLines';
import type { OutputLine } from '../../debugger/output/outputLog';
import { folded } from '../../debugger/output/repeatedLines';
import { isTraceLine } from '../../debugger/texts';

/** The maximum number of output lines in a result. get_debug_output reads all lines. */
const OUTPUT_LINES = 8;

/** The maximum number of logpoint lines in a result. The limit is higher, because these lines were requested. */
const LOGPOINT_LINES = 20;

/** The minimum number of other lines that are shown in addition to logpoint lines. */
const MIN_OTHERS = 2;

/** The number of lines of each stack trace that are shown if not all output fits. */
const TRACE_LINES = 2;

type Run = ReturnType<typeof folded<OutputLine>>[number];

/**
 * The lines that a result shows, in the order of printing: the newest lines, with a higher limit for logpoint lines.
 */
export function shownOf(lines: readonly OutputLine[]): readonly Run[] {
  const kept = withoutLogpointTraces(lines);
  const all = runsOf(kept);
  if (all.length <= OUTPUT_LINES) return all;
  const near = runsOf(withoutFarCallers(kept));
  if (near.length <= OUTPUT_LINES) return near;
  const logged = near.filter(isOfLogpoint).slice(-LOGPOINT_LINES);
  const others = near
    .filter((run) => !isOfLogpoint(run))
    .slice(-Math.max(MIN_OTHERS, OUTPUT_LINES - logged.length));
  const shown = new Set([...logged, ...others]);
  return near.filter((run) => shown.has(run));
}

function isOfLogpoint({ line }: Run): boolean {
  return line.isOfLogpoint === true;
}

function runsOf(lines: readonly OutputLine[]): readonly Run[] {
  return folded(
    lines,
    (one, other) => one.text === other.text && one.isOfLogpoint === other.isOfLogpoint,
  );
}

/** Removes the outer callers of printed stack traces, so that the error is among the last lines. */
function withoutFarCallers(lines: readonly OutputLine[]): readonly OutputLine[] {
  let callers = 0;
  return lines.filter(({ text }) => (callers = isTraceLine(text) ? callers + 1 : 0) <= TRACE_LINES);
}

/** A line of a quoted stack trace: `util.inspect` quotes the lines of a text in an object. */
const QUOTED_TRACE_LINE = /^\s*'\s+at /;

/** Removes the stack traces that js-debug prints if a logpoint's expression throws. Only the error itself is shown. */
function withoutLogpointTraces(lines: readonly OutputLine[]): readonly OutputLine[] {
  const inTrace = new Set<string>();
  return lines.filter(({ category, text }) => {
    const belongs =
      isTraceOfLogpoint(text) ||
      (inTrace.has(category) && (isTraceLine(text) || QUOTED_TRACE_LINE.test(text)));
    if (belongs) inTrace.add(category);
    else inTrace.delete(category);
    return !belongs;
  });
}
