import { withAncestors, withDescendants, type Processes } from './processes';

/** The variable of the environment that marks the processes of one launch. Its value is the mark of the launch. */
export const RUN_VARIABLE = 'AGENT_DEBUGGER_RUN';

/** The number of times that processes are looked for, because a process may start others while it is ended. */
const MAX_ROUNDS = 5;

/**
 * Ends all processes of a launch at once, and what they have started, also if it has left its parent. A process that
 * blocks in a system call ends only in this way. This process and its ancestors are never ended.
 */
export async function endProcesses(processes: Processes, mark: string): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const marked = await processes.withVariable(RUN_VARIABLE, mark);
    if (marked.length === 0) return;
    const table = await processes.list();
    const own = withAncestors(table, process.pid);
    for (const id of withDescendants(table, marked)) if (!own.has(id)) processes.kill(id);
  }
}
