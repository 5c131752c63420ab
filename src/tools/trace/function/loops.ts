import type { ExecutedLine } from './callModel';

/** An executed line, or a loop with its iterations ("rounds"). */
export type TraceNode = ExecutedLine | Loop;

export interface Loop {
  readonly head: number;
  /** The rounds. Each begins with the head. The last one may be the head alone, if the loop ended there. */
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
 * Finds the loops in the executed lines. If a line is followed by an earlier line, the lines from the earlier one to
 * the later one are a loop. This rule needs no knowledge of the language. A call over several lines looks like a loop
 * with two rounds. The trace does not fold a loop with so few rounds.
 */
export function findLoops(lines: readonly ExecutedLine[]): readonly TraceNode[] {
  const outermost = outer(intervalsOf(lines));
  if (outermost.length === 0) return lines;
  const nodes: TraceNode[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    if (line === undefined) break;
    const interval = outermost.find((candidate) => contains(candidate, line.line));
    if (interval === undefined) {
      nodes.push(line);
      at += 1;
      continue;
    }
    let end = at;
    for (let next = lines[end]; next !== undefined && contains(interval, next.line);)
      next = lines[(end += 1)];
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

/** Returns the outermost intervals. Overlapping ones are merged. */
function outer(intervals: readonly Interval[]): readonly Interval[] {
  const sorted = [...intervals].sort((one, other) => one.start - other.start);
  const found: Interval[] = [];
  for (const interval of sorted) {
    const last = found.at(-1);
    if (last === undefined || interval.start > last.end) found.push(interval);
    else found[found.length - 1] = { start: last.start, end: Math.max(last.end, interval.end) };
  }
  return found;
}

function contains({ start, end }: Interval, line: number): boolean {
  return line >= start && line <= end;
}

/**
 * Returns the features that distinguish rounds: the executed lines, their calls, and their exceptions. The number of
 * rounds of inner loops does not count.
 */
export function shapeOf(nodes: readonly TraceNode[]): string {
  return nodes
    .map((node) => {
      if (isLoop(node)) return `(${[...new Set(node.rounds.map(shapeOf))].sort().join('|')})`;
      const callees = node.callees.map(({ name, end }) => `${name}:${end.kind}`).join(',');
      return `${node.line}${node.thrown === undefined ? '' : '!'}[${callees}]`;
    })
    .join(' ');
}
