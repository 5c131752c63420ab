import type { Turns } from '../../../results/turns';
import { isEngines, typeName, type Reached } from './reachable';
import { keyOf, type SnapshotGraph } from './snapshotGraph';

const STEPS = 50_000;

/** The new objects of a type, and the object that holds most of them. */
export interface Holder {
  /** The number of new objects. */
  readonly fresh: number;
  /** The number of these that the last object of the path holds. */
  readonly held: number;
  /** The references from a root to the holder, and on to one of the new objects. */
  readonly edges: readonly number[];
}

/**
 * Finds what holds the new objects of a type: the object farthest from the roots on whose paths more than half of them
 * are.
 * @param types the kinds and names (`keyOf`) that are this type
 * @param since the greatest id of the earlier snapshot. An object keeps its id, and a new one gets a greater id.
 */
export async function holderOf(
  graph: SnapshotGraph,
  { order, by, parent }: Reached,
  types: ReadonlySet<number>,
  since: number,
  turns: Turns,
): Promise<Holder | undefined> {
  const isFresh = (node: number): boolean =>
    (graph.id[node] ?? 0) % 2 === 1 &&
    (graph.id[node] ?? 0) > since &&
    types.has(keyOf(graph.kind[node] ?? 0, typeName(graph, node)));
  const weight = new Uint32Array(graph.layout.nodes);
  let fresh = 0;
  for (let at = order.length - 1; at > 0; at -= 1) {
    if (at % STEPS === 0) await turns.next();
    const node = order[at] ?? 0;
    if (isFresh(node)) {
      fresh += 1;
      weight[node] = (weight[node] ?? 0) + 1;
    }
    const above = parent[node] ?? 0;
    weight[above] = (weight[above] ?? 0) + (weight[node] ?? 0);
  }
  if (fresh === 0) return undefined;
  const found = await lastHeavy(order, weight, fresh, turns);
  const path = pathTo(found, by, parent);
  // In a list of linked objects, each one holds the next. The first of them is enough.
  const own = path.findIndex((edge) => isFresh(graph.target[edge] ?? 0));
  const edges = own >= 0 ? path.slice(0, own + 1) : path;
  const last = edges.at(-1);
  const holder = last === undefined ? 0 : (graph.target[last] ?? 0);
  if (edges.every((edge) => isEngines(graph.nameOfKind(graph.target[edge] ?? 0))))
    return { fresh, held: 0, edges: [] };
  const example = own >= 0 ? undefined : await firstBelow(order, parent, holder, isFresh, turns);
  const rest = example === undefined ? [] : pathTo(example, by, parent).slice(edges.length);
  return { fresh, held: weight[holder] ?? 0, edges: [...edges, ...rest] };
}

/** The last object, in the order of distance, with more than half of the weight. There is one at each distance at most. */
async function lastHeavy(
  order: Uint32Array,
  weight: Uint32Array,
  all: number,
  turns: Turns,
): Promise<number> {
  let found = 0;
  let depth = 0;
  for (const node of order) {
    depth += 1;
    if (depth % STEPS === 0) await turns.next();
    if ((weight[node] ?? 0) * 2 > all) found = node;
  }
  return found;
}

/** The first new object that is held. Its path begins with that of its holder. */
async function firstBelow(
  order: Uint32Array,
  parent: Uint32Array,
  holder: number,
  isFresh: (node: number) => boolean,
  turns: Turns,
): Promise<number | undefined> {
  const isBelow = new Uint8Array(parent.length);
  isBelow[holder] = 1;
  let steps = 0;
  for (const node of order) {
    steps += 1;
    if (steps % STEPS === 0) await turns.next();
    if (node === holder || isBelow[parent[node] ?? 0] !== 1) continue;
    isBelow[node] = 1;
    if (isFresh(node)) return node;
  }
  return undefined;
}

function pathTo(node: number, by: Uint32Array, parent: Uint32Array): readonly number[] {
  const path: number[] = [];
  for (let at = node; at !== 0; at = parent[at] ?? 0) path.push(by[at] ?? 0);
  return path.reverse();
}
