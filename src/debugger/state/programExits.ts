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
  /** Root sessions that live, with the program that is theirs. */
  const sessions = new Map<string, Program | undefined>();
  let unclaimed: Program[] = [];

  const report = (key: string, { exit }: Program): void => {
    if (exit !== undefined)
      model.dispatch({ type: 'programExited', key, at: Date.now(), by: 'process', ...exit });
  };
  const remember = (message: unknown): void => {
    const process = childOf(message);
    if (process === undefined) return;
    const program: Program = { process, exit: undefined };
    unclaimed = [...unclaimed, program].slice(-MOST_REMEMBERED);
    process.once('exit', (code, signal) => {
      program.exit = { code: code ?? undefined, signal: signal ?? undefined };
      for (const [key, owned] of sessions) if (owned === program) report(key, program);
    });
  };
  const claim = (key: string, candidates: readonly Program[]): void => {
    const [program, another] = candidates;
    if (program === undefined || another !== undefined) return;
    unclaimed = unclaimed.filter((each) => each !== program);
    sessions.set(key, program);
    model.dispatch({ type: 'programStarted', key, at: Date.now(), pid: program.process.pid });
    report(key, program);
  };
  const begin = (session: SessionState): void => {
    if (sessions.size === 0) subscribe(CHANNEL, remember);
    sessions.set(session.key, undefined);
  };
  const end = (key: string): void => {
    if (!sessions.delete(key) || sessions.size > 0) return;
    unsubscribe(CHANNEL, remember);
    unclaimed = [];
  };

  model.observe(
    (event: DebugEvent) => {
      const session = model.state.sessions.get(event.key);
      if (
        event.type === 'sessionEnded' ||
        event.type === 'adapterExited' ||
        session === undefined
      ) {
        end(event.key);
      } else if (event.type === 'sessionCreated' && event.knowledge === 'full') {
        const root = rootOf(model.state, session);
        const pid = adapterOf(session.type).processIdOf?.(session.name);
        if (root === session && startsHere(session)) begin(session);
        else if (sessions.has(root.key) && sessions.get(root.key) === undefined)
          claim(
            root.key,
            unclaimed.filter((each) => pid !== undefined && each.process.pid === pid),
          );
      } else if (event.type === 'fromAdapter' && sessions.has(event.key)) {
        const command = commandIn(event.message);
        if (command !== undefined)
          claim(
            event.key,
            unclaimed.filter((each) => runs(each.process, command)),
          );
      }
    },
    ['sessionCreated', 'output', 'sessionEnded', 'adapterExited'],
  );

  return { dispose: () => [...sessions.keys()].forEach(end) };
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
