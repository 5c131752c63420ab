import type { Turns } from '../../../results/turns';
import { countIn, NAMED, type Counted, type SnapshotGraph } from './snapshotGraph';

/** The number of steps between two looks at the time. */
const STEPS = 50_000;

/** The objects of the engine itself, and those that describe others. The program has none of them. */
const ENGINE: ReadonlySet<string> = new Set(['hidden', 'code', 'synthetic', 'object shape']);

const NONE = 0xffff_ffff;

/** What the reachable objects of a heap are, in the order of their distance. */
export interface Reached {
  readonly order: Uint32Array;
  /** The reference by which each object was reached first. */
  readonly by: Uint32Array;
  /** The object that has this reference. */
  readonly parent: Uint32Array;
  readonly counted: ReadonlyMap<number, Counted>;
  /** Objects that only the debugger holds, such as values that it has shown. */
  readonly debugger: Left;
}

export interface Left {
  count: number;
  bytes: number;
}

/**
 * Finds what a program holds. A weak reference holds nothing. What only code refers to belongs to the engine. Objects
 * that are reachable from the global object have a path from there, even if another one is shorter.
 * @param isDebuggers whether a reference of the engine is one that the debugger made
 */
export async function reachableOf(
  graph: SnapshotGraph,
  isDebuggers: (edge: number) => boolean,
  turns: Turns,
): Promise<Reached> {
  const walk = new Walk(graph, isDebuggers);
  // The root of a heap refers to the global objects, and to the roots of the engine.
  walk.begin();
  const globals = walk.childrenOf(0).filter((edge) => !walk.isSynthetic(edge));
  for (const starts of [globals, walk.childrenOf(0)]) {
    for (const edge of starts) walk.reach(0, edge);
    await walk.go(turns);
  }
  const counted = new Map<number, Counted>();
  for (let at = 0; at < walk.length; at += 1) {
    if (at % STEPS === 0) await turns.next();
    const node = walk.order[at] ?? 0;
    if (ENGINE.has(graph.nameOfKind(node))) continue;
    const kind = graph.kind[node] ?? 0;
    countIn(counted, kind, typeName(graph, node), graph.size[node] ?? 0);
  }
  const { order, by, parent, length } = walk;
  const held = await walk.debuggersOwn(turns);
  return { order: order.subarray(0, length), by, parent, counted, debugger: held };
}

/** The index of the name that is part of an object's type. The name of a string is its text. */
export function typeName(graph: SnapshotGraph, node: number): number {
  return NAMED.has(graph.nameOfKind(node)) ? (graph.name[node] ?? 0) : 0;
}

/** Whether objects of a kind are those of the engine. */
export function isEngines(kind: string): boolean {
  return ENGINE.has(kind);
}

class Walk {
  readonly order: Uint32Array;
  readonly by: Uint32Array;
  readonly parent: Uint32Array;
  length = 0;
  private next = 0;
  private readonly debuggers: number[] = [];
  private readonly weak: number;
  private readonly code: number;
  private readonly synthetic: number;

  constructor(
    private readonly graph: SnapshotGraph,
    private readonly isDebuggers: (edge: number) => boolean,
  ) {
    const { nodes, edgeKinds, nodeKinds } = graph.layout;
    this.order = new Uint32Array(nodes);
    this.by = new Uint32Array(nodes).fill(NONE);
    this.parent = new Uint32Array(nodes).fill(NONE);
    this.weak = edgeKinds.indexOf('weak');
    this.code = nodeKinds.indexOf('code');
    this.synthetic = nodeKinds.indexOf('synthetic');
  }

  begin(): void {
    this.add(0, NONE, 0);
    this.next = 1;
  }

  childrenOf(node: number): readonly number[] {
    const { first } = this.graph;
    const [from, to] = [first[node] ?? 0, first[node + 1] ?? 0];
    return Array.from({ length: to - from }, (_, at) => from + at);
  }

  isSynthetic(edge: number): boolean {
    return this.graph.kind[this.graph.target[edge] ?? 0] === this.synthetic;
  }

  reach(node: number, edge: number): void {
    const { target, edgeKind } = this.graph;
    if (edgeKind[edge] === this.weak) return;
    const to = target[edge] ?? 0;
    if (this.parent[to] !== NONE) return;
    if (this.graph.kind[node] === this.synthetic && this.isDebuggers(edge)) this.debuggers.push(to);
    else this.add(to, edge, node);
  }

  private add(node: number, edge: number, parent: number): void {
    this.by[node] = edge;
    this.parent[node] = parent;
    this.order[this.length] = node;
    this.length += 1;
  }

  async go(turns: Turns): Promise<void> {
    const { first, kind } = this.graph;
    for (let steps = 0; this.next < this.length; this.next += 1) {
      const node = this.order[this.next] ?? 0;
      if (kind[node] === this.code) continue;
      const end = first[node + 1] ?? 0;
      for (let edge = first[node] ?? 0; edge < end; edge += 1) {
        this.reach(node, edge);
        steps += 1;
        if (steps % STEPS === 0) await turns.next();
      }
    }
  }

  /** What only the debugger holds. It was not reached otherwise. */
  async debuggersOwn(turns: Turns): Promise<Left> {
    const { graph } = this;
    const from = this.length;
    for (const node of this.debuggers) if (this.parent[node] === NONE) this.add(node, NONE, 0);
    await this.go(turns);
    const left = { count: 0, bytes: 0 };
    for (let at = from; at < this.length; at += 1) {
      if (at % STEPS === 0) await turns.next();
      const node = this.order[at] ?? 0;
      if (isEngines(graph.nameOfKind(node))) continue;
      left.count += 1;
      left.bytes += graph.size[node] ?? 0;
    }
    return left;
  }
}
