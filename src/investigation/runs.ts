import type { CaptureRecord } from './record';
import type { Stream } from './events';

/** The end of a run, and the means by which it was executed. */
export interface RunEnd {
  readonly via: NonNullable<CaptureRecord['via']>;
  readonly endedBy: NonNullable<CaptureRecord['endedBy']>;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  /** A remark that a reader of the capture needs. */
  readonly note?: string | undefined;
}

/** A command line, as a person would type it into a terminal. */
export interface CommandLine {
  readonly text: string;
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Receives the output of a run. Resolves when more output is accepted. */
export type Sink = (stream: Stream, data: Uint8Array | string) => Promise<void>;

/** Runs a command line to its end. When `stop` is aborted, it ends the command and everything the command started. */
export interface CommandRunner {
  run(command: CommandLine, sink: Sink, stop: AbortSignal): Promise<RunEnd>;
}
