import { spawn } from 'node:child_process';
import { Interrupted } from '../debugger/requests';
import type { Cargo, CargoEnd } from '../tools/services';

/** The maximum number of characters of Cargo's output that are kept. */
const MOST_CHARACTERS = 20_000_000;

/** Runs a build tool that is on the PATH: cargo, unless another one is given. */
export class InstalledCargo implements Cargo {
  constructor(private readonly program = 'cargo') {}

  async run(
    args: readonly string[],
    folder: string,
    signal: AbortSignal,
    env: Readonly<Record<string, string>> = {},
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
        if (stdout.length < MOST_CHARACTERS) stdout += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        if (stderr.length < MOST_CHARACTERS) stderr += text;
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
