import { fields, listOf, numberOf, textOf } from '../../../debugger/protocol';

/** The largest heap whose references are read. They need about 15 bytes each, and 30 for each object. */
export const MAX_OBJECTS = 3_000_000;
export const MAX_REFERENCES = 15_000_000;

/** Where the fields of objects and references are in the lists of a snapshot, and the names of their kinds. */
interface Layout {
  readonly nodeFields: readonly string[];
  readonly edgeFields: readonly string[];
  readonly nodeKinds: readonly string[];
  readonly edgeKinds: readonly string[];
  readonly nodes: number;
  readonly edges: number;
}

/** Reads the description of a snapshot, which ends where the first list begins. @throws Error if it is none */
function layoutOf(head: string): Layout {
  const end = head.lastIndexOf(',', head.lastIndexOf('"nodes"'));
  const { snapshot } = fields(JSON.parse(`${head.slice(0, end)}}`));
  const { meta, node_count: nodes, edge_count: edges } = fields(snapshot);
  const described = fields(meta);
  const names = (name: string): readonly string[] =>
    listOf(described[name]).map((each) => textOf(each) ?? '');
  const kinds = (name: string): readonly string[] =>
    listOf(listOf(described[name])[0]).map((each) => textOf(each) ?? '');
  const layout = {
    nodeFields: names('node_fields'),
    edgeFields: names('edge_fields'),
    nodeKinds: kinds('node_types'),
    edgeKinds: kinds('edge_types'),
    nodes: numberOf(nodes) ?? -1,
    edges: numberOf(edges) ?? -1,
  };
  const isKnown =
    ['type', 'name', 'id', 'self_size', 'edge_count'].every((each) =>
      layout.nodeFields.includes(each),
    ) && ['type', 'name_or_index', 'to_node'].every((each) => layout.edgeFields.includes(each));
  if (!isKnown || layout.nodes < 0 || layout.edges < 0)
    throw new Error('a heap snapshot of an unknown form');
  return layout;
}

/** The number and the size of the objects of a kind with a name. */
export interface Counted {
  readonly kind: number;
  /** The index of the name. */
  readonly name: number;
  count: number;
  bytes: number;
}

/** The objects of a heap and their references, in lists of numbers. */
export class SnapshotGraph {
  readonly layout: Layout;
  /** Whether the heap is small enough for its references. Otherwise its objects are only counted. */
  readonly isWhole: boolean;
  readonly kind: Uint8Array;
  readonly name: Uint32Array;
  readonly id: Uint32Array;
  readonly size: Float64Array;
  /** The first reference of each object, and the end of the last one. */
  readonly first: Uint32Array;
  readonly edgeKind: Uint8Array;
  readonly label: Uint32Array;
  readonly target: Uint32Array;
  /** The objects by kind and name. Only for a heap whose references are not read. */
  readonly counted = new Map<number, Counted>();
  readNodes = 0;
  readEdges = 0;
  private readonly row: number[] = [];
  private readonly at: Readonly<Record<string, number>>;
  private column = 0;

  constructor(head: string, mostObjects = MAX_OBJECTS, mostReferences = MAX_REFERENCES) {
    this.layout = layoutOf(head);
    const { nodes, edges, nodeFields, edgeFields } = this.layout;
    this.isWhole = nodes <= mostObjects && edges <= mostReferences;
    const [nodeRoom, edgeRoom] = this.isWhole ? [nodes, edges] : [0, 0];
    this.kind = new Uint8Array(nodeRoom);
    this.name = new Uint32Array(nodeRoom);
    this.id = new Uint32Array(nodeRoom);
    this.size = new Float64Array(nodeRoom);
    this.first = new Uint32Array(nodeRoom + 1);
    this.edgeKind = new Uint8Array(edgeRoom);
    this.label = new Uint32Array(edgeRoom);
    this.target = new Uint32Array(edgeRoom);
    this.at = {
      kind: nodeFields.indexOf('type'),
      name: nodeFields.indexOf('name'),
      id: nodeFields.indexOf('id'),
      size: nodeFields.indexOf('self_size'),
      edges: nodeFields.indexOf('edge_count'),
      edgeKind: edgeFields.indexOf('type'),
      label: edgeFields.indexOf('name_or_index'),
      target: edgeFields.indexOf('to_node'),
    };
  }

  /** Whether all objects and references that the description names have been read. */
  get isComplete(): boolean {
    const { nodes, edges } = this.layout;
    return this.readNodes === nodes && (!this.isWhole || this.readEdges === edges);
  }

  nameOfKind(node: number): string {
    return this.layout.nodeKinds[this.kind[node] ?? 0] ?? '';
  }

  number(list: string, value: number): void {
    const isNode = list === 'nodes';
    if (!isNode && (list !== 'edges' || !this.isWhole)) return;
    this.row[this.column] = value;
    this.column += 1;
    if (this.column < (isNode ? this.layout.nodeFields : this.layout.edgeFields).length) return;
    this.column = 0;
    if (isNode) this.addNode();
    else this.addEdge();
  }

  private valueOf(field: string): number {
    return this.row[this.at[field] ?? 0] ?? 0;
  }

  private addNode(): void {
    const [kind, name, size] = [this.valueOf('kind'), this.valueOf('name'), this.valueOf('size')];
    const node = this.readNodes;
    this.readNodes += 1;
    if (!this.isWhole) {
      this.count(kind, name, size);
      return;
    }
    this.kind[node] = kind;
    this.name[node] = name;
    this.id[node] = this.valueOf('id');
    this.size[node] = size;
    this.first[node + 1] = (this.first[node] ?? 0) + this.valueOf('edges');
  }

  private addEdge(): void {
    const edge = this.readEdges;
    this.readEdges += 1;
    this.edgeKind[edge] = this.valueOf('edgeKind');
    this.label[edge] = this.valueOf('label');
    this.target[edge] = this.valueOf('target') / this.layout.nodeFields.length;
  }

  /** Strings have their text as name, so all of them are one kind. */
  private count(kind: number, name: number, size: number): void {
    const isNamed = NAMED.has(this.layout.nodeKinds[kind] ?? '');
    countIn(this.counted, kind, isNamed ? name : 0, size);
  }
}

/** The kinds of objects that are distinguished by their names. */
export const NAMED: ReadonlySet<string> = new Set(['object', 'native', 'closure']);

/** A number for a kind with a name. */
export function keyOf(kind: number, name: number): number {
  return name * 64 + kind;
}

/** Counts an object of a kind with a name. */
export function countIn(
  counted: Map<number, Counted>,
  kind: number,
  name: number,
  size: number,
): void {
  const key = keyOf(kind, name);
  const known = counted.get(key);
  if (known === undefined) counted.set(key, { kind, name, count: 1, bytes: size });
  else {
    known.count += 1;
    known.bytes += size;
  }
}
