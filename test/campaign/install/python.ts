import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { run, succeed } from '../command';
import type { Installed } from '../project';
import { inTemporary, unpackOnly } from './archives';

/** The debugger of each virtual environment, as the Python extension brings it. */
const DEBUGPY = 'debugpy==1.8.22';

/**
 * Installs a source distribution, which contains the tests, into a virtual environment of its own. `system` as the
 * version of Python stands for the packages of Debian, without any of the registry.
 */
export async function installPython({ project, folder }: Installed): Promise<void> {
  const isSystem = project.runtime === 'system';
  const program = isSystem ? '/usr/bin/python3' : await pythonOf(project.runtime ?? '3.11');
  await inTemporary(async (temporary) => {
    const args = ['download', '--no-binary', ':all:', '--no-deps', '-q', project.package ?? ''];
    await succeed({ program, args: ['-m', 'pip', ...args], cwd: temporary });
    await unpackOnly(temporary, folder);
  });
  const venv = ['-m', 'venv', ...(isSystem ? ['--system-site-packages'] : []), '.venv'];
  await succeed({ program, args: venv, cwd: folder });
  const packages = [...(isSystem ? [] : [DEBUGPY]), ...(project.with ?? []), '-e', '.'];
  await succeed({
    program: path.join(folder, '.venv/bin/python'),
    args: ['-m', 'pip', 'install', '-q', ...packages],
    cwd: folder,
  });
}

/** Finds a version of Python on the path or among those of pyenv. */
async function pythonOf(version: string): Promise<string> {
  const versions = path.join(
    process.env['PYENV_ROOT'] ?? `${process.env['HOME'] ?? ''}/.pyenv`,
    'versions',
  );
  const installed = existsSync(versions) ? readdirSync(versions) : [];
  const candidates = [
    ...installed
      .filter((each) => each === version || each.startsWith(`${version}.`))
      .map((each) => path.join(versions, each, 'bin/python')),
    `python${version}`,
    'python3',
  ];
  for (const program of candidates) {
    const args = ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'];
    const ran = await run({ program, args, cwd: '/' }).catch(() => undefined);
    if (ran?.stdout.trim() === version) return program;
  }
  throw new Error(`there is no Python ${version}`);
}
