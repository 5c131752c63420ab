/** The number and the size of the objects of a type. */
export interface TypeSize {
  readonly count: number;
  readonly bytes: number;
}

export type Types = ReadonlyMap<string, TypeSize>;

/** What a heap held at one moment. */
export interface HeapSummary {
  /** The key of the session whose program it is. */
  readonly session: string;
  /** Whether only what the program holds was counted, not what the debugger holds, nor garbage. */
  readonly isWhole: boolean;
  readonly types: Types;
  /** What tells new objects from earlier ones: V8's last id, or the folder of the file with Python's ids. */
  readonly mark: { readonly lastId: number } | { readonly folder: string };
}

export interface Difference {
  readonly type: string;
  readonly count_before: number;
  readonly count: number;
  readonly bytes_before: number;
  readonly bytes: number;
}

/** The types that have more bytes than before (or more objects), and those that have less; largest differences first. */
export function compareTypes(
  before: Types,
  now: Types,
): { readonly grown: readonly Difference[]; readonly shrunk: readonly Difference[] } {
  const none = { count: 0, bytes: 0 };
  const all = [...new Set([...before.keys(), ...now.keys()])].map((type) => {
    const [first, second] = [before.get(type) ?? none, now.get(type) ?? none];
    return {
      type,
      count_before: first.count,
      count: second.count,
      bytes_before: first.bytes,
      bytes: second.bytes,
    };
  });
  const bytes = (each: Difference): number => each.bytes - each.bytes_before;
  const count = (each: Difference): number => each.count - each.count_before;
  const bySize = (one: Difference, other: Difference): number =>
    Math.abs(bytes(other)) - Math.abs(bytes(one)) || Math.abs(count(other)) - Math.abs(count(one));
  const growth = (each: Difference): number => bytes(each) || count(each);
  return {
    grown: all.filter((each) => growth(each) > 0).sort(bySize),
    shrunk: all.filter((each) => growth(each) < 0).sort(bySize),
  };
}

/** The types with the most bytes. */
export function largestTypes(types: Types, most: number): readonly ({ type: string } & TypeSize)[] {
  return [...types]
    .map(([type, size]) => ({ type, ...size }))
    .sort((one, other) => other.bytes - one.bytes)
    .slice(0, most);
}

export function totalOf(types: Types): TypeSize {
  let [count, bytes] = [0, 0];
  for (const each of types.values()) {
    count += each.count;
    bytes += each.bytes;
  }
  return { count, bytes };
}

/** The maximum number of summaries that are kept. */
const MAX_HEAPS = 10;

/** The summaries of this window. The oldest one is dropped to make room for a new one. */
export class Heaps {
  private readonly kept = new Map<string, HeapSummary>();
  private last = 0;

  /** Adds a summary. Returns its id, and what was dropped. */
  add(summary: HeapSummary): { readonly id: string; readonly dropped: readonly HeapSummary[] } {
    this.last += 1;
    const id = `h${this.last}`;
    this.kept.set(id, summary);
    const [oldest] = this.kept;
    if (this.kept.size <= MAX_HEAPS || oldest === undefined) return { id, dropped: [] };
    this.kept.delete(oldest[0]);
    return { id, dropped: [oldest[1]] };
  }

  get(id: string): HeapSummary | undefined {
    return this.kept.get(id);
  }

  /** The ids of the summaries of a session, oldest first. */
  idsOf(session: string): readonly string[] {
    return [...this.kept].filter(([, each]) => each.session === session).map(([id]) => id);
  }
}

/** A number with the entries that were left out of a list, or nothing. */
export function leftOut(all: number, shown: number): number | undefined {
  return all > shown ? all - shown : undefined;
}
