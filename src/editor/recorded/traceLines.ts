import * as l10n from '@vscode/l10n';
import { fileKey } from '../../debugger/sourcePath';
import type { CallHistory, ExecutedLine } from '../../tools/trace/function/callModel';
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
export function traceLines({ history, firstLine }: RecordedTrace, rounds: Rounds): ShownTrace {
  const reader = new Reader(rounds);
  reader.history(history, firstLine);
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
export function recordedFiles({ history, firstLine }: RecordedTrace): readonly RecordedFile[] {
  const files = new Map<string, RecordedFile & { readonly lines: Set<number> }>();
  const visit = ({ path, source, lines }: CallHistory, first?: number): void => {
    if (path === undefined) return;
    const key = fileKey(path);
    const file = files.get(key) ?? { path, source, lines: new Set<number>() };
    files.set(key, file);
    if (first !== undefined) file.lines.add(first);
    for (const { line, callees } of lines) {
      file.lines.add(line);
      for (const callee of callees) if (callee.history !== undefined) visit(callee.history);
    }
  };
  visit(history, firstLine);
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
  history(history: CallHistory, firstLine?: number): void {
    if (history.path === undefined) return;
    const key = `${fileKey(history.path)} ${history.name}`;
    if (this.traced.has(key)) return;
    this.traced.add(key);
    const own = new Map<number, LineValues>();
    this.all.set(key, own);
    const callees: CallHistory[] = [];
    this.addArguments(own, history, firstLine);
    this.nodes(findLoops(history.lines), history, own, callees);
    const last = history.lines.at(-1);
    if (last !== undefined)
      this.add(own, history, last.line, endNotes(history.end, MAX_OF_A_VALUE));
    // The last call of a function is shown. So it comes first.
    for (const callee of callees.reverse()) this.history(callee);
  }

  private addArguments(own: Map<number, LineValues>, history: CallHistory, first?: number): void {
    if (first === undefined || history.args.length === 0) return;
    const name = history.name.split('.').at(-1) ?? history.name;
    const entry = history.lines[0]?.line ?? first;
    let line = first;
    // Decorators stand above the line with the name.
    while (line < entry && !(history.source[line - 1] ?? '').includes(name)) line += 1;
    const notes = history.args.map(
      ([argument, value]) => `${shown(argument, MAX_OF_A_VALUE)} = ${shown(value, MAX_OF_A_VALUE)}`,
    );
    this.add(own, history, line < entry ? line : first, notes);
  }

  private nodes(
    nodes: readonly TraceNode[],
    history: CallHistory,
    own: Map<number, LineValues>,
    callees: CallHistory[],
  ): void {
    for (const node of nodes) {
      if (isLoop(node)) this.loop(node, history, own, callees);
      else this.line(node, history, own, callees);
    }
  }

  private line(
    executed: ExecutedLine,
    history: CallHistory,
    own: Map<number, LineValues>,
    callees: CallHistory[],
  ): void {
    this.add(own, history, executed.line, notesOf(executed, MAX_OF_A_VALUE));
    callees.push(...executed.callees.flatMap((callee) => callee.history ?? []));
  }

  /** Adds the chosen round. The head alone, with which the program leaves a loop, belongs to the last round. */
  private loop(
    loop: Loop,
    history: CallHistory,
    own: Map<number, LineValues>,
    callees: CallHistory[],
  ): void {
    const whole = wholeRounds(loop);
    const key = `${fileKey(history.path ?? '')}:${loop.head}`;
    const round = Math.min(Math.max(this.rounds.get(key) ?? whole, 1), whole);
    const nodes = loop.rounds.slice(round - 1, round === whole ? undefined : round).flat();
    if (whole > 1) {
      const span = spanOf(loop);
      this.loops.push({ key, path: history.path ?? '', ...span, round, rounds: whole });
      this.add(own, history, loop.head, [l10n.t('round {0} of {1}', round, whole)]);
    }
    this.nodes(nodes, history, own, callees);
  }

  private add(
    own: Map<number, LineValues>,
    history: CallHistory,
    line: number,
    notes: readonly string[],
  ): void {
    const source = history.source[line - 1];
    if (source === undefined || notes.length === 0 || history.path === undefined) return;
    const before = own.get(line)?.notes ?? [];
    own.set(line, { path: history.path, line, source, notes: [...before, ...notes] });
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
