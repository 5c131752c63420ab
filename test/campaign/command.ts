import { spawn } from 'node:child_process';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The result of a command. */
export interface Ran {
  /** Undefined if a signal ended it. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  readonly isTooLong: boolean;
}

/** Runs a command to its end. It is ended with all its children when its time is over. */
export function run({ program, args, cwd, env = {} }: Command, limitMs = 300_000): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(program, args, {
      cwd,
      env: { ...withoutVsCode(process.env), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let [stdout, stderr] = ['', ''];
    let isTooLong = false;
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const timer = setTimeout(() => {
      isTooLong = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, limitMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      const ms = performance.now() - began;
      resolve({ code: code ?? undefined, stdout, stderr, ms, isTooLong });
    });
  });
}

/** Runs a command that has to succeed. @throws Error with the end of its output */
export async function succeed(command: Command, limitMs?: number): Promise<string> {
  const { code, stdout, stderr } = await run(command, limitMs);
  if (code === 0) return stdout;
  const words = [command.program, ...command.args].join(' ');
  throw new Error(`${words} failed (${code ?? 'signal'}):\n${`${stdout}\n${stderr}`.slice(-3000)}`);
}

/** Leaves out the variables of the VS Code that runs the campaign: the person's terminal has none of them. */
function withoutVsCode(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(?:VSCODE_|ELECTRON_|AGENT_DEBUGGER_)/.test(name)),
  );
}

export function withoutColors(text: string): string {
  return text.replace(/\u001b\[[\d;]*m/g, '');
}
