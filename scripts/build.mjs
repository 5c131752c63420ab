// @ts-check
import { spawnSync } from 'node:child_process';

/** Compiles tests and scripts, and bundles the extension. Prints only failures. */
export function build() {
  for (const script of ['compile', 'build']) {
    const result = spawnSync('npm', ['run', '--silent', script], { encoding: 'utf8' });
    if (result.status === 0) continue;
    console.error(`npm run ${script} failed:\n${result.stdout}${result.stderr}`);
    process.exit(1);
  }
}
