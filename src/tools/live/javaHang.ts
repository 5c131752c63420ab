import path from 'node:path';
import { adapterOf } from '../../debugger/adapters/registry';
import type { Frame } from '../../debugger/inspection/stackAndVariables';
import { wholeOf } from '../../debugger/protocol';
import { Interrupted } from '../../debugger/requests';
import type { SessionState } from '../../debugger/state/state';
import { unlessAborted } from '../../util/unlessAborted';
import type { Call, ToolServices } from '../services';
import { aboutThreads } from './aboutThreads';
import { groupsOf, MOST, withoutEmpty, type HangReport } from './hangReport';
import { threadsOfDump, type JavaFrame, type JavaThread } from './javaDump';
import { waitByNames } from './waitByNames';
import type { WaitFacts } from './waitFacts';
import { deadlocksOf, namedThreads, type ReadThread } from './waitingThreads';

/** The maximum number of files that are looked for. */
const MAX_FILES = 40;

/** The number of frames of each thread whose files are looked for. */
const NEAR = 12;

/**
 * Explains what a Java program waits for, by the list of its threads and locks that the JDK writes. The program need not
 * be paused for that, and runs no other code.
 * @returns undefined if the JDK cannot be asked
 */
export async function explainJava(
  services: ToolServices,
  session: SessionState,
  call: Call,
): Promise<HangReport | undefined> {
  const { virtualMachine } = adapterOf(session.type);
  const id = await processOf(services, session, call);
  if (virtualMachine === undefined || id === undefined) return undefined;
  const isStopped = services.model.state.sessions.get(session.key)?.lifecycle === 'stopped';
  const java = virtualMachine.java(session.configuration);
  const asked = services.threadDumps.ofJava(id, { java, isStopped });
  const dump = await unlessAborted(asked, call.signal, () => undefined);
  if (call.signal.aborted) throw new Interrupted();
  const all = threadsOfDump(dump ?? '');
  if (all.length === 0) return undefined;
  const own = all.filter((each) => !isOfMachine(each));
  return reportOf(own, all.length, await filesOf(services, own), hasVirtual(all));
}

/** The process, if it runs on this machine. */
async function processOf(
  { inspector }: ToolServices,
  session: SessionState,
  call: Call,
): Promise<number | undefined> {
  const request = adapterOf(session.type).virtualMachine?.processRequest;
  const { request: way, processId } = session.configuration;
  const body =
    way !== 'launch' || request === undefined
      ? { processId: Number(processId) }
      : await inspector.send(session, request, {}, call.signal).catch((error: unknown) => {
          if (call.signal.aborted) throw error;
          return undefined;
        });
  const id = wholeOf(body?.['processId']);
  return id === undefined || id <= 0 ? undefined : id;
}

function reportOf(
  own: readonly JavaThread[],
  all: number,
  files: ReadonlyMap<string, string>,
  hasMore: boolean,
): HangReport {
  const owners = ownersOf(own);
  const read = own.map((each) => readThread(each, owners, files));
  const threads = namedThreads(read, own);
  const groups = groupsOf(threads);
  return withoutEmpty({
    groups: groups.slice(0, MOST.groups),
    deadlock: deadlocksOf(threads),
    unknown: [
      ...aboutThreads(threads, false),
      ...(hasMore ? ['Virtual threads are not listed; only those that carry them are.'] : []),
    ],
    total: { threads: all, groups: groups.length, of_the_runtime: all - own.length },
  });
}

/** Which thread has an object's monitor or lock. None if the list names several. */
function ownersOf(threads: readonly JavaThread[]): ReadonlyMap<string, number | undefined> {
  const owners = new Map<string, number | undefined>();
  for (const { id, has } of threads)
    for (const address of has) owners.set(address, owners.has(address) ? undefined : id);
  return owners;
}

function readThread(
  thread: JavaThread,
  owners: ReadonlyMap<string, number | undefined>,
  files: ReadonlyMap<string, string>,
): ReadThread {
  const frames = thread.frames.map((each) => shown(each, files));
  const facts = factsOf(thread, waitByNames(frames).kind, owners);
  return { id: thread.id, name: thread.name, frames, more: 0, facts };
}

/** What the list tells of a wait, beyond the names of the functions. */
function factsOf(
  { state, waits, frames }: JavaThread,
  byNames: string,
  owners: ReadonlyMap<string, number | undefined>,
): WaitFacts {
  const limited = state === 'TIMED_WAITING' ? { limited: true as const } : {};
  if (waits === undefined)
    return state === 'RUNNABLE' && byNames === 'unknown' && frames[0]?.isNative !== true
      ? { kind: 'running' }
      : limited;
  const object = `${waits.type} at ${waits.address}`;
  if (waits.kind === 'notify')
    // The object that a thread notifies at its end is the thread itself.
    return { ...limited, ...(byNames === 'condition' && { what: `notify of the ${object}` }) };
  const ownerId = owners.get(waits.address);
  if (waits.kind === 'monitor')
    return {
      kind: 'lock',
      what: `the monitor of the ${object}`,
      ...(ownerId !== undefined && { ownerId }),
    };
  if (ownerId !== undefined) return { ...limited, kind: 'lock', what: object, ownerId };
  return { ...limited, what: object, ...(byNames === 'unknown' && { kind: 'condition' }) };
}

/** Names as the debugger shows them. A class of a library that is not Java's own keeps its package. */
function shown({ type, method, file, line }: JavaFrame, files: ReadonlyMap<string, string>): Frame {
  const found = files.get(placeOf(type, file));
  const short = type.slice(type.lastIndexOf('.') + 1);
  const isLibrary = found === undefined && !ofJava(type);
  const where = isLibrary && file !== undefined ? `(${file}:${line})` : '';
  return {
    ...{ id: 0, line, column: 0, path: found, sourceName: file, subtle: false, isLabel: false },
    name: `${isLibrary ? type : short}.${method}${where}`,
    instructionPointerReference: undefined,
  };
}

/** The files of the workspace in which the innermost functions are, by their places below a source folder. */
async function filesOf(
  { workspace }: ToolServices,
  threads: readonly JavaThread[],
): Promise<ReadonlyMap<string, string>> {
  const places = threads.flatMap(({ frames }) =>
    frames
      .slice(0, NEAR)
      .filter(({ type, file }) => file !== undefined && !ofJava(type))
      .map(({ type, file }) => placeOf(type, file)),
  );
  const found = await Promise.all(
    [...new Set(places)].slice(0, MAX_FILES).map(async (place): Promise<[string, string][]> => {
      const end = path.normalize(`/${place}`);
      const named = await workspace.filesNamed(path.posix.basename(place));
      const [file, ...others] = named.filter((each) => each.endsWith(end));
      return file === undefined || others.length > 0 ? [] : [[place, file]];
    }),
  );
  return new Map(found.flat());
}

/** The place of a class's file below its source folder. */
function placeOf(type: string, file = ''): string {
  return path.posix.join(...type.split('.').slice(0, -1), file);
}

function ofJava(type: string): boolean {
  return /^(?:java|javax|jdk|sun|com\.sun)\./.test(type);
}

/** Threads that every program has, and that wait for nothing of the program. */
const OF_MACHINE = new Set(['Reference Handler', 'Finalizer', 'Common-Cleaner', 'process reaper']);

function isOfMachine({ name, frames }: JavaThread): boolean {
  return frames.length === 0 || (OF_MACHINE.has(name) && frames.every(({ type }) => ofJava(type)));
}

function hasVirtual(threads: readonly JavaThread[]): boolean {
  return threads.some(
    ({ name, frames }) =>
      name === 'VirtualThread-unparker' ||
      frames.some(({ type }) => type === 'java.lang.VirtualThread'),
  );
}
