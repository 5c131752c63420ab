import { unlessAborted } from '../util/unlessAborted';
import type { CommandLine, CommandRunner, RunEnd, Sink } from './runs';

/** A new terminal. */
export interface OpenTerminal {
  /** Resolves when its shell takes command lines: it has shell integration. May never. */
  readonly ready: Promise<void>;
  /** Resolves when it is closed, by whomever. */
  readonly closed: Promise<void>;
  /** Types a command line into its shell, which is ready. */
  execute(text: string): TerminalExecution;
  dispose(): void;
}

export interface TerminalExecution {
  readonly output: AsyncIterable<string>;
  /** The exit code, where the shell tells one. */
  readonly ended: Promise<number | undefined>;
}

export interface TerminalLimits {
  /** How long a new terminal's shell is waited for, until it says that it has shell integration. */
  readonly shellMs: number;
  /** How long nothing may come of what a command has printed when its exit code is known. */
  readonly idleMs: number;
  /** How long that end is read in all: something that the command left behind may print on. */
  readonly restMs: number;
}

const LIMITS: TerminalLimits = { shellMs: 8000, idleMs: 2000, restMs: 60_000 };

/**
 * Runs a command line in a terminal of VS Code's, which is a real pseudo-terminal, where the person's shell has shell
 * integration; else as a child process.
 */
export class TerminalRunner implements CommandRunner {
  constructor(
    private readonly otherwise: CommandRunner,
    private readonly wantsTerminal: () => boolean,
    private readonly open: (command: CommandLine) => OpenTerminal,
    private readonly limits: TerminalLimits = LIMITS,
  ) {}

  async run(command: CommandLine, sink: Sink, stop: AbortSignal): Promise<RunEnd> {
    if (stop.aborted || !this.wantsTerminal()) return await this.otherwise.run(command, sink, stop);
    const terminal = this.open(command);
    try {
      const state = await this.readiness(terminal, stop);
      if (state === 'stopped') return notRun('It was stopped before its terminal was ready.');
      if (state === 'closed') return notRun('Its terminal was closed before it was ready.');
      if (state === 'ready') return await this.runIn(terminal, command.text, sink, stop);
      terminal.dispose();
      return await this.otherwise.run(command, sink, stop);
    } finally {
      terminal.dispose();
    }
  }

  private async readiness(
    { ready, closed }: OpenTerminal,
    stop: AbortSignal,
  ): Promise<'ready' | 'closed' | 'stopped' | 'late'> {
    const late = AbortSignal.timeout(this.limits.shellMs);
    const first = Promise.race([
      closed.then(() => 'closed' as const),
      ready.then(() => 'ready' as const),
    ]);
    return await unlessAborted(first, AbortSignal.any([stop, late]), () =>
      stop.aborted ? ('stopped' as const) : ('late' as const),
    );
  }

  private async runIn(
    terminal: OpenTerminal,
    text: string,
    sink: Sink,
    stop: AbortSignal,
  ): Promise<RunEnd> {
    const execution = terminal.execute(text);
    const reading = new Reading(execution.output, sink);
    const first = Promise.race([execution.ended.then(exitOf), terminal.closed.then(() => CLOSED)]);
    const end = await unlessAborted(first, stop, () => CLOSED);
    // What still runs in a terminal ends with it.
    if (stop.aborted) terminal.dispose();
    const isWhole = await reading.rest(this.limits);
    return isWhole || end === CLOSED ? end : { ...end, note: OPEN };
  }
}

const CLOSED: RunEnd = { via: 'terminal', endedBy: 'stopped', note: 'The terminal was closed.' };

const OPEN =
  'VS Code has not said that the output in the terminal is complete; what came after a pause, or very late, is not in the capture.';

function notRun(why: string): RunEnd {
  return { via: 'terminal', endedBy: 'stopped', note: `${why} The command was not run.` };
}

/** Reads what a command prints in a terminal. Never rejects: the capture itself is told of a failure to write. */
class Reading {
  private readonly over: Promise<true>;
  /** Told when a piece has come, and when it is written. */
  private onPiece: () => void = () => undefined;
  private isWriting = false;

  constructor(output: AsyncIterable<string>, sink: Sink) {
    const read = async (): Promise<void> => {
      for await (const data of output) {
        this.tell(true);
        await sink('terminal', data);
        this.tell(false);
      }
    };
    this.over = read().then(
      () => true,
      () => true,
    );
  }

  /** Waits for the end of the output as long as something comes. @returns whether it has ended */
  async rest({ idleMs, restMs }: TerminalLimits): Promise<boolean> {
    const idle = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    this.onPiece = () => {
      clearTimeout(timer);
      // A slow disk is no pause of the terminal's.
      timer = this.isWriting ? undefined : setTimeout(() => idle.abort(), idleMs);
    };
    this.onPiece();
    try {
      const limit = AbortSignal.any([idle.signal, AbortSignal.timeout(restMs)]);
      return await unlessAborted(this.over, limit, () => false);
    } finally {
      clearTimeout(timer);
      this.onPiece = () => undefined;
    }
  }

  private tell(isWriting: boolean): void {
    this.isWriting = isWriting;
    this.onPiece();
  }
}

/** Shells tell a signal as 128 and its number. */
function exitOf(exitCode: number | undefined): RunEnd {
  const signal = exitCode === undefined ? undefined : SIGNALS[exitCode - 128];
  return signal === undefined
    ? { via: 'terminal', endedBy: 'exit', exitCode }
    : { via: 'terminal', endedBy: 'signal', exitCode, signal };
}

const SIGNALS: Readonly<Record<number, string>> = {
  2: 'SIGINT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  15: 'SIGTERM',
};
