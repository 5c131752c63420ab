// @ts-check
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Marks every process of one run, so that the run can end all its processes and no others. */
export const RUN_MARK = 'AGENT_DEBUGGER_HOST_RUN';

/** The maximum number of times that the remaining processes are ended. */
const MAX_ROUNDS = 100;

/**
 * Ends the remaining processes of a run. Debuggees and shells outside the server's process group still have its mark, and
 * so have the processes that a browser leaves.
 * @param {string} mark
 */
export function endMarked(mark) {
  // A process may have started another one meanwhile, and a killed one takes a moment to go.
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const pids = markedProcesses(mark);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // ended meanwhile
      }
    }
  }
}

/** The ids of processes whose environment contains the mark of a run. @param {string} mark */
export function markedProcesses(mark) {
  const found = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    try {
      readlinkSync(`/proc/${entry}/exe`);
      if (readFileSync(`/proc/${entry}/environ`, 'latin1').includes(`${RUN_MARK}=${mark}`))
        found.push(Number(entry));
    } catch {
      // ended, or another user's
    }
  }
  return found;
}
