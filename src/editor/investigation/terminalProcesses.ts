import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessEntry, ProcessTable } from '../../investigation/startedProcesses';

const PS_LIMIT_MS = 5000;
/** The id of the process that has the threads of the kernel. */
const KERNEL = '2';
const MAX_OF_PS = 64 * 1024 * 1024;

/**
 * The processes of this machine, from `/proc` on Linux and from `ps` on macOS. On Windows, `taskkill /t` ends the
 * processes of a command instead, so the table is empty there. It is read synchronously, because the window may be
 * closing.
 */
export const processTable: ProcessTable = {
  list: (mark) => {
    if (process.platform === 'linux') return ofLinux(mark);
    return process.platform === 'win32' ? [] : ofPs(mark);
  },
  signal: (pid, signal) => {
    try {
      return process.kill(pid, signal);
    } catch {
      return false;
    }
  },
};

function ofLinux(mark: string): readonly ProcessEntry[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = read(`/proc/${name}/stat`);
    if (stat === undefined) return [];
    // The name of the program is in parentheses, and may contain parentheses and blanks itself.
    const [state, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return [];
    const environment = read(`/proc/${name}/environ`);
    const command = read(`/proc/${name}/cmdline`)?.replaceAll('\0', ' ').trim() ?? '';
    return {
      pid: Number(name),
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      command: command === '' ? stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')) : command,
      isMarked: environment?.split('\0').includes(mark),
      // Threads of the kernel never have one.
      isBare: environment === '' && parent !== KERNEL && name !== KERNEL,
    };
  });
}

function ofPs(mark: string): readonly ProcessEntry[] {
  // With the environment, which only processes of this user show, after the command.
  const marked = new Set(
    linesOf(['-A', '-E', '-ww', '-o', 'pid=,command=']).flatMap(([pid, rest]) =>
      ` ${rest} `.includes(` ${mark} `) ? [pid] : [],
    ),
  );
  return linesOf(['-A', '-o', 'pid=,ppid=,pgid=,state=,comm=']).flatMap(([pid, rest]) => {
    const [, parent, group, state = '', command = ''] =
      /^(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(rest) ?? [];
    if (parent === undefined || state.startsWith('Z')) return [];
    const numbers = { pid, parent: Number(parent), group: Number(group), session: Number(group) };
    return { ...numbers, command, isMarked: marked.has(pid), isBare: false };
  });
}

function linesOf(options: readonly string[]): readonly (readonly [number, string])[] {
  try {
    return execFileSync('ps', options, {
      encoding: 'utf8',
      timeout: PS_LIMIT_MS,
      maxBuffer: MAX_OF_PS,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .split('\n')
      .flatMap((line) => {
        const [, pid, rest = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
        return pid === undefined ? [] : [[Number(pid), rest] as const];
      });
  } catch {
    return [];
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended, or belongs to another user.
    return undefined;
  }
}
