import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { fields, listOf, numberOf, textOf } from '../debugger/protocol';
import type { ProcessEntry, Processes } from '../debugger/processes/processes';

const run = promisify(execFile);

/** The maximum number of characters of a command line that are kept. */
const MAX_OF_A_COMMAND = 10_000;

/** The time that a program that lists processes may take, and the maximum size of its list. */
const LIMITS = { timeout: 5000, maxBuffer: 50_000_000, windowsHide: true };

/** Returns the processes of this machine: on Linux from proc(5), elsewhere from the system's own program. */
export function processesOf(platform: NodeJS.Platform = process.platform): Processes {
  if (platform === 'linux') return new LinuxProcesses();
  return platform === 'win32' ? new WindowsProcesses() : new UnixProcesses();
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // The process has ended in the meantime, or belongs to another user.
  }
}

/** The processes that Linux describes in files. */
export class LinuxProcesses implements Processes {
  readonly kill = kill;
  private users: Promise<ReadonlyMap<number, string>> | undefined;

  constructor(private readonly proc = '/proc') {}

  async list(): Promise<readonly ProcessEntry[]> {
    this.users ??= namesOfUsers();
    const users = await this.users;
    const entries = await Promise.all((await this.ids()).map((id) => this.entry(id, users)));
    return entries.filter((entry) => entry !== undefined);
  }

  async listeners(port: number): Promise<readonly number[]> {
    const listening = await this.listening(port);
    const sockets = new Set(listening.map(({ inode }) => `socket:[${inode}]`));
    if (sockets.size === 0) return [];
    return await this.where(async (id) => {
      for (const file of await readdir(`${this.proc}/${id}/fd`).catch(() => []))
        if (sockets.has(await readlink(`${this.proc}/${id}/fd/${file}`).catch(() => '')))
          return true;
      return false;
    });
  }

  async listeningHosts(port: number): Promise<readonly string[]> {
    const all = await this.listening(port);
    return [...new Set(all.flatMap(({ address }) => LOOPBACK[address] ?? []))];
  }

  /** The sockets that listen on a port. */
  private async listening(
    port: number,
  ): Promise<readonly { readonly address: string; readonly inode: string }[]> {
    const found: { address: string; inode: string }[] = [];
    for (const file of ['tcp', 'tcp6'])
      for (const line of (await textIn(`${this.proc}/net/${file}`)).split('\n')) {
        const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
        const [address = '', number = ''] = local.split(':');
        if (parseInt(number, 16) === port && state === LISTENING) found.push({ address, inode });
      }
    return found;
  }

  async withVariable(name: string, value: string): Promise<readonly number[]> {
    return await this.where(async (id) =>
      (await textIn(`${this.proc}/${id}/environ`)).split('\0').includes(`${name}=${value}`),
    );
  }

  private async where(is: (id: number) => Promise<boolean>): Promise<readonly number[]> {
    const ids = await this.ids();
    const found = await Promise.all(ids.map(is));
    return ids.filter((_, index) => found[index] === true);
  }

  private async ids(): Promise<readonly number[]> {
    const names = await readdir(this.proc).catch(() => []);
    return names.filter((name) => /^\d+$/.test(name)).map(Number);
  }

  private async entry(
    id: number,
    users: ReadonlyMap<number, string>,
  ): Promise<ProcessEntry | undefined> {
    const folder = `${this.proc}/${id}`;
    const [text, status, link, owner] = await Promise.all([
      textIn(`${folder}/cmdline`),
      textIn(`${folder}/stat`),
      readlink(`${folder}/exe`).catch(() => undefined),
      stat(folder).catch(() => undefined),
    ]);
    // The name in parentheses is chosen by the process, and may contain parentheses and blanks.
    const parentId = Number(status.slice(status.lastIndexOf(')') + 1).split(' ')[2]);
    if (owner === undefined || !Number.isInteger(parentId)) return undefined;
    const args = text.slice(0, MAX_OF_A_COMMAND).split('\0');
    while (args.length > 1 && args.at(-1) === '') args.pop();
    return {
      id,
      parentId,
      user: users.get(owner.uid) ?? String(owner.uid),
      executable: link ?? args[0] ?? '',
      command: args.join(' '),
    };
  }
}

/** The state of a socket that listens, in proc(5) `net/tcp`. */
const LISTENING = '0A';

/**
 * The loopback addresses that reach a socket, by its address in proc(5) `net/tcp`, whose numbers are little-endian. A
 * socket that listens at all addresses of IPv6 accepts IPv4 as well, unless the program has turned that off.
 */
const LOOPBACK: Readonly<Record<string, readonly string[]>> = {
  '0100007F': ['127.0.0.1'],
  '00000000': ['127.0.0.1'],
  '00000000000000000000000001000000': ['::1'],
  '00000000000000000000000000000000': ['127.0.0.1', '::1'],
};

async function textIn(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '');
}

async function namesOfUsers(): Promise<ReadonlyMap<number, string>> {
  const lines = (await textIn('/etc/passwd')).split('\n').map((line) => line.split(':'));
  return new Map(lines.map(([name = '', , id]) => [Number(id), name]));
}

/** The processes of macOS and other Unix systems, by `ps`. */
class UnixProcesses implements Processes {
  readonly kill = kill;

  async list(): Promise<readonly ProcessEntry[]> {
    const [commands, executables] = await Promise.all([
      printed('ps', ['-axww', '-o', 'pid=,ppid=,user=,command=']),
      printed('ps', ['-axww', '-o', 'pid=,comm=']),
    ]);
    const paths = new Map(
      executables.flatMap((line) => {
        const [, id, path] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
        return id === undefined || path === undefined ? [] : [[Number(id), path] as const];
      }),
    );
    return commands.flatMap((line) => {
      const [, id, parent, user = '', text = ''] =
        /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
      if (id === undefined) return [];
      const command = text.slice(0, MAX_OF_A_COMMAND);
      const executable = paths.get(Number(id)) ?? command;
      return [{ id: Number(id), parentId: Number(parent), user, executable, command }];
    });
  }

  listeners(): Promise<readonly number[]> {
    return Promise.resolve([]);
  }

  listeningHosts(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  async withVariable(name: string, value: string): Promise<readonly number[]> {
    const lines = await printed('ps', ['-axEww', '-o', 'pid=,command=']);
    const text = ` ${name}=${value}`;
    return lines
      .filter((line) => line.endsWith(text) || line.includes(`${text} `))
      .map((line) => Number.parseInt(line, 10));
  }
}

/** The processes of Windows, by PowerShell. */
class WindowsProcesses implements Processes {
  readonly kill = kill;

  async list(): Promise<readonly ProcessEntry[]> {
    const lines = await printed('powershell.exe', [
      '-NoProfile',
      '-NonInteractive',
      '-Command',
      'ConvertTo-Json -Compress @(Get-CimInstance Win32_Process | Select-Object ProcessId, ParentProcessId, ExecutablePath, CommandLine)',
    ]);
    return listOf(parsed(lines.join('\n'))).flatMap((value) => {
      const each = fields(value);
      const [id, parentId] = [numberOf(each['ProcessId']), numberOf(each['ParentProcessId'])];
      if (id === undefined || parentId === undefined) return [];
      const executable = textOf(each['ExecutablePath']) ?? '';
      const command = (textOf(each['CommandLine']) ?? executable).slice(0, MAX_OF_A_COMMAND);
      return [{ id, parentId, user: '', executable, command }];
    });
  }

  listeners(): Promise<readonly number[]> {
    return Promise.resolve([]);
  }

  listeningHosts(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  withVariable(): Promise<readonly number[]> {
    return Promise.resolve([]);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

async function printed(program: string, args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run(program, [...args], LIMITS).catch(() => ({ stdout: '' }));
  return stdout.split(/\r?\n/);
}
