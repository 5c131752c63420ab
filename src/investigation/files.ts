/** One file of an investigation. */
export interface FileEntry {
  /** The path relative to the session's folder, with slashes. */
  readonly path: string;
  readonly size: number;
  readonly changedAt: number;
}

/** A file that grows while a run is captured. */
export interface GrowingFile {
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * The storage of investigations, with one folder for each. Paths have been checked (`paths.ts`). An implementation also
 * refuses links that lead out of the folder.
 */
export interface SessionFiles {
  /** The ids of all sessions. */
  sessions(): Promise<readonly string[]>;
  entries(sid: string): Promise<readonly FileEntry[]>;
  /** The first bytes of a file; undefined if there is no such file. */
  read(sid: string, path: string, mostBytes: number): Promise<Uint8Array | undefined>;
  /** Replaces a whole file. */
  write(sid: string, path: string, data: string | Uint8Array): Promise<void>;
  /** Opens a new file to append to. */
  grow(sid: string, path: string): Promise<GrowingFile>;
  /** The bytes of a file, piece by piece; empty if there is no such file. */
  pieces(sid: string, path: string): AsyncIterable<Uint8Array>;
  remove(sid: string): Promise<void>;
}
