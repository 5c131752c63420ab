import { spawn, type ChildProcess } from 'node:child_process';
import { BoundedText } from './boundedText';
import { failedBy, type CommandRequest, type TriggerEnd } from './trigger';

/** The time that a command has to end after SIGTERM, and its output to end after its exit, in milliseconds. */
const GRACE_MS = 2000;

/**
 * Runs a command without a shell, without input, in a process group of its own, and keeps a bounded part of its output.
 * It never throws. It gets only the given environment, because its output goes to the agent. What the command has started and left is ended with it.
 */
export async function runCommand(
  { command, args, cwd }: CommandRequest,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<TriggerEnd> {
  if (signal.aborted) return { kind: 'aborted' };
  return await new Promise((resolve) => {
    const output = new BoundedText();
    let child: ChildProcess;
    try {
      child = spawn(command, [...args], {
        ...(cwd === undefined ? {} : { cwd }),
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
    } catch (error) {
      // For example, an argument with a zero byte.
      resolve(failedBy(error));
      return;
    }
    const kill = (): void => endGroup(child);
    signal.addEventListener('abort', kill, { once: true });
    child.stdout?.on('data', (data: Buffer) => output.add(data));
    child.stderr?.on('data', (data: Buffer) => output.add(data));
    child.once('error', (error) => {
      signal.removeEventListener('abort', kill);
      resolve(failedBy(error));
    });
    child.once('exit', () => leaveNothing(child));
    child.once('close', (code, by) => {
      signal.removeEventListener('abort', kill);
      if (signal.aborted) resolve({ kind: 'aborted' });
      else
        resolve({
          kind: 'exited',
          code: code ?? undefined,
          signal: by ?? undefined,
          output: output.read(),
        });
    });
  });
}

/** Ends what an ended command has left in its group, and reads its output no longer than the grace time. */
function leaveNothing(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => {
    signalGroup(child, 'SIGKILL');
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, GRACE_MS);
  child.once('close', () => clearTimeout(timer));
}

function endGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS);
  child.once('close', () => clearTimeout(timer));
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-pid, signal);
  } catch {
    // All of its processes have ended.
  }
}
