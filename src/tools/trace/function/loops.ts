import type { ExecutedLine } from './callTrace';

/** Executed lines, loops as their rounds. */
export type TraceNode = ExecutedLine | Loop;

export interface Loop {
  readonly head: number;
  /** Each begins with the head; the last one may be the head alone, when the loop ended. */
  readonly rounds: readonly (readonly TraceNode[])[];
}

export function isLoop(node: TraceNode): node is Loop {
  return 'rounds' in node;
}

interface Interval {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the loops in what was executed: where a later line is followed by an earlier one, the lines from there on were
 * a round. It needs no knowledge of the language. What looks like a loop and is none (a call over several lines) has
 * two rounds, and is not folded for that.
 */
export function findLoops(lines: readonly ExecutedLine[]): readonly TraceNode[] {
  const outermost = outer(intervalsOf(lines));
  if (outermost.length === 0) return lines;
  const nodes: TraceNode[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    if (line === undefined) break;
    const interval = outermost.find((each) => contains(each, line.line));
    if (interval === undefined) {
      nodes.push(line);
      at += 1;
      continue;
    }
    let end = at;
    for (let each = lines[end]; each !== undefined && contains(interval, each.line);)
      each = lines[(end += 1)];
    nodes.push({ head: interval.start, rounds: roundsOf(lines.slice(at, end), interval.start) });
    at = end;
  }
  return nodes;
}

function roundsOf(run: readonly ExecutedLine[], head: number): (readonly TraceNode[])[] {
  const rounds: ExecutedLine[][] = [];
  for (const line of run) {
    if (line.line === head || rounds.length === 0) rounds.push([line]);
    else rounds.at(-1)?.push(line);
  }
  return rounds.map((round) => {
    const [first, ...rest] = round;
    return first?.line === head ? [first, ...findLoops(rest)] : findLoops(round);
  });
}

function intervalsOf(lines: readonly ExecutedLine[]): readonly Interval[] {
  const ends = new Map<number, number>();
  lines.forEach(({ line }, index) => {
    const before = lines[index - 1]?.line;
    if (before !== undefined && line < before)
      ends.set(line, Math.max(ends.get(line) ?? 0, before));
  });
  return [...ends].map(([start, end]) => ({ start, end }));
}

/** Those that are within no other; two that overlap are one. */
function outer(intervals: readonly Interval[]): readonly Interval[] {
  const sorted = [...intervals].sort((one, other) => one.start - other.start);
  const found: Interval[] = [];
  for (const each of sorted) {
    const last = found.at(-1);
    if (last === undefined || each.start > last.end) found.push(each);
    else found[found.length - 1] = { start: last.start, end: Math.max(last.end, each.end) };
  }
  return found;
}

function contains({ start, end }: Interval, line: number): boolean {
  return line >= start && line <= end;
}

/** What tells rounds apart: which lines ran, what they called and threw; not how often an inner loop went round. */
export function shapeOf(nodes: readonly TraceNode[]): string {
  return nodes
    .map((node) => {
      if (isLoop(node)) return `(${[...new Set(node.rounds.map(shapeOf))].sort().join('|')})`;
      const callees = node.callees.map(({ name, end }) => `${name}:${end.kind}`).join(',');
      return `${node.line}${node.thrown === undefined ? '' : '!'}[${callees}]`;
    })
    .join(' ');
}
