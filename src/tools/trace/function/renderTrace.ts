import { cutText } from '../../../results/fit';
import { nearDifference, nearEntry } from '../../../results/nearDifference';
import type { Argument, CallEnd, Callee, CallHistory, Change, ExecutedLine } from './callModel';
import { findLoops, isLoop, shapeOf, type Loop, type TraceNode } from './loops';
import { ShownValues } from './shownValues';
import { isCompound } from './values';

/** The limits for the shown values, source and rounds. */
export interface Detail {
  readonly value: number;
  readonly source: number;
  /**
   * The maximum number of rounds of a loop that are shown because of their shape, in addition to the first two and the
   * last.
   */
  readonly shapes: number;
}

/** The levels of detail, from the highest to the lowest. The first one that fits is used. */
const DETAILS: readonly Detail[] = [
  { value: 120, source: 90, shapes: 5 },
  { value: 60, source: 60, shapes: 3 },
  { value: 30, source: 40, shapes: 2 },
];

/** A loop with fewer rounds is shown completely. */
const MIN_FOLDED = 5;
const FIRST_ROUNDS = 2;
/** The maximum number of changes that are shown for hidden rounds. */
const MAX_NET_CHANGES = 8;
const MAX_CHANGES = 12;
/** The indentation of the lines of an opened callee. */
const INDENT = '  ';

export interface RenderedTrace {
  readonly lines: readonly string[];
  /** The number of rows that were left out in the middle. Rounds of folded loops do not count. */
  readonly omitted: number;
}

/**
 * Renders the executed lines as short texts, in order: `12 total = total + item  | total: 3 → 8`. The source is shown
 * only the first time that a line is shown. To fit into a number of characters, the renderer first shortens the values
 * and then omits the middle.
 */
export function renderTrace(history: CallHistory, mostCharacters: number): RenderedTrace {
  let lines: readonly string[] = [];
  for (const detail of DETAILS) {
    lines = new Renderer(detail).history(history);
    if (lengthOf(lines) <= mostCharacters) return { lines, omitted: 0 };
  }
  return withoutMiddle(lines, mostCharacters);
}

class Renderer {
  private readonly shown = new Set<string>();
  private file = '';
  private values = new ShownValues([]);

  constructor(private readonly detail: Detail) {}

  history(history: CallHistory, indent = ''): readonly string[] {
    const { file, values } = this;
    this.file = history.path ?? history.name;
    this.values = new ShownValues(history.args);
    const rows = this.nodes(findLoops(history.lines), history, indent);
    this.file = file;
    this.values = values;
    return rows;
  }

  private nodes(nodes: readonly TraceNode[], history: CallHistory, indent: string): string[] {
    return nodes.flatMap((node) =>
      isLoop(node) ? this.loop(node, history, indent) : this.line(node, history, indent),
    );
  }

  private line(executed: ExecutedLine, history: CallHistory, indent: string): string[] {
    const notes = [
      ...(executed.branch === undefined ? [] : [executed.branch ? 'true' : 'false']),
      ...executed.callees
        .filter((callee) => callee.history === undefined)
        .map((callee) => this.callee(callee)),
      ...this.changes(executed.changes, MAX_CHANGES),
      ...(executed.hasUnknownChanges === true ? ['changes unknown'] : []),
      ...thrownText(executed, (text) => this.value(text)),
    ];
    this.values.changed(executed.changes);
    const row = `${indent}${executed.line}${this.sourceOf(executed.line, history)}${notes.length > 0 ? `  | ${notes.join(', ')}` : ''}`;
    return [row, ...executed.callees.flatMap((callee) => this.opened(callee, indent))];
  }

  /** Returns the indented lines of an opened callee. */
  private opened(callee: Callee, indent: string): string[] {
    if (callee.history === undefined) return [];
    const inner = indent + INDENT;
    const args = this.args(callee.history.args);
    return [
      `${inner}> ${callee.name}(${args})`,
      ...this.history(callee.history, inner),
      `${inner}< ${this.end(callee.end)}`,
    ];
  }

  private loop(loop: Loop, history: CallHistory, indent: string): string[] {
    const { rounds } = loop;
    if (rounds.length < MIN_FOLDED)
      return rounds.flatMap((round) => this.nodes(round, history, indent));
    const rows: string[] = [];
    let hidden: number[] = [];
    const flush = (): void => {
      if (hidden.length > 0) rows.push(this.hidden(loop, hidden, shapes, indent));
      hidden = [];
    };
    const { shown, differs, shapes } = shownRounds(loop, this.detail.shapes);
    const whole = isExit(rounds.at(-1), loop.head) ? rounds.length - 1 : rounds.length;
    rounds.forEach((round, index) => {
      if (!shown.has(index)) {
        hidden.push(index);
        return;
      }
      flush();
      if (index < whole)
        rows.push(
          `${indent}round ${index + 1} of ${whole}${differs.has(index) ? ', differs' : ''}`,
        );
      rows.push(...this.nodes(round, history, indent));
    });
    flush();
    return rows;
  }

  private hidden(
    loop: Loop,
    indexes: readonly number[],
    shownShapes: ReadonlySet<string>,
    indent: string,
  ): string {
    const first = (indexes[0] ?? 0) + 1;
    const last = (indexes.at(-1) ?? 0) + 1;
    const nodes = indexes.flatMap((index) => loop.rounds[index] ?? []);
    const net = this.changes(netChanges(nodes), MAX_NET_CHANGES);
    this.values.forget(netChanges(nodes));
    const which = first === last ? `round ${first}` : `rounds ${first} to ${last}`;
    const others = indexes.filter(
      (index) => !shownShapes.has(shapeOf(loop.rounds[index] ?? [])),
    ).length;
    const how = others === 0 ? 'like those shown' : `${others} differ from those shown`;
    return `${indent}… ${which}, ${how}${net.length > 0 ? `  | ${net.join(', ')}` : ''}`;
  }

  private sourceOf(line: number, { source }: CallHistory): string {
    const key = `${this.file}:${line}`;
    if (this.shown.has(key)) return '';
    this.shown.add(key);
    const text = (source[line - 1] ?? '').trim();
    const most = this.detail.source;
    return text === '' ? '' : ` ${text.length > most ? `${text.slice(0, most)}…` : text}`;
  }

  private changes(changes: readonly Change[], most: number): string[] {
    const shown = changes.slice(0, most).map((change) => this.change(change));
    return changes.length > most ? [...shown, `${changes.length - most} more`] : shown;
  }

  private change({ name, before, now, wasSuspended }: Change): string {
    const note = wasSuspended === true ? ' (maybe while suspended)' : '';
    if (before === undefined) return `${name} = ${this.value(now)}${note}`;
    const [from, to] = changeTexts(before, now, this.detail.value);
    return `${name}: ${this.value(from)} → ${this.value(to)}${note}`;
  }

  private callee(callee: Callee): string {
    // The value of a library's function is often that of a variable, and its text is long.
    if (callee.isLibrary === true && callee.end.kind !== 'threw') return `${callee.name}(…)`;
    const args = callee.args === undefined ? '…' : this.args(callee.args);
    return `${callee.name}(${args}) ${this.end(callee.end)}`;
  }

  private args(args: readonly Argument[]): string {
    return args.map(([name, value]) => `${name}=${this.named(value)}`).join(', ');
  }

  private end(end: CallEnd): string {
    if (end.kind === 'open') return '→ …';
    if (end.kind === 'threw')
      return `threw ${this.value(end.exception ?? end.source ?? '')}`.trimEnd();
    const value = end.value === undefined ? '?' : this.named(end.value);
    return end.isSuspended === true ? `yields ${value}` : `→ ${value}`;
  }

  /** A value that the trace has shown is not repeated. */
  private named(text: string): string {
    return this.values.nameOf(text) ?? this.value(text);
  }

  private value(text: string): string {
    return shortText(text, this.detail.value);
  }
}

/**
 * Returns the rounds of a loop that are shown, those that are shown because of their shape, and the shapes that are
 * shown.
 */
function shownRounds(
  { rounds, head }: Loop,
  most: number,
): {
  readonly shown: ReadonlySet<number>;
  readonly differs: ReadonlySet<number>;
  readonly shapes: ReadonlySet<string>;
} {
  const shown = new Set<number>();
  const differs = new Set<number>();
  const shapes = new Set<string>();
  const end = isExit(rounds.at(-1), head) ? rounds.length - 2 : rounds.length - 1;
  rounds.forEach((round, index) => {
    const shape = shapeOf(round);
    const isNew = !shapes.has(shape) && index < end && index >= FIRST_ROUNDS && differs.size < most;
    if (isNew) differs.add(index);
    if (isNew || index < FIRST_ROUNDS || index >= end) {
      shown.add(index);
      shapes.add(shape);
    }
  });
  return { shown, differs, shapes };
}

/** Whether a round consists of the head alone. The program left the loop there. */
function isExit(round: readonly TraceNode[] | undefined, head: number): boolean {
  const [only, more] = round ?? [];
  return only !== undefined && more === undefined && !isLoop(only) && only.line === head;
}

/** Returns the net changes of several lines. */
export function netChanges(nodes: readonly TraceNode[]): readonly Change[] {
  const net = new Map<string, Change>();
  const add = (node: TraceNode): void => {
    if (isLoop(node)) {
      for (const round of node.rounds) round.forEach(add);
      return;
    }
    for (const change of node.changes) {
      const first = net.get(change.name);
      net.set(change.name, first === undefined ? change : { ...change, before: first.before });
    }
  };
  nodes.forEach(add);
  return [...net.values()].filter(({ before, now }) => before !== now);
}

function thrownText(
  { thrown, callees }: ExecutedLine,
  value: (text: string) => string,
): readonly string[] {
  if (thrown === undefined) return [];
  const isInCallee = thrown.text === undefined && callees.some(({ end }) => end.kind === 'threw');
  const what = isInCallee
    ? []
    : [thrown.text === undefined ? 'threw' : `threw ${value(thrown.text)}`];
  return thrown.caughtAt === undefined ? what : [...what, `caught at ${thrown.caughtAt}`];
}

/** The two texts of a change, so that the difference is within the first `most` characters. */
export function changeTexts(before: string, now: string, most: number): readonly [string, string] {
  const near = isCompound(before) && isCompound(now) ? nearEntry(before, now) : undefined;
  return nearDifference(...(near ?? ([before, now] as const)), most);
}

/** Returns the text on one line. A long text is cut at its end. */
export function shortText(text: string, most: number): string {
  return cutText(text.replace(/(?<!\s)\s*\n\s*/g, ' ⏎ '), most);
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + JSON.stringify(line).length + 1, 0);
}

/** Keeps the beginning and the end, which are the most useful parts. It keeps somewhat more of the beginning. */
function withoutMiddle(lines: readonly string[], mostCharacters: number): RenderedTrace {
  const head: string[] = [];
  const tail: string[] = [];
  let room = mostCharacters - 60;
  let [from, to] = [0, lines.length];
  while (from < to) {
    const isHead = head.length <= tail.length * 1.5;
    const line = (isHead ? lines[from] : lines[to - 1]) ?? '';
    room -= JSON.stringify(line).length + 1;
    if (room < 0) break;
    if (isHead) head.push(lines[from++] ?? '');
    else tail.unshift(lines[--to] ?? '');
  }
  const omitted = to - from;
  return omitted === 0
    ? { lines, omitted }
    : { lines: [...head, `… ${omitted} lines of this trace omitted`, ...tail], omitted };
}

/** Returns the number of executed lines of a call, including those of its opened callees. */
export function executedIn(history: CallHistory): number {
  return (
    history.executed +
    history.lines.reduce(
      (sum, { callees }) =>
        sum +
        callees.reduce(
          (all, { history: inner }) => all + (inner === undefined ? 0 : executedIn(inner)),
          0,
        ),
      0,
    )
  );
}
