import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { adapterOf } from '../adapters/registry';
import type { DebugModel } from './debugModel';
import { fields, listOf, readMessage, textOf } from '../protocol';
import { rootOf, type DebugEvent, type SessionState } from './state';

/** Node publishes every child process that this process makes. Node "Diagnostics Channel", `child_process`. */
const CHANNEL = 'child_process';

/** Other extensions start processes, too: so many are remembered while a Node program is being started. */
const MOST_REMEMBERED = 100;

/** A child process of the extension host, and how it ended. */
interface Program {
  readonly process: ChildProcess;
  exit: { readonly code: number | undefined; readonly signal: string | undefined } | undefined;
}

/**
 * Reports how programs end that js-debug starts itself (`console: internalConsole`): it says so for some settings only,
 * and never for a signal. js-debug lives in the same extension host, so its program is a child of this process. Where
 * VS Code runs it in another one, no program is found and nothing is reported.
 *
 * js-debug prints the command that it runs, and names child sessions after their process; a program counts as a
 * session's only where one of these leaves no doubt. The extension host is listened to only while a Node session lives.
 */
export function reportProgramExits(model: DebugModel): { dispose(): void } {
  const programs = new Programs(model);
  model.observe(
    (event) => programs.observe(event),
    ['sessionCreated', 'output', 'sessionEnded', 'adapterExited'],
  );
  return { dispose: () => programs.dispose() };
}

/** The programs that the extension host has started, and the sessions that are theirs. */
class Programs {
  /** Root sessions that live, with the program that is theirs. */
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
    this.unclaimed = [...this.unclaimed, program].slice(-MOST_REMEMBERED);
    process.once('exit', (code, signal) => {
      program.exit = { code: code ?? undefined, signal: signal ?? undefined };
      for (const [key, owned] of this.sessions) if (owned === program) this.report(key, program);
    });
  };

  /** A session's program is the one that fits, where just one does. */
  private claim(key: string, fits: (process: ChildProcess) => boolean): void {
    const [program, another] = this.unclaimed.filter((each) => fits(each.process));
    if (program === undefined || another !== undefined) return;
    this.unclaimed = this.unclaimed.filter((each) => each !== program);
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

/** A process as Node publishes it: it has no pid and no arguments yet. */
function childOf(message: unknown): ChildProcess | undefined {
  const { process } = fields(message);
  return process instanceof ChildProcess ? process : undefined;
}

/** What js-debug prints on the console before all else: the program's file and arguments, with blanks between. */
function commandIn(message: unknown): string | undefined {
  const read = readMessage(message);
  if (read?.type !== 'event' || read.body['category'] !== 'console') return undefined;
  return textOf(read.body['output'])?.replace(/\r?\n$/, '');
}

/** A shell gets the whole command as its last argument, on Windows in quotes. */
function runs(process: ChildProcess, command: string): boolean {
  // Where Node refused to start it, it has none.
  const given = listOf(fields(process)['spawnargs']);
  const last = given.at(-1);
  return given.join(' ') === command || last === command || last === `"${command}"`;
}
