import type { MessageKind } from './messages';

/** What a document shows of its records. */
export interface Filter {
  /** All where it is left out. */
  readonly sessions?: readonly string[] | undefined;
  readonly kinds?: readonly MessageKind[] | undefined;
  /** The number of the newest entries that are shown. */
  readonly limit: number;
}

/** How many entries a document shows at first, and how many more on request. */
export const ENTRIES_AT_FIRST = 200;

export const NEWEST: Filter = { limit: ENTRIES_AT_FIRST };

/** The newest records that the filter lets through, and how many older ones it would let through. */
export interface Shown<Item> {
  readonly records: readonly Item[];
  readonly older: number;
}

export function shownOf<Item>(
  records: readonly Item[],
  { sessions, kinds, limit }: Filter,
  sessionOf: (record: Item) => string,
  kindOf: (record: Item) => MessageKind | undefined = () => undefined,
): Shown<Item> {
  const passed = records.filter((each) => {
    const kind = kindOf(each);
    return (
      (sessions === undefined || sessions.includes(sessionOf(each))) &&
      (kinds === undefined || kind === undefined || kinds.includes(kind))
    );
  });
  const older = Math.max(0, passed.length - limit);
  return { records: passed.slice(older), older };
}

/** The same filter with more of the older entries. */
export function withOlder(filter: Filter): Filter {
  return { ...filter, limit: filter.limit + ENTRIES_AT_FIRST };
}
