/** A process of the machine. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** The process group, and the session. */
  readonly group: number;
  readonly session: number;
  readonly command: string;
  /** Whether its environment has the mark of the run. Undefined if its environment cannot be read. */
  readonly isMarked: boolean | undefined;
  /** Whether it has no environment, for example because its program is just being loaded. */
  readonly isBare: boolean;
}

/** The processes of the machine. */
export interface ProcessTable {
  /** All processes that have not ended. @param mark `NAME=value`, as in an environment */
  list(mark: string): readonly ProcessEntry[];
  /** @returns false if the process has ended, or belongs to another user */
  signal(pid: number, signal: NodeJS.Signals): boolean;
}

/** The processes that a run had left, and those that could not be ended. */
export interface LeftProcesses {
  readonly found: readonly ProcessEntry[];
  readonly left: readonly ProcessEntry[];
}

/** The variable that marks the processes of a run. Processes inherit it, also those that leave their group. */
export const MARK = 'AGENT_DEBUGGER_RUN';

const MAX_NAMED = 5;
const MAX_OF_A_COMMAND = 80;
const ROUNDS = 3;

/** The time that killed processes may take to disappear, in milliseconds. */
const SETTLE_MS = 200;

/** The time in which a process loads its program, in milliseconds. */
const LOADING_MS = 50;

/**
 * What a run started. Its processes are found by the mark in their environment, by their group and session, and by
 * their parents, because a program can leave each of these (`setsid`, `nohup … &`, `env -i`).
 */
export class StartedProcesses {
  /** The variables that the command of the run gets in addition. */
  readonly environment: Readonly<Record<string, string>>;
  private readonly mark: string;

  /** @param id a new, random id of the run */
  constructor(
    private readonly table: ProcessTable,
    id: string,
    private readonly graceMs: number,
  ) {
    this.mark = `${MARK}=${id}`;
    this.environment = { [MARK]: id };
  }

  /** The processes that are alive. @param root the id of the run's first process, if it is known */
  private alive(root: number | undefined): readonly ProcessEntry[] {
    return startedBy(this.table.list(this.mark), root);
  }

  /** The same. A process that is just loading its program shows no environment, so it is looked at again. */
  private async allAlive(root: number | undefined): Promise<readonly ProcessEntry[]> {
    const all = this.table.list(this.mark);
    const found = startedBy(all, root);
    if (found.length > 0 || !all.some(({ isBare }) => isBare)) return found;
    await passed(LOADING_MS);
    return this.alive(root);
  }

  /** Asks all processes to end. */
  interrupt(root?: number): void {
    this.signal(this.alive(root), 'SIGTERM');
  }

  /** Ends what the run has left. Processes are asked to end first, and killed after a grace time. */
  async end(root?: number): Promise<LeftProcesses> {
    const found = await this.allAlive(root);
    if (found.length === 0) return { found, left: [] };
    this.signal(found, 'SIGTERM');
    await passed(this.graceMs);
    // A process may start another one while it is killed.
    for (let round = 0; round < ROUNDS; round += 1) this.signal(this.alive(root), 'SIGKILL');
    await passed(SETTLE_MS);
    return { found, left: this.alive(root) };
  }

  private signal(processes: readonly ProcessEntry[], signal: NodeJS.Signals): void {
    for (const { pid } of processes) this.table.signal(pid, signal);
  }
}

/** A note about what a run has left behind; undefined if there was nothing. */
export function leftNote({ found, left }: LeftProcesses): string | undefined {
  if (left.length > 0)
    return `The run has left processes behind that could not be ended: ${named(left)}.`;
  if (found.length === 0) return undefined;
  return `The run had left processes behind, which were ended: ${named(found)}.`;
}

/** The processes with the mark, those of the run's group and session, and all their descendants. */
export function startedBy(
  all: readonly ProcessEntry[],
  root: number | undefined,
): readonly ProcessEntry[] {
  const found = new Set(
    all
      .filter(
        ({ isMarked, group, session, pid }) =>
          isMarked === true || (root !== undefined && [pid, group, session].includes(root)),
      )
      .map(({ pid }) => pid),
  );
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  return all.filter(({ pid }) => found.has(pid) && pid !== process.pid);
}

function named(processes: readonly ProcessEntry[]): string {
  const names = processes
    .slice(0, MAX_NAMED)
    .map(({ pid, command }) => `${command.slice(0, MAX_OF_A_COMMAND)} (pid ${pid})`);
  const more = processes.length - names.length;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** No event reports the end of a process that another process has started, so it is given a time. */
async function passed(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
