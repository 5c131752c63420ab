import type { SourceLines } from './branches';
import type { Values } from './callModel';
import type { SourceLoop } from './source/sourceFunction';

/** A line that is about to be executed, with the values of its frame. */
export interface SeenLine {
  readonly line: number;
  readonly values: Values;
}

/** Matches a statement that leaves a loop without executing its header again. */
const LEAVES = /^\s*(?:break|return|goto|panic\s*\(|os\.Exit\s*\()/;

const CONTINUES_OUTER = /^\s*continue[ \t]+[\p{L}_]/u;

/**
 * Returns the headers of loops that were executed between two lines. A logpoint on a header is hit only when the
 * program enters the loop. The variables that a header assigns have the values from before the header.
 */
export function headersBetween(
  loops: readonly SourceLoop[],
  source: SourceLines,
  before: SeenLine,
  next: SeenLine,
): readonly SeenLine[] {
  const statement = source[before.line - 1] ?? '';
  if (LEAVES.test(statement)) return [];
  const around = loops
    .filter(({ line, end }) => before.line > line && before.line <= end)
    .sort((one, other) => other.line - one.line);
  const executed: SourceLoop[] = [];
  for (const loop of around) {
    if (next.line > loop.line && next.line <= loop.end) {
      if (next.line <= before.line) executed.push(loop);
      break;
    }
    // The program left the loop, by its header or by a jump to an outer loop.
    if (!CONTINUES_OUTER.test(statement)) executed.push(loop);
  }
  return executed.map((loop, index) => ({
    line: loop.line,
    values: valuesBefore(executed.slice(index), before.values, next.values),
  }));
}

/** Returns the values that the frame showed before these headers were executed. */
function valuesBefore(headers: readonly SourceLoop[], before: Values, next: Values): Values {
  const values = new Map(next);
  for (const name of headers.flatMap(({ assigned }) => assigned)) {
    const earlier = before.get(name);
    if (earlier === undefined) values.delete(name);
    else values.set(name, earlier);
  }
  return values;
}
