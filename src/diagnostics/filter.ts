import type { MessageKind } from './messages';

/** The filter that selects the records of a document. */
export interface Filter {
  /** The selected sessions. If undefined, all sessions are selected. */
  readonly sessions?: readonly string[] | undefined;
  readonly kinds?: readonly MessageKind[] | undefined;
  /** The maximum number of entries that are shown, newest entries first. */
  readonly limit: number;
}

/** The number of entries that a document shows at first, and the number of entries that each request adds. */
export const ENTRIES_AT_FIRST = 200;

export const NEWEST: Filter = { limit: ENTRIES_AT_FIRST };

/** The newest records that match the filter, and the number of older records that match it. */
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
  const passed = records.filter((record) => {
    const kind = kindOf(record);
    return (
      (sessions === undefined || sessions.includes(sessionOf(record))) &&
      (kinds === undefined || kind === undefined || kinds.includes(kind))
    );
  });
  const older = Math.max(0, passed.length - limit);
  return { records: passed.slice(older), older };
}

/** Returns the filter with a higher limit, so that more older entries are shown. */
export function withOlder(filter: Filter): Filter {
  return { ...filter, limit: filter.limit + ENTRIES_AT_FIRST };
}
