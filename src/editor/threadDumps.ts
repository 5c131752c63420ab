import { execFile } from 'node:child_process';
import { access, readlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ThreadDumps } from '../tools/services';

const run = promisify(execFile);

/**
 * The JDK's tool gives up by itself after some ten seconds if the program does not answer, and then removes the file with
 * which it asks. Ended earlier, it would leave that file behind.
 */
const LIMITS = { timeout: 30_000, maxBuffer: 100_000_000, windowsHide: true };

/** Variables that let a Java program run other code, such as the program's own debugger. */
const FOR_JAVA: ReadonlySet<string> = new Set([
  'JAVA_TOOL_OPTIONS',
  'JDK_JAVA_OPTIONS',
  '_JAVA_OPTIONS',
]);

const TOOL = process.platform === 'win32' ? 'jcmd.exe' : 'jcmd';

/** Asks `jcmd`, the tool of the JDK that runs the program. */
export const jdkThreadDumps: ThreadDumps = {
  ofJava: async (id, { java, isStopped }) => {
    const program = path.isAbsolute(java ?? '')
      ? java
      : await readlink(`/proc/${id}/exe`).catch(() => undefined);
    if (program === undefined) return undefined;
    const tool = path.join(path.dirname(program), TOOL);
    if (!(await exists(tool)) || (isStopped && !(await isListening(id)))) return undefined;
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !FOR_JAVA.has(name)),
    );
    const options = { ...LIMITS, env, cwd: path.dirname(tool) };
    return await run(tool, [String(id), 'Thread.print', '-l'], options).then(
      ({ stdout }) => stdout,
      () => undefined,
    );
  },
};

/**
 * Whether a program is seen to listen to the JDK's tools. If not, a thread has to begin with it, which cannot happen while
 * the program is stopped.
 */
async function isListening(id: number): Promise<boolean> {
  return await exists(`/proc/${id}/root/tmp/.java_pid${id}`);
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
