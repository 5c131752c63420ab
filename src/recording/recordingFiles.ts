import type { Subscription } from '../util/listeners';

/** A port: where recorders in programs write, and how that is read. */
export interface RecordingFiles {
  /** A new private folder. */
  create(): Promise<RecordingFolder>;
}

export interface RecordingFolder {
  readonly path: string;
  /** Adds files by their names. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Something may have been written. */
  onDidWrite(listener: () => void): Subscription;
  /** The whole lines that were written since the last call, in files of the order in which they were begun. */
  read(): Promise<readonly WrittenLines[]>;
  /** Removes the folder and all in it. */
  dispose(): Promise<void>;
}

export interface WrittenLines {
  readonly file: string;
  readonly lines: readonly string[];
}
