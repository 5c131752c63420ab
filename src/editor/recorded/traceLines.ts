import * as l10n from '@vscode/l10n';
import { fileKey } from '../../debugger/sourcePath';
import type { CallLife, ExecutedLine } from '../../tools/trace/function/callModel';
import { findLoops, isLoop, type Loop, type TraceNode } from '../../tools/trace/function/loops';
import type { RecordedTrace } from '../../tools/trace/recorded';
import { endNotes, notesOf, shown } from './notes';

/** What stands beside one line. */
export interface LineValues {
  readonly path: string;
  readonly line: number;
  /** The text of the line when it was recorded. */
  readonly source: string;
  readonly notes: readonly string[];
}

/** A loop of which one round is shown. */
export interface ShownLoop {
  /** The name of the loop in the selection. */
  readonly key: string;
  readonly path: string;
  readonly first: number;
  readonly last: number;
  /** The number of the shown round, from 1. */
  readonly round: number;
  readonly rounds: number;
}

export interface ShownTrace {
  readonly lines: readonly LineValues[];
  readonly loops: readonly ShownLoop[];
}

/** The chosen round of each loop, by its key. Loops without a choice show their last round. */
export type Rounds = ReadonlyMap<string, number>;

/** The maximum length of one value beside a line, in characters. */
const MAX_OF_A_VALUE = 80;

/** Returns the values beside the lines of a traced call and of its opened callees, in the chosen rounds. */
export function traceLines({ life, firstLine }: RecordedTrace, rounds: Rounds): ShownTrace {
  const reader = new Reader(rounds);
  reader.life(life, firstLine);
  return { lines: reader.lines, loops: reader.loops };
}

/** Returns the innermost shown loop around a line, or else the first loop of the file. */
export function loopAt({ loops }: ShownTrace, path: string, line: number): ShownLoop | undefined {
  const own = loops.filter((loop) => fileKey(loop.path) === fileKey(path));
  const around = own.filter(({ first, last }) => line >= first && line <= last);
  return (
    around.sort((one, other) => one.last - one.first - (other.last - other.first))[0] ?? own[0]
  );
}

/** The recorded lines of one file, in all rounds, and its text when it was recorded. */
export interface RecordedFile {
  readonly path: string;
  readonly source: readonly string[];
  readonly lines: ReadonlySet<number>;
}

/** Returns the files in which a trace has lines. */
export function recordedFiles({ life, firstLine }: RecordedTrace): readonly RecordedFile[] {
  const files = new Map<string, RecordedFile & { readonly lines: Set<number> }>();
  const visit = ({ path, source, lines }: CallLife, first?: number): void => {
    if (path === undefined) return;
    const key = fileKey(path);
    const file = files.get(key) ?? { path, source, lines: new Set<number>() };
    files.set(key, file);
    if (first !== undefined) file.lines.add(first);
    for (const { line, callees } of lines) {
      file.lines.add(line);
      for (const callee of callees) if (callee.life !== undefined) visit(callee.life);
    }
  };
  visit(life, firstLine);
  return [...files.values()];
}

class Reader {
  readonly loops: ShownLoop[] = [];
  private readonly all = new Map<string, Map<number, LineValues>>();
  private readonly traced = new Set<string>();

  constructor(private readonly rounds: Rounds) {}

  get lines(): readonly LineValues[] {
    return [...this.all.values()].flatMap((lines) => [...lines.values()]);
  }

  /** The lines of a function have the values of one call: of the traced one, or else of the last shown one. */
  life(life: CallLife, firstLine?: number): void {
    if (life.path === undefined) return;
    const key = `${fileKey(life.path)} ${life.name}`;
    if (this.traced.has(key)) return;
    this.traced.add(key);
    const own = new Map<number, LineValues>();
    this.all.set(key, own);
    const callees: CallLife[] = [];
    this.addArguments(own, life, firstLine);
    this.nodes(findLoops(life.lines), life, own, callees);
    const last = life.lines.at(-1);
    if (last !== undefined) this.add(own, life, last.line, endNotes(life.end, MAX_OF_A_VALUE));
    // The last call of a function is shown. So it comes first.
    for (const callee of callees.reverse()) this.life(callee);
  }

  private addArguments(own: Map<number, LineValues>, life: CallLife, first?: number): void {
    if (first === undefined || life.args.length === 0) return;
    const name = life.name.split('.').at(-1) ?? life.name;
    const entry = life.lines[0]?.line ?? first;
    let line = first;
    // Decorators stand above the line with the name.
    while (line < entry && !(life.source[line - 1] ?? '').includes(name)) line += 1;
    const notes = life.args.map(
      ([argument, value]) => `${shown(argument, MAX_OF_A_VALUE)} = ${shown(value, MAX_OF_A_VALUE)}`,
    );
    this.add(own, life, line < entry ? line : first, notes);
  }

  private nodes(
    nodes: readonly TraceNode[],
    life: CallLife,
    own: Map<number, LineValues>,
    callees: CallLife[],
  ): void {
    for (const node of nodes) {
      if (isLoop(node)) this.loop(node, life, own, callees);
      else this.line(node, life, own, callees);
    }
  }

  private line(
    executed: ExecutedLine,
    life: CallLife,
    own: Map<number, LineValues>,
    callees: CallLife[],
  ): void {
    this.add(own, life, executed.line, notesOf(executed, MAX_OF_A_VALUE));
    callees.push(...executed.callees.flatMap((callee) => callee.life ?? []));
  }

  /** Adds the chosen round. The head alone, with which the program leaves a loop, belongs to the last round. */
  private loop(
    loop: Loop,
    life: CallLife,
    own: Map<number, LineValues>,
    callees: CallLife[],
  ): void {
    const whole = wholeRounds(loop);
    const key = `${fileKey(life.path ?? '')}:${loop.head}`;
    const round = Math.min(Math.max(this.rounds.get(key) ?? whole, 1), whole);
    const nodes = loop.rounds.slice(round - 1, round === whole ? undefined : round).flat();
    if (whole > 1) {
      const span = spanOf(loop);
      this.loops.push({ key, path: life.path ?? '', ...span, round, rounds: whole });
      this.add(own, life, loop.head, [l10n.t('round {0} of {1}', round, whole)]);
    }
    this.nodes(nodes, life, own, callees);
  }

  private add(
    own: Map<number, LineValues>,
    life: CallLife,
    line: number,
    notes: readonly string[],
  ): void {
    const source = life.source[line - 1];
    if (source === undefined || notes.length === 0 || life.path === undefined) return;
    const before = own.get(line)?.notes ?? [];
    own.set(line, { path: life.path, line, source, notes: [...before, ...notes] });
  }
}

function wholeRounds({ rounds, head }: Loop): number {
  const [only, more] = rounds.at(-1) ?? [];
  const isExit = only !== undefined && more === undefined && !isLoop(only) && only.line === head;
  return Math.max(1, isExit ? rounds.length - 1 : rounds.length);
}

function spanOf(loop: Loop): { readonly first: number; readonly last: number } {
  const lines = loop.rounds.flat().map((node) => (isLoop(node) ? spanOf(node) : undefined));
  const own = loop.rounds.flat().flatMap((node) => (isLoop(node) ? [] : [node.line]));
  return {
    first: own.reduce((least, line) => Math.min(least, line), loop.head),
    last: [...own, ...lines.flatMap((span) => span?.last ?? [])].reduce(
      (most, line) => Math.max(most, line),
      loop.head,
    ),
  };
}
