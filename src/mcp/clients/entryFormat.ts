import type { ClientEntry } from './client';

/**
 * Thrown if a settings file cannot be edited and is left unchanged. The person sees the message and can correct the
 * file.
 */
export class UnusableSettings extends Error {
  /** The path of the file, once it is known. */
  file: string | undefined;

  constructor(
    message: string,
    /** The offset of the error in the text, if it is known. */
    readonly offset?: number,
  ) {
    super(message);
  }
}

/** The position of our entry in a file. */
export interface EntryPlace {
  /** The object or table with one entry per server. */
  readonly container: string;
  readonly name: string;
  /** Additional content of a new file. */
  readonly newFile?: ClientEntry;
}

/**
 * Reads and edits our entry in a person's settings. All functions throw `UnusableSettings` if they cannot parse the
 * text.
 */
export interface EntryFormat {
  /** The entry. Undefined if there is none. */
  read(text: string, place: EntryPlace): unknown;
  /** Sets our entry and nothing else. Properties that the person has added to it are kept. */
  set(text: string, place: EntryPlace, entry: ClientEntry): string;
  /**
   * Removes our entry. Undefined if there is none. `withContainer` also removes the surrounding object if it becomes
   * empty.
   */
  remove(
    text: string,
    place: EntryPlace,
    how?: { readonly withContainer: boolean },
  ): string | undefined;
  /** Whether there is an object with servers. */
  hasContainer(text: string, place: EntryPlace): boolean;
  /** The content of the file except our entry. An edit must not change it. */
  others(text: string, place: EntryPlace): object;
}
