import type { ClientEntry } from './client';

/** A settings file is left as it is. The message is shown to the person, who can correct the file. */
export class UnusableSettings extends Error {
  /** The file, once it is known. */
  file: string | undefined;

  constructor(
    message: string,
    /** The place in the text, if it is known. */
    readonly offset?: number,
  ) {
    super(message);
  }
}

/** Where our entry is in a file. */
export interface EntryPlace {
  /** The object or table that holds one entry for each server. */
  readonly container: string;
  readonly name: string;
  /** What a new file holds besides. */
  readonly newFile?: ClientEntry;
}

/** Reads and edits our own entry in a person's settings. Each function throws `UnusableSettings` for a text that it cannot parse. */
export interface EntryFormat {
  /** The entry; undefined when there is none. */
  read(text: string, place: EntryPlace): unknown;
  /** Sets our entry and nothing else. What the person has added to it stays. */
  set(text: string, place: EntryPlace, entry: ClientEntry): string;
  /** Removes our entry and nothing else; undefined when there is none. `withContainer`: also the object that held it, if that is empty then. */
  remove(
    text: string,
    place: EntryPlace,
    how?: { readonly withContainer: boolean },
  ): string | undefined;
  /** Whether there is an object that holds servers. */
  hasContainer(text: string, place: EntryPlace): boolean;
  /** Everything but our entry: an edit must not change it. */
  others(text: string, place: EntryPlace): object;
}
