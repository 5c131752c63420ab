// @ts-check
/** Installs packages of the npm registry in a separate folder, for tests: once for each list of versions. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Installs without running the packages' scripts. Ends the process if npm fails.
 * @param {object} request
 * @param {string} request.title a name for messages
 * @param {string} request.folder
 * @param {readonly string[]} request.packages as `npm install` takes them
 * @param {readonly string[]} request.versions identify the installation: a different list is installed anew
 * @param {readonly string[]} [request.options] further options of `npm install`
 */
export function npmFolder({ title, folder, packages, versions, options = [] }) {
  const stamp = path.join(folder, `.done-${versions.join('-')}`);
  if (existsSync(stamp)) return;
  console.log(`[${title}] downloading ${packages.join(', ')}`);
  rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n');
  const result = spawnSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...options, ...packages],
    { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' },
  );
  if (result.status !== 0) {
    console.error(`[${title}] npm install ended with ${result.status}:\n${result.stderr}`);
    process.exit(1);
  }
  writeFileSync(stamp, '');
}
