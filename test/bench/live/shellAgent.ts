import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { toolPath } from '../../support/toolchain';
import { Agent } from './agent';

/** No command takes as long as this, also on a busy machine. */
const MAX_MILLISECONDS = 120_000;

/** Finds a cause with prints and the shell, in its own copy of the program. */
export class ShellAgent extends Agent {
  /** Replaces a text of the program, such as by the same with a print. @throws if it is not there exactly once */
  edit(old: string, replacement: string): void {
    const file = path.join(this.folder, this.file);
    const parts = readFileSync(file, 'utf8').split(old);
    if (parts.length !== 2) throw new Error(`${this.file} has ${parts.length - 1} times: ${old}`);
    writeFileSync(file, parts.join(replacement));
    const input = { path: this.file, old_text: old, new_text: replacement };
    this.cost.note({ name: 'edit_file', input }, 'The file was edited.');
  }

  /** Runs a command. Its output is the answer, also if it fails. */
  async run(command: string): Promise<void> {
    const output = await outputOf(command, this.folder);
    this.cost.note({ name: 'shell', input: { command } }, output);
    this.results.push(output);
  }

  /** Starts the server, sends requests to it, ends it, and shows the end of its output. */
  async serve(requests: string, lines = 20): Promise<void> {
    await this.run(
      `node ${this.file} ${this.port} > out.txt 2>&1 & until grep -qs listening out.txt; do sleep 0.1; done; ${requests}; kill $!; tail -n ${lines} out.txt`,
    );
  }

  /** Removes the prints. */
  async undo(): Promise<void> {
    await this.run(`git checkout -q ${this.file}`);
  }

  urlOf(pathname: string): string {
    return `'http://127.0.0.1:${this.port}${pathname}'`;
  }
}

function outputOf(command: string, cwd: string): Promise<string> {
  const python = path.dirname(toolPath('python'));
  const env = { ...process.env, PATH: `${python}${path.delimiter}${process.env['PATH'] ?? ''}` };
  return new Promise((resolve, reject) => {
    const options = { cwd, env, timeout: MAX_MILLISECONDS };
    execFile('bash', ['-c', command], options, (error, stdout, stderr) => {
      if (error?.killed === true) reject(new Error(`${command} does not end:\n${stdout}${stderr}`));
      else resolve(`${stdout}${stderr}`);
    });
  });
}
