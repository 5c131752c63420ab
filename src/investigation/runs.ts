import type { CaptureRecord } from './record';
import type { Stream } from './events';

/** How a run ended, and what ran it. */
export interface RunEnd {
  readonly via: NonNullable<CaptureRecord['via']>;
  readonly endedBy: NonNullable<CaptureRecord['endedBy']>;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  /** Something that a reader of the capture has to know. */
  readonly note?: string | undefined;
}

/** A command line, as a person would type it into a terminal. */
export interface CommandLine {
  readonly text: string;
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Takes what a run prints; resolves when more may come. */
export type Sink = (stream: Stream, data: Uint8Array | string) => Promise<void>;

/** Runs a command line to its end. When `stop` is aborted, it ends the command and what that has started. */
export interface CommandRunner {
  run(command: CommandLine, sink: Sink, stop: AbortSignal): Promise<RunEnd>;
}
