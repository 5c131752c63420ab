import type { Subscription } from '../util/listeners';

/** Creates the folders for the files that recorders in programs write. */
export interface RecordingFiles {
  /** Creates a new private folder. */
  create(): Promise<RecordingFolder>;
}

export interface RecordingFolder {
  readonly path: string;
  /** Writes files, by their names. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Whether a file exists. */
  has(name: string): boolean;
  /** Registers a listener that is called when a recorder may have written to the folder. */
  onDidWrite(listener: () => void): Subscription;
  /**
   * Reads the complete lines that were written since the last call, in parts, between which other work can run. The
   * files are in the order in which they were created.
   */
  read(): AsyncIterable<WrittenLines>;
  /** Whether more was written than is read: all files of a recording share one budget. */
  readonly isCut: boolean;
  /** Removes the folder and its files. */
  dispose(): Promise<void>;
}

export interface WrittenLines {
  readonly file: string;
  readonly lines: readonly string[];
}
