import type { Entry } from './client';

/** Where our entry stands in a file. */
export interface EntryPlace {
  /** The object or table that holds one entry for each server. */
  readonly container: string;
  readonly name: string;
  /** What a new file holds besides. */
  readonly newFile?: Entry;
}

/** Reads and edits our own entry in a person's settings; each throws `UnusableSettings` for what it does not understand. */
export interface EntryFormat {
  /** The entry that is there; undefined when none is. */
  read(text: string, place: EntryPlace): unknown;
  /** Sets our entry, and nothing else. What the person added to it stays. */
  set(text: string, place: EntryPlace, entry: Entry): string;
  /** Takes our entry away, and nothing else; undefined when none is there. With the object that held it where that was ours and nothing is left in it. */
  remove(
    text: string,
    place: EntryPlace,
    how?: { readonly withContainer: boolean },
  ): string | undefined;
  /** Whether the object that holds servers is there. */
  hasContainer(text: string, place: EntryPlace): boolean;
  /** Everything but our entry, to tell whether an edit has touched something else. */
  others(text: string, place: EntryPlace): object;
}
