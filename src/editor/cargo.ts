import { spawn } from 'node:child_process';
import { Interrupted } from '../debugger/requests';
import { timeLimit } from '../util/timeLimit';
import type { Cargo, CargoEnd, TestPrograms } from '../tools/services';

/** The maximum number of characters of Cargo's output that are kept. */
const MAX_CHARACTERS = 20_000_000;

/** Runs a build tool that is on the PATH: cargo, unless another one is given. */
export class InstalledCargo implements Cargo {
  constructor(private readonly program = 'cargo') {}

  async run(
    args: readonly string[],
    folder: string,
    signal: AbortSignal,
    env: Readonly<Record<string, string>> = {},
    onLine?: (line: string) => void,
  ): Promise<CargoEnd | undefined> {
    if (signal.aborted) throw new Interrupted();
    return await new Promise((resolve, reject) => {
      const child = spawn(this.program, [...args], {
        cwd: folder,
        env: { ...process.env, CARGO_TERM_COLOR: 'never', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        signal,
      });
      let [stdout, stderr] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (stdout.length < MAX_CHARACTERS) stdout += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        if (stderr.length < MAX_CHARACTERS) stderr += text;
        const last = text.trimEnd().split('\n').at(-1) ?? '';
        if (last !== '') onLine?.(last);
      });
      child.once('error', (error) => {
        if (signal.aborted) reject(new Interrupted());
        else if ('code' in error && error.code === 'ENOENT') resolve(undefined);
        else reject(error);
      });
      child.once('close', (code) => resolve({ exitCode: code ?? undefined, stdout, stderr }));
    });
  }
}

/** The time that a program may take to list its tests. */
const LIST_LIMIT_MS = 20_000;

/** Runs test programs of the project that list their tests. */
export const builtTestPrograms: TestPrograms = {
  run: async (program, args, folder, signal) => {
    const limit = timeLimit(LIST_LIMIT_MS);
    const run = new InstalledCargo(program).run(args, folder, AbortSignal.any([signal, limit]));
    return await run.catch((error: unknown) => {
      if (limit.aborted && !signal.aborted) return undefined;
      throw error;
    });
  },
};
