import { NAMED, type SnapshotGraph } from './snapshotGraph';

/** The maximum length of the name of a type. */
const MAX_NAME = 80;

/** Whether the label of a reference is a name, not an index. */
export function hasName(graph: SnapshotGraph, edge: number): boolean {
  const kind = graph.layout.edgeKinds[graph.edgeKind[edge] ?? 0] ?? '';
  return kind !== 'element' && kind !== 'hidden';
}

/** The type of an object as text. */
export function typeText(kind: string, name: string): string {
  const short = name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME)}…`;
  if (kind === 'closure') return name === '' ? 'function' : `function ${short}`;
  if (NAMED.has(kind)) return short === '' ? 'Object' : short;
  if (kind === 'concatenated string' || kind === 'sliced string') return 'string';
  if (kind === 'array') return '(internal array)';
  return kind === 'regexp' ? 'RegExp' : kind;
}
