import { readdir, readFile, readlink } from 'node:fs/promises';
import { adapterOf } from '../adapters/registry';
import type { SessionState } from '../state/state';

/** How a process waits for its standard input: `blocked` in a read, or `listening` in an event loop. */
export type InputWait = 'blocked' | 'listening';

/**
 * The numbers of Linux system calls: `reads` for calls that read a file, `selects` for calls that wait for the first
 * `n` files.
 */
const SYSTEM_CALLS: Readonly<
  Record<string, { readonly reads: ReadonlySet<string>; readonly selects: ReadonlySet<string> }>
> = {
  x64: { reads: new Set(['0', '19']), selects: new Set(['23', '270']) },
  arm64: { reads: new Set(['63', '65']), selects: new Set(['72']) },
};

/** The source of process information. Tests use a folder of files. */
export interface ProcessTable {
  readonly platform: string;
  readonly arch: string;
  /** The mount point of proc(5). */
  readonly proc: string;
}

const THIS_MACHINE: ProcessTable = {
  platform: process.platform,
  arch: process.arch,
  proc: '/proc',
};

/** The maximum number of threads and of files of a process that are inspected. */
const MAX_INSPECTED = 200;

/** epoll(7) `EPOLLIN`: data is available to read. */
const READABLE = 1;

/**
 * How a process waits for its standard input, according to Linux's `/proc`: from its threads' system calls (proc(5)
 * `syscall`) and the files that its event loop waits for (`fdinfo`). Undefined if the process does not wait, or if that
 * is unknown: on other systems, for another user's process, and for a process that has ended.
 */
export async function inputWait(
  pid: number,
  { platform, arch, proc }: ProcessTable = THIS_MACHINE,
): Promise<InputWait | undefined> {
  const calls = SYSTEM_CALLS[arch];
  if (platform !== 'linux' || calls === undefined) return undefined;
  const folder = `${proc}/${pid}`;
  const input = await linkOf(`${folder}/fd/0`);
  if (input === undefined || input === '/dev/null') return undefined;
  for (const thread of await namesIn(`${folder}/task`)) {
    const [call = '', first] = (await textOf(`${folder}/task/${thread}/syscall`)).split(' ');
    if (calls.reads.has(call) && first === '0x0') return 'blocked';
    // A wait for only the first file is a wait for standard input.
    if (calls.selects.has(call) && first === '0x1') return 'blocked';
  }
  for (const file of await namesIn(`${folder}/fdinfo`)) {
    for (const [, watched = '', events = ''] of (await textOf(`${folder}/fdinfo/${file}`)).matchAll(
      /^tfd:\s*(\d+)\s+events:\s*([0-9a-f]+)/gm,
    )) {
      // Node opens the terminal again to read from it, so the links are compared.
      if (
        (parseInt(events, 16) & READABLE) !== 0 &&
        (await linkOf(`${folder}/fd/${watched}`)) === input
      )
        return 'listening';
    }
  }
  return undefined;
}

/** The local process that a session debugs; undefined if it may be on another machine or is unknown. */
export function localProcessOf({
  process: reported,
  name,
  type,
  configuration,
}: SessionState): number | undefined {
  if (configuration['request'] !== 'launch' || configuration['remoteRoot'] !== undefined)
    return undefined;
  return reported?.pid ?? adapterOf(type).processIdOf?.(name);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).slice(0, MAX_INSPECTED);
}

async function textOf(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '');
}

async function linkOf(file: string): Promise<string | undefined> {
  return await readlink(file).catch(() => undefined);
}
