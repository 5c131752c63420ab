import type { Turns } from '../../../results/turns';
import type { Types } from './heapSummary';
import { holderOf } from './holders';
import { describePath } from './pathText';
import { isEngines, reachableOf, type Left, type Reached } from './reachable';
import type { SnapshotFile } from './snapshotFile';
import { hasName, typeText } from './snapshotNames';
import { keyOf, type Counted, type SnapshotGraph } from './snapshotGraph';

/** The name that V8 gives to what the debugger holds. */
const OF_DEBUGGER = 'DevTools console';

export interface SnapshotSummary {
  readonly types: Types;
  /** The greatest id of an object. Later objects have greater ones. */
  readonly lastId: number;
  /** What only the debugger holds. Undefined if the references of the heap were not read. */
  readonly debugger: Left | undefined;
  /** What holds the objects of a type that are newer than an id. Undefined if there are none, or it is unknown. */
  readonly holder: (
    type: string,
    since: number,
    turns: Turns,
  ) => Promise<
    { readonly fresh: number; readonly held: number; readonly path: readonly string[] } | undefined
  >;
}

/** Counts the objects of a snapshot by their types. */
export async function summarise(file: SnapshotFile, turns: Turns): Promise<SnapshotSummary> {
  const { graph } = file;
  const reached = graph.isWhole ? await reachedIn(file, turns) : undefined;
  const counted = [...(reached?.counted ?? ofProgram(graph)).values()];
  const texts = await file.strings(new Set(counted.map(({ name }) => name)));
  const types = new Map<string, { count: number; bytes: number }>();
  const keys = new Map<string, Set<number>>();
  for (const { kind, name, count, bytes } of counted) {
    const type = typeText(graph.layout.nodeKinds[kind] ?? '', texts.get(name) ?? '');
    const known = types.get(type) ?? { count: 0, bytes: 0 };
    types.set(type, { count: known.count + count, bytes: known.bytes + bytes });
    const same = keys.get(type) ?? new Set<number>();
    keys.set(type, same.add(keyOf(kind, name)));
  }
  return {
    types,
    lastId: await lastIdOf(graph, turns),
    debugger: reached?.debugger,
    holder: async (type, since, own) => {
      if (reached === undefined) return undefined;
      const found = await holderOf(graph, reached, keys.get(type) ?? new Set(), since, own);
      if (found === undefined) return undefined;
      const { fresh, held, edges } = found;
      return { fresh, held, path: await describePath(file, edges) };
    },
  };
}

async function reachedIn(file: SnapshotFile, turns: Turns): Promise<Reached> {
  const { graph } = file;
  const labels = new Set<number>();
  const synthetic = graph.layout.nodeKinds.indexOf('synthetic');
  for (let node = 0; node < graph.kind.length; node += 1) {
    if (node % 100_000 === 0) await turns.next();
    if (graph.kind[node] !== synthetic) continue;
    for (let edge = graph.first[node] ?? 0; edge < (graph.first[node + 1] ?? 0); edge += 1)
      if (hasName(graph, edge)) labels.add(graph.label[edge] ?? 0);
  }
  const texts = await file.strings(labels);
  const isDebuggers = (edge: number): boolean =>
    hasName(graph, edge) && texts.get(graph.label[edge] ?? 0)?.includes(OF_DEBUGGER) === true;
  return await reachableOf(graph, isDebuggers, turns);
}

/** The objects that were only counted, without those of the engine. */
function ofProgram(graph: SnapshotGraph): ReadonlyMap<number, Counted> {
  return new Map(
    [...graph.counted].filter(([, { kind }]) => !isEngines(graph.layout.nodeKinds[kind] ?? '')),
  );
}

/** V8 counts the objects of its heap by odd ids. The ids of others, which are even, tell no order. */
async function lastIdOf({ id }: SnapshotGraph, turns: Turns): Promise<number> {
  let last = 0;
  for (let at = 0; at < id.length; at += 1) {
    if (at % 100_000 === 0) await turns.next();
    const each = id[at] ?? 0;
    if (each % 2 === 1 && each > last) last = each;
  }
  return last;
}
