import { isTraceOfLogpoint } from '../../debugger/breakpoints/logpointLines';
import type { OutputLine } from '../../debugger/output/outputLog';
import { folded } from '../../debugger/output/repeatedLines';
import { isTraceLine } from '../../debugger/texts';

/** How many lines of output an answer shows; all of it can be read with get_debug_output. */
const OUTPUT_LINES = 8;

/** How many of them a logpoint may have printed: they were asked for. */
const LOGPOINT_LINES = 20;

/** So many of the others are shown beside them. */
const LEAST_OTHERS = 2;

/** How many lines of each stack trace are shown where there are more lines than an answer shows. */
const TRACE_LINES = 2;

type Run = ReturnType<typeof folded<OutputLine>>[number];

/** What an answer shows of printed lines, in the order of printing: the newest, and of logpoints' lines more. */
export function shownOf(lines: readonly OutputLine[]): readonly Run[] {
  const kept = withoutLogpointTraces(lines);
  const all = runsOf(kept);
  if (all.length <= OUTPUT_LINES) return all;
  const near = runsOf(withoutFarCallers(kept));
  if (near.length <= OUTPUT_LINES) return near;
  const asked = near.filter(isAsked).slice(-LOGPOINT_LINES);
  const others = near
    .filter((run) => !isAsked(run))
    .slice(-Math.max(LEAST_OTHERS, OUTPUT_LINES - asked.length));
  const shown = new Set([...asked, ...others]);
  return near.filter((run) => shown.has(run));
}

function isAsked({ line }: Run): boolean {
  return line.isOfLogpoint === true;
}

function runsOf(lines: readonly OutputLine[]): readonly Run[] {
  return folded(
    lines,
    (one, other) => one.text === other.text && one.isOfLogpoint === other.isOfLogpoint,
  );
}

/** Without the far callers of printed stack traces, so that what was thrown is among the last lines. */
function withoutFarCallers(lines: readonly OutputLine[]): readonly OutputLine[] {
  let callers = 0;
  return lines.filter(({ text }) => (callers = isTraceLine(text) ? callers + 1 : 0) <= TRACE_LINES);
}

/** `util.inspect` quotes the lines of a text that is in an object. */
const QUOTED_TRACE_LINE = /^\s*'\s+at /;

/** Where a logpoint's expression fails, js-debug prints the error with its trace: what failed is all that is told. */
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
