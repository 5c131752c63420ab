import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { randomUUID } from 'node:crypto';
import { unlessAborted } from '../util/unlessAborted';
import { leftNote, StartedProcesses, type ProcessTable } from './startedProcesses';
import type { CommandLine, CommandRunner, RunEnd, Sink } from './runs';

/** The time that a command may take to end after the signal, in milliseconds. */
export const GRACE_MS = 2000;

const OPEN =
  'A process that the command started still kept its output open after the command had ended.';

/**
 * Runs a command line as a child process in its own process group, without a terminal and without input. Its output is
 * read as fast as it is written to the disk, so a faster program waits. At the end of the run, everything that it
 * started is ended.
 */
export class ChildProcessRunner implements CommandRunner {
  constructor(
    private readonly table: ProcessTable,
    private readonly graceMs = GRACE_MS,
  ) {}

  async run(command: CommandLine, sink: Sink, stop: AbortSignal): Promise<RunEnd> {
    if (stop.aborted)
      return {
        via: 'child_process',
        endedBy: 'stopped',
        note: 'It was stopped before it started. The command was not run.',
      };
    const started = new StartedProcesses(this.table, randomUUID(), this.graceMs);
    const child = spawn(command.text, {
      cwd: command.cwd,
      env: { ...command.env, ...started.environment },
      shell: true,
      // With its own group, the processes that the command starts are ended together with it.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const reading = Promise.all([
      drain(child.stdout, (data) => sink('stdout', data)),
      drain(child.stderr, (data) => sink('stderr', data)),
    ]);
    const kill = (): void => {
      started.interrupt(child.pid);
      this.end(child);
    };
    stop.addEventListener('abort', kill, { once: true });
    try {
      const end = await exitOf(child);
      const isOver = await this.within(reading, child, stop);
      const left = leftNote(await started.end(child.pid));
      const notes = [end.note, isOver ? undefined : OPEN, left].filter(
        (note) => note !== undefined,
      );
      return notes.length === 0 ? end : { ...end, note: notes.join(' ') };
    } finally {
      stop.removeEventListener('abort', kill);
    }
  }

  /** Sends SIGTERM to the whole group, and SIGKILL to the processes that have not ended in time. */
  private end(child: ChildProcess): void {
    signalGroup(child, 'SIGTERM');
    const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), this.graceMs);
    child.once('close', () => clearTimeout(timer));
  }

  /** Waits for the end of the output, which a background process may keep open. @returns whether the output ended */
  private async within(
    reading: Promise<unknown>,
    child: ChildProcess,
    stop: AbortSignal,
  ): Promise<boolean> {
    const late = AbortSignal.timeout(this.graceMs);
    const isOver = await unlessAborted(
      reading.then(() => true),
      late,
      () => false,
    );
    if (isOver) return true;
    if (stop.aborted) signalGroup(child, 'SIGKILL');
    child.stdout?.destroy();
    child.stderr?.destroy();
    await reading;
    return false;
  }
}

async function drain(stream: Readable, use: (data: Uint8Array) => Promise<void>): Promise<void> {
  try {
    for await (const data of stream) if (data instanceof Uint8Array) await use(data);
  } catch {
    // The stream was destroyed because its process did not end.
  }
}

async function exitOf(child: ChildProcess): Promise<RunEnd> {
  return await new Promise((resolve) => {
    child.once('error', (error) =>
      resolve({ via: 'child_process', endedBy: 'failed', note: error.message }),
    );
    child.once('exit', (code, signal) =>
      resolve({
        via: 'child_process',
        endedBy: signal === null ? 'exit' : 'signal',
        exitCode: code ?? undefined,
        signal: signal ?? undefined,
      }),
    );
  });
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    if (process.platform === 'win32')
      spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { windowsHide: true });
    else process.kill(-pid, signal);
  } catch {
    // The process has ended in the meantime.
  }
}
