// @ts-check
/** A Python with debugpy and pytest: Debian's, or a virtual environment of the Python in the path. */
import path from 'node:path';
import { ensureDebianPackages } from '../vscodeHost/setup.mjs';
import {
  ADAPTERS_FOLDER,
  ended,
  isProgram,
  lastLines,
  log,
  MissingToolchain,
  programInPath,
} from './programs.mjs';

const DEBIAN_PYTHON = '/usr/bin/python3';
/** For machines without Debian's packages. */
const PACKAGES = ['debugpy==1.8.20', 'pytest==9.1.1'];

const VERSIONS =
  'import sys, debugpy, pytest; print(sys.version.split()[0], debugpy.__version__, pytest.__version__)';

/** @typedef {{ python: import('./toolchain.mjs').Chosen, debugpy: import('./toolchain.mjs').Chosen, pytest: import('./toolchain.mjs').Chosen }} Python */

/** @returns {Python} */
export function choosePython() {
  const debian = debianPython();
  if (typeof debian !== 'string') return debian;
  const own = path.join(ADAPTERS_FOLDER, `python-${PACKAGES.join('-').replaceAll('==', '-')}`);
  return pythonAt(path.join(own, 'bin/python')) ?? environment(own, debian);
}

/** Debian's Python with its packages, or why it cannot be had. @returns {Python | string} */
function debianPython() {
  const has = (/** @type {string} */ name) => ended(DEBIAN_PYTHON, ['-c', `import ${name}`]).isOk;
  try {
    ensureDebianPackages(
      [
        { package: 'python3-debugpy', found: () => has('debugpy') },
        { package: 'python3-pytest', found: () => has('pytest') },
      ],
      log,
    );
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return pythonAt(DEBIAN_PYTHON) ?? `${DEBIAN_PYTHON} has no debugpy`;
}

/** @param {string} python @returns {Python | undefined} */
function pythonAt(python) {
  if (!isProgram(python)) return undefined;
  const { isOk, output } = ended(python, ['-c', VERSIONS]);
  const [version = '', debugpy = '', pytest = ''] = output.trim().split(' ');
  if (!isOk) return undefined;
  return {
    python: { path: python, version },
    debugpy: { path: python, version: debugpy },
    pytest: { path: python, version: pytest },
  };
}

/** @param {string} folder @param {string} reason why Debian's Python cannot be used */
function environment(folder, reason) {
  const command = `python3 -m pip install ${PACKAGES.join(' ')}`;
  const python = programInPath('python3');
  if (!python) throw new MissingToolchain('Python', reason, 'apt-get install python3-debugpy');
  log(`installing ${PACKAGES.join(' and ')}`);
  const own = path.join(folder, 'bin/python');
  for (const [program, args] of /** @type {[string, string[]][]} */ ([
    [python, ['-m', 'venv', '--clear', folder]],
    [own, ['-m', 'pip', 'install', '--quiet', ...PACKAGES]],
  ])) {
    const { isOk, output } = ended(program, args, { timeout: 600_000 });
    if (!isOk) throw new MissingToolchain('Python', `${reason}\n${lastLines(output)}`, command);
  }
  const found = pythonAt(own);
  if (!found) throw new MissingToolchain('Python', `${own} has no debugpy`, command);
  return found;
}
