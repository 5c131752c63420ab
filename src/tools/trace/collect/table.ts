import type { RecordedValue } from '../../../recording/recordedRows';
import type { Hit } from './collector';
import type { Probe } from './probes';

export type Keep = 'all' | 'changes' | 'first' | 'last';

/** A row: the hit's number, its probe where there are several, thread and caller where they differ, and its values. */
export type Row = readonly (string | number | null)[];

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** The thread, the caller, of all hits, where it is one. */
  readonly thread?: string;
  readonly caller?: string;
  /** How many rows between the first and the last ones are left out. */
  readonly omitted: number;
}

/** An error is told from text by its beginning; null is a name that there is not. */
export function shownValue(value: RecordedValue): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : `!${value.error}`;
}

/** The hits that a caller wants to see. */
export function keptHits(hits: readonly Hit[], keep: Keep): readonly Hit[] {
  if (keep === 'all') return hits;
  if (keep === 'first') return hits.filter((each) => each.number === 1);
  const last = new Map<number, Hit>();
  const changed: Hit[] = [];
  for (const hit of hits) {
    const before = last.get(hit.probe);
    if (before === undefined || !hasSameValues(before, hit)) changed.push(hit);
    last.set(hit.probe, hit);
  }
  if (keep === 'changes') return changed;
  const lasts = new Set(last.values());
  return hits.filter((each) => lasts.has(each));
}

/** The table of hits in at most so many characters of JSON: the first and the last ones stay. */
export function tableOf(hits: readonly Hit[], probes: readonly Probe[], room: number): Table {
  const threads = new Set(hits.map((each) => each.thread));
  const callers = new Set(hits.map((each) => each.caller ?? ''));
  const shape: Shape = {
    probe: probes.length > 1,
    thread: threads.size > 1,
    caller: callers.size > 1,
  };
  const [first] = hits;
  const shown = fitted(hits, (hit, most) => rowOf(hit, shape, most), room);
  return {
    columns: [
      'hit',
      ...(shape.probe ? ['probe'] : []),
      ...(shape.thread ? ['thread'] : []),
      ...(shape.caller ? ['caller'] : []),
      ...(shape.probe ? ['values…'] : (probes[0]?.expressions ?? [])),
    ],
    ...shown,
    ...(!shape.thread && first !== undefined && first.thread !== ''
      ? { thread: first.thread }
      : {}),
    ...(!shape.caller && first?.caller !== undefined ? { caller: first.caller } : {}),
  };
}

interface Shape {
  readonly probe: boolean;
  readonly thread: boolean;
  readonly caller: boolean;
}

function rowOf(hit: Hit, shape: Shape, most: number): Row {
  return [
    hit.number,
    ...(shape.probe ? [hit.probe] : []),
    ...(shape.thread ? [hit.thread] : []),
    ...(shape.caller ? [hit.caller ?? null] : []),
    ...hit.values.map((each) => {
      const text = shownValue(each);
      return text === null || text.length <= most ? text : `${text.slice(0, most)}…`;
    }),
  ];
}

/** How long values may be, the longest first: many short rows tell more than few long ones. */
const LENGTHS = [300, 120, 60];
/** The part of the rows that comes from the beginning. */
const PART_OF_FIRST = 0.6;

function fitted(
  hits: readonly Hit[],
  row: (hit: Hit, most: number) => Row,
  room: number,
): Pick<Table, 'rows' | 'omitted'> {
  for (const most of LENGTHS) {
    const rows = upTo(hits, (hit) => row(hit, most), room);
    if (rows.length === hits.length) return { rows, omitted: 0 };
  }
  const most = LENGTHS.at(-1) ?? 0;
  const first = upTo(hits, (hit) => row(hit, most), room * PART_OF_FIRST);
  const left = hits.slice(first.length);
  const last = upTo([...left].reverse(), (hit) => row(hit, most), room * (1 - PART_OF_FIRST));
  return { rows: [...first, ...last.reverse()], omitted: left.length - last.length };
}

/** As many rows from the beginning as fit. */
function upTo(hits: readonly Hit[], row: (hit: Hit) => Row, room: number): Row[] {
  const rows: Row[] = [];
  let size = 0;
  for (const hit of hits) {
    const made = row(hit);
    size += JSON.stringify(made).length + 1;
    if (size > room) break;
    rows.push(made);
  }
  return rows;
}

function hasSameValues(one: Hit, other: Hit): boolean {
  return one.values.every((each, index) => shownValue(each) === shownValue(other.values[index]));
}
