import { readdir, readFile, readlink } from 'node:fs/promises';
import { adapterOf } from '../adapters/registry';
import type { SessionState } from '../state/state';

/** What a process does with its standard input: `blocked` in a read of it, or `listening` to it among other things. */
export type InputWait = 'blocked' | 'listening';

/** Numbers of Linux's system calls: those that read a file, and those that wait for the first `n` files. */
const SYSTEM_CALLS: Readonly<
  Record<string, { readonly reads: ReadonlySet<string>; readonly selects: ReadonlySet<string> }>
> = {
  x64: { reads: new Set(['0', '19']), selects: new Set(['23', '270']) },
  arm64: { reads: new Set(['63', '65']), selects: new Set(['72']) },
};

/** What is read of a machine: tests have one of files. */
export interface ProcessTable {
  readonly platform: string;
  readonly arch: string;
  /** Where proc(5) is mounted. */
  readonly proc: string;
}

const THIS_MACHINE: ProcessTable = {
  platform: process.platform,
  arch: process.arch,
  proc: '/proc',
};

/** Of a program with more threads or files, the first ones are looked at. */
const MOST_LOOKED_AT = 200;

/** epoll(7) `EPOLLIN`: there is something to read. */
const READABLE = 1;

/**
 * What a process does with its standard input, as Linux says it in `/proc`: its threads' system calls (proc(5) `syscall`)
 * and the files that its event loop waits for (`fdinfo`). Undefined where it does not wait for it, and where that cannot
 * be known: on other systems, of another user's process, and of one that is gone.
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
    // Of one file, that is the first: standard input.
    if (calls.selects.has(call) && first === '0x1') return 'blocked';
  }
  for (const file of await namesIn(`${folder}/fdinfo`)) {
    for (const [, watched = '', events = ''] of (await textOf(`${folder}/fdinfo/${file}`)).matchAll(
      /^tfd:\s*(\d+)\s+events:\s*([0-9a-f]+)/gm,
    )) {
      // Node opens a terminal once more to read from it.
      if (
        (parseInt(events, 16) & READABLE) !== 0 &&
        (await linkOf(`${folder}/fd/${watched}`)) === input
      )
        return 'listening';
    }
  }
  return undefined;
}

/** The process that a session debugs, on this machine; undefined where it may be on another, or where it is not known. */
export function localProcessOf({
  process: known,
  name,
  type,
  configuration,
}: SessionState): number | undefined {
  if (configuration['request'] !== 'launch' || configuration['remoteRoot'] !== undefined)
    return undefined;
  return known?.pid ?? adapterOf(type).processIdOf?.(name);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).slice(0, MOST_LOOKED_AT);
}

async function textOf(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '');
}

async function linkOf(file: string): Promise<string | undefined> {
  return await readlink(file).catch(() => undefined);
}
