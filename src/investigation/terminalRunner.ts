import { randomUUID } from 'node:crypto';
import { unlessAborted } from '../util/unlessAborted';
import { CleanCommand } from './cleanCommand';
import { GRACE_MS } from './childProcess';
import { leftNote, StartedProcesses, type ProcessTable } from './startedProcesses';
import type { CommandLine, CommandRunner, RunEnd, Sink } from './runs';
import { timeLimit } from '../util/timeLimit';

/** A new terminal. */
export interface OpenTerminal {
  /** Resolves when the process of its shell exists. The first terminal of a window may take seconds on a busy machine. */
  readonly started: Promise<void>;
  /** Resolves when the terminal's shell accepts command lines through shell integration. It may never resolve. */
  readonly ready: Promise<void>;
  /** Resolves when the terminal is closed, regardless of who closes it. */
  readonly closed: Promise<void>;
  /** The kind of its shell (`bash`); undefined if VS Code does not know it. Known when it is ready. */
  readonly shell: string | undefined;
  /** Whether VS Code adds shell integration to its shell. It does not do so for every shell and every profile. */
  readonly isIntegrated: boolean;
  /** Types a command line into its shell, which must be ready. */
  execute(text: string): TerminalExecution;
  dispose(): void;
}

export interface TerminalExecution {
  readonly output: AsyncIterable<string>;
  /** The exit code, if the shell reports one. */
  readonly ended: Promise<number | undefined>;
}

export interface TerminalLimits {
  /** The time to wait until VS Code has started the shell of a new terminal. */
  readonly startMs: number;
  /** The time to wait until the shell, once started, reports shell integration. */
  readonly shellMs: number;
  /** The same time for a shell that VS Code integrates. The start files of a person may take seconds. */
  readonly integratedMs: number;
  /** The maximum pause of the output after the exit code is reported. */
  readonly idleMs: number;
  /**
   * The total time for which the output is read after the exit code is reported, because a background process may
   * continue to print.
   */
  readonly restMs: number;
}

const LIMITS: TerminalLimits = {
  startMs: 30_000,
  shellMs: 8000,
  integratedMs: 30_000,
  idleMs: 2000,
  restMs: 60_000,
};

/**
 * Runs a command line in a VS Code terminal, which is a real pseudo-terminal, if the person's shell has shell
 * integration. Otherwise it runs a child process.
 *
 * A terminal has more variables than it was given: in a remote window, VS Code adds the environment of its server, and
 * the start files of a shell set others. So the command begins with an empty environment (`env -i`). A shell in which
 * that is not possible is not used.
 */
export class TerminalRunner implements CommandRunner {
  /** Whether a shell that VS Code integrates has not reported it, so that the next one is not awaited as long. */
  private wasLate = false;

  constructor(
    private readonly otherwise: CommandRunner,
    private readonly wantsTerminal: () => boolean,
    private readonly open: (command: CommandLine) => OpenTerminal,
    private readonly table: ProcessTable,
    private readonly limits: TerminalLimits = LIMITS,
  ) {}

  async run(command: CommandLine, sink: Sink, stop: AbortSignal): Promise<RunEnd> {
    if (stop.aborted || !this.wantsTerminal()) return await this.otherwise.run(command, sink, stop);
    const started = new StartedProcesses(this.table, randomUUID(), GRACE_MS);
    const env = { ...TERMINAL, ...command.env, ...started.environment };
    const clean = new CleanCommand({ ...command, env });
    const terminal = this.open({ ...command, env: { ...command.env, ...clean.variables } });
    try {
      const state = await this.readiness(terminal, stop);
      if (state === 'stopped') return notRun('It was stopped before its terminal was ready.');
      if (state === 'closed') return notRun('Its terminal was closed before it was ready.');
      this.wasLate = state === 'late';
      if (state === 'ready') {
        const line = clean.lineFor(terminal.shell);
        if (line !== undefined) return await this.runIn(terminal, line, started, sink, stop);
      }
      terminal.dispose();
      return await this.otherwise.run(command, sink, stop);
    } finally {
      terminal.dispose();
    }
  }

  private async readiness(
    { started, ready, closed, isIntegrated }: OpenTerminal,
    stop: AbortSignal,
  ): Promise<'ready' | 'closed' | 'stopped' | 'late'> {
    const { startMs, integratedMs } = this.limits;
    const shellMs = isIntegrated && !this.wasLate ? integratedMs : this.limits.shellMs;
    const end = Promise.race([
      closed.then(() => 'closed' as const),
      ready.then(() => 'ready' as const),
    ]);
    const within = async <T>(first: Promise<T>, ms: number): Promise<T | 'stopped' | 'late'> =>
      await unlessAborted(first, AbortSignal.any([stop, timeLimit(ms)]), () =>
        stop.aborted ? ('stopped' as const) : ('late' as const),
      );
    const begun = await within(
      Promise.race([end, started.then(() => 'started' as const)]),
      startMs,
    );
    return begun === 'started' ? await within(end, shellMs) : begun;
  }

  private async runIn(
    terminal: OpenTerminal,
    text: string,
    started: StartedProcesses,
    sink: Sink,
    stop: AbortSignal,
  ): Promise<RunEnd> {
    const execution = terminal.execute(text);
    const reading = new Reading(execution.output, sink);
    const first = Promise.race([execution.ended.then(exitOf), terminal.closed.then(() => CLOSED)]);
    const end = await unlessAborted(first, stop, () => CLOSED);
    // A command that still runs in the terminal ends with it.
    if (stop.aborted) {
      started.interrupt();
      terminal.dispose();
    }
    const isWhole = await reading.rest(this.limits);
    const left = leftNote(await started.end());
    const open = isWhole || end === CLOSED ? undefined : OPEN;
    const notes = [end.note, open, left].filter((note) => note !== undefined);
    return notes.length === 0 ? end : { ...end, note: notes.join(' ') };
  }
}

/** What a program in a terminal of VS Code needs to know about it. */
const TERMINAL = { TERM: 'xterm-256color', COLORTERM: 'truecolor' };

const CLOSED: RunEnd = { via: 'terminal', endedBy: 'stopped', note: 'The terminal was closed.' };

const OPEN =
  'VS Code has not confirmed that the output of the terminal is complete. Late output may be missing in the capture.';

function notRun(why: string): RunEnd {
  return { via: 'terminal', endedBy: 'stopped', note: `${why} The command was not run.` };
}

/**
 * Reads the output of a command in a terminal. It never rejects, because a failed write is reported to the capture
 * itself.
 */
class Reading {
  private readonly over: Promise<true>;
  /** Called when a piece arrives, and when it is written. */
  private onPiece: () => void = () => undefined;
  private isWriting = false;

  constructor(output: AsyncIterable<string>, sink: Sink) {
    const read = async (): Promise<void> => {
      for await (const data of output) {
        this.setWriting(true);
        await sink('terminal', data);
        this.setWriting(false);
      }
    };
    this.over = read().then(
      () => true,
      () => true,
    );
  }

  /** Waits for the end of the output as long as output arrives. @returns whether the output ended */
  async rest({ idleMs, restMs }: TerminalLimits): Promise<boolean> {
    const idle = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    this.onPiece = () => {
      clearTimeout(timer);
      // The time for writing to a slow disk does not count as a pause.
      timer = this.isWriting ? undefined : setTimeout(() => idle.abort(), idleMs);
    };
    this.onPiece();
    try {
      const limit = AbortSignal.any([idle.signal, timeLimit(restMs)]);
      return await unlessAborted(this.over, limit, () => false);
    } finally {
      clearTimeout(timer);
      this.onPiece = () => undefined;
    }
  }

  private setWriting(isWriting: boolean): void {
    this.isWriting = isWriting;
    this.onPiece();
  }
}

/** The end of a run with this exit code. Shells report a signal as 128 plus its number. */
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
