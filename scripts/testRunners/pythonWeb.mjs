// @ts-check
/** A virtual environment with web frameworks, tables and today's debugpy, for traces of what libraries call. */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const PACKAGES = [
  ...['debugpy==1.8.22', 'flask==3.1.3', 'fastapi==0.165.0', 'uvicorn==0.54.0'],
  ...['django==5.2.19', 'celery==5.7.0', 'gunicorn==27.0.1'],
  ...['numpy', 'pandas'],
];

/** @param {string} program @param {string[]} args */
function run(program, args) {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status === 0) return;
  console.error(`[test runners] ${program} ${args.join(' ')} failed: ${error ?? stderr}`);
  process.exit(1);
}

/** Creates the environment, once for each list of packages. @param {string} folder */
export function installPythonWeb(folder) {
  const stamp = path.join(folder, `.done-${PACKAGES.join('-')}`);
  if (!existsSync(stamp)) {
    console.log(`[test runners] installing ${PACKAGES.join(', ')}`);
    rmSync(folder, { recursive: true, force: true });
    run('python3', ['-m', 'venv', folder]);
    const pip = ['-m', 'pip', 'install', '-q', '--disable-pip-version-check'];
    run(path.join(folder, 'bin/python'), [...pip, ...PACKAGES]);
    writeFileSync(stamp, '');
  }
  console.log(`[test runners] ready: ${PACKAGES.join(', ')}`);
}
