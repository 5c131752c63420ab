import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { adapterOf } from '../adapters/registry';
import type { DebugModel } from './debugModel';
import { fields, listOf, readMessage, textOf } from '../protocol';
import { rootOf, type DebugEvent, type SessionState } from './state';

/**
 * The channel on which Node publishes every child process that this process creates. Node "Diagnostics Channel",
 * `child_process`.
 */
const CHANNEL = 'child_process';

/**
 * The maximum number of processes that are remembered while a Node program is being started. Other extensions start
 * processes, too.
 */
const MAX_REMEMBERED = 100;

/** A child process of the extension host, and how it ended. */
interface Program {
  readonly process: ChildProcess;
  exit: { readonly code: number | undefined; readonly signal: string | undefined } | undefined;
}

/**
 * Reports how programs end that js-debug itself starts (`console: internalConsole`). js-debug reports the end only with
 * some settings, and never reports a signal. It runs in the same extension host, so its program is a child of this
 * process. If VS Code runs js-debug in another process, no program is found and nothing is reported.
 *
 * js-debug prints the command that it runs, and names child sessions after their process. A program is assigned to a
 * session only if one of these is unambiguous. The channel is subscribed to only while a Node session is live.
 */
export function reportProgramExits(model: DebugModel): { dispose(): void } {
  const programs = new Programs(model);
  model.observe(
    (event) => programs.observe(event),
    ['sessionCreated', 'output', 'sessionEnded', 'adapterExited'],
  );
  return { dispose: () => programs.dispose() };
}

/** The programs that the extension host has started, and their sessions. */
class Programs {
  /** The live root sessions with their programs. */
  private readonly sessions = new Map<string, Program | undefined>();
  private unclaimed: readonly Program[] = [];

  constructor(private readonly model: DebugModel) {}

  observe(event: DebugEvent): void {
    const session = this.model.state.sessions.get(event.key);
    if (event.type === 'sessionEnded' || event.type === 'adapterExited' || session === undefined)
      this.end(event.key);
    else if (event.type === 'sessionCreated' && event.knowledge === 'full') this.onCreated(session);
    else if (event.type === 'fromAdapter' && this.sessions.has(event.key)) {
      const command = commandIn(event.message);
      if (command !== undefined) this.claim(event.key, (process) => runs(process, command));
    }
  }

  dispose(): void {
    for (const key of [...this.sessions.keys()]) this.end(key);
  }

  private onCreated(session: SessionState): void {
    const root = rootOf(this.model.state, session);
    const pid = adapterOf(session.type).processIdOf?.(session.name);
    if (root === session && startsHere(session)) this.begin(session);
    else if (this.sessions.has(root.key) && this.sessions.get(root.key) === undefined)
      this.claim(root.key, (process) => pid !== undefined && process.pid === pid);
  }

  private begin(session: SessionState): void {
    if (this.sessions.size === 0) subscribe(CHANNEL, this.remember);
    this.sessions.set(session.key, undefined);
  }

  private end(key: string): void {
    if (!this.sessions.delete(key) || this.sessions.size > 0) return;
    unsubscribe(CHANNEL, this.remember);
    this.unclaimed = [];
  }

  private readonly remember = (message: unknown): void => {
    const process = childOf(message);
    if (process === undefined) return;
    const program: Program = { process, exit: undefined };
    this.unclaimed = [...this.unclaimed, program].slice(-MAX_REMEMBERED);
    process.once('exit', (code, signal) => {
      program.exit = { code: code ?? undefined, signal: signal ?? undefined };
      for (const [key, owned] of this.sessions) if (owned === program) this.report(key, program);
    });
  };

  /** Assigns a program to a session if exactly one program fits. */
  private claim(key: string, fits: (process: ChildProcess) => boolean): void {
    const [program, another] = this.unclaimed.filter((candidate) => fits(candidate.process));
    if (program === undefined || another !== undefined) return;
    this.unclaimed = this.unclaimed.filter((candidate) => candidate !== program);
    this.sessions.set(key, program);
    const pid = program.process.pid;
    this.model.dispatch({ type: 'programStarted', key, at: Date.now(), pid });
    this.report(key, program);
  }

  private report(key: string, { exit }: Program): void {
    if (exit === undefined) return;
    this.model.dispatch({ type: 'programExited', key, at: Date.now(), by: 'process', ...exit });
  }
}

function startsHere({ type, configuration, parentKey }: SessionState): boolean {
  const isLaunch = configuration['request'] === 'launch' && parentKey === undefined;
  return isLaunch && adapterOf(type).startsInExtensionHost === true;
}

/** The process in a message on the channel. It has no pid and no arguments yet. */
function childOf(message: unknown): ChildProcess | undefined {
  const { process } = fields(message);
  return process instanceof ChildProcess ? process : undefined;
}

/** The first thing that js-debug prints on the console: the program's file and arguments, separated by blanks. */
function commandIn(message: unknown): string | undefined {
  const read = readMessage(message);
  if (read?.type !== 'event' || read.body['category'] !== 'console') return undefined;
  return textOf(read.body['output'])?.replace(/\r?\n$/, '');
}

/** Whether a process runs a command. A shell gets the whole command as its last argument, on Windows in quotes. */
function runs(process: ChildProcess, command: string): boolean {
  // The value is undefined or empty if Node failed to start the process.
  const args = listOf(fields(process)['spawnargs']);
  if (args.length === 0) return false;
  const last = args.at(-1);
  return args.join(' ') === command || last === command || last === `"${command}"`;
}
