import type { RecordedValue } from '../../../recording/recordedRows';
import type { Hit } from './collector';
import type { Probe } from './probes';

/**
 * The cells of a row: the hit's number, its probe if there are several, its process, thread and caller if they differ,
 * its call if several were open at once, and its values.
 */
export type Row = readonly (string | number | null)[];

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** The thread of all hits, if it is the same for all. `caller` follows the same rule. */
  readonly thread?: string;
  readonly caller?: string;
  /** The number of rows that are omitted between the first and the last ones. */
  readonly omitted: number;
}

/** Returns the text of a value. The text of an error starts with `!`. Null means a name that does not exist. */
export function shownValue(value: RecordedValue): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : `!${value.error}`;
}

/**
 * Returns the table of hits in at most `room` characters of JSON. A shortened table keeps the first and the last rows.
 */
export function tableOf(hits: readonly Hit[], probes: readonly Probe[], room: number): Table {
  const threads = new Set(hits.map((hit) => hit.thread));
  const callers = new Set(hits.map((hit) => hit.caller ?? ''));
  const processes = new Set(hits.map((hit) => hit.process));
  const shape: Shape = {
    probe: probes.length > 1,
    process: processes.size > 1,
    call: areInterleaved(hits),
    thread: threads.size > 1,
    caller: callers.size > 1,
  };
  const [first] = hits;
  const shown = fitted(hits, (hit, most) => rowOf(hit, shape, most), room);
  return {
    columns: [
      'hit',
      ...(shape.probe ? ['probe'] : []),
      ...(shape.process ? ['process'] : []),
      ...(shape.thread ? ['thread'] : []),
      ...(shape.call ? ['call'] : []),
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

/**
 * Whether several calls of one function were open at once in one thread: a call was hit again after another one. Calls
 * of one function have the same first probe.
 */
function areInterleaved(hits: readonly Hit[]): boolean {
  const firstProbes = new Map<number, number>();
  const latest = new Map<string, number>();
  for (const { call, probe, process, thread } of hits) {
    if (call === undefined) continue;
    const first = firstProbes.get(call);
    const place = `${process ?? ''} ${thread} ${first ?? probe}`;
    if (first !== undefined && latest.get(place) !== call) return true;
    firstProbes.set(call, first ?? probe);
    latest.set(place, call);
  }
  return false;
}

interface Shape {
  readonly probe: boolean;
  readonly process: boolean;
  readonly thread: boolean;
  readonly call: boolean;
  readonly caller: boolean;
}

function rowOf(hit: Hit, shape: Shape, most: number): Row {
  return [
    hit.number,
    ...(shape.probe ? [hit.probe] : []),
    ...(shape.process ? [hit.process ?? null] : []),
    ...(shape.thread ? [hit.thread] : []),
    ...(shape.call ? [hit.call ?? null] : []),
    ...(shape.caller ? [hit.caller ?? null] : []),
    ...hit.values.map((value) => {
      const text = shownValue(value);
      return text === null || text.length <= most ? text : `${text.slice(0, most)}…`;
    }),
  ];
}

/**
 * The limits for the characters of a value, longest first. Many short rows are more informative than a few long ones.
 */
const LENGTHS = [300, 120, 60];
/** The fraction of the room for rows from the beginning. */
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

/** Returns as many rows from the beginning as fit. */
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
