import { typeName } from './reachable';
import type { SnapshotFile } from './snapshotFile';
import { NAMED, type SnapshotGraph } from './snapshotGraph';
import { hasName, typeText } from './snapshotNames';

/** The maximum number of entries of a path at its beginning and at its end. */
const MAX_FIRST = 6;
const MAX_LAST = 5;

/** The maximum length of the name of a reference. */
const MAX_LABEL = 60;

/** Objects that the engine makes for the variables of functions. */
const CONTEXT = 'system / Context';

/** Describes a path of references: the name of each one, and the type of the object behind it. */
export async function describePath(
  file: SnapshotFile,
  edges: readonly number[],
): Promise<readonly string[]> {
  const { graph } = file;
  const needed = new Set<number>();
  for (const edge of edges) {
    if (hasName(graph, edge)) needed.add(graph.label[edge] ?? 0);
    needed.add(typeName(graph, graph.target[edge] ?? 0));
  }
  const texts = await file.strings(needed);
  return shortened(entriesOf(graph, edges, texts));
}

function entriesOf(
  graph: SnapshotGraph,
  edges: readonly number[],
  texts: ReadonlyMap<number, string>,
): readonly string[] {
  const entries: string[] = [];
  let label = '';
  edges.forEach((edge, at) => {
    const node = graph.target[edge] ?? 0;
    const kind = graph.nameOfKind(node);
    const name = texts.get(graph.name[node] ?? 0) ?? '';
    label = labelOf(graph, edge, texts) || label;
    // What the engine puts between two objects of the program.
    const isBetween = !NAMED.has(kind) || name === CONTEXT;
    if (isBetween && at < edges.length - 1) return;
    const type = typeText(kind, name);
    if (entries.length === 0 && isGlobal(graph, edge)) entries.push('global');
    else entries.push(label === '' ? type : `${label}: ${type}`);
    label = '';
  });
  return entries;
}

/** Whether a reference is one from the root of the heap to a global object. */
function isGlobal(graph: SnapshotGraph, edge: number): boolean {
  return edge < (graph.first[1] ?? 0) && graph.nameOfKind(graph.target[edge] ?? 0) === 'object';
}

function labelOf(graph: SnapshotGraph, edge: number, texts: ReadonlyMap<number, string>): string {
  const kind = graph.layout.edgeKinds[graph.edgeKind[edge] ?? 0] ?? '';
  const text = hasName(graph, edge) ? (texts.get(graph.label[edge] ?? 0) ?? '') : '';
  const name = text.length <= MAX_LABEL ? text : `${text.slice(0, MAX_LABEL)}…`;
  if (kind === 'property') return `.${name}`;
  if (kind === 'context') return `variable ${name}`;
  return kind === 'element' || kind === 'hidden' ? '[…]' : '';
}

function shortened(entries: readonly string[]): readonly string[] {
  const more = entries.length - MAX_FIRST - MAX_LAST;
  if (more <= 1) return entries;
  return [...entries.slice(0, MAX_FIRST), `… ${more} more`, ...entries.slice(-MAX_LAST)];
}
