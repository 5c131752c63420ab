// @ts-check
/** Ruby with its own debugger, minitest and RSpec, from Debian's packages. */
import { ensureDebianPackages } from '../vscodeHost/setup.mjs';
import {
  ended,
  log,
  MissingToolchain,
  programInPath,
  programsInPath,
  versionOf,
} from './programs.mjs';

const PACKAGES = ['ruby', 'ruby-minitest', 'ruby-rspec'];

/** @typedef {import('./toolchain.mjs').Chosen} Chosen */

const rdbg = () => programsInPath(/^rdbg[\d.]*$/)[0];
const hasRunners = () => ended('ruby', ['-e', 'require "minitest"; require "rspec/core"']).isOk;

/** @returns {{ ruby: Chosen, rdbg: Chosen }} */
export function chooseRuby() {
  try {
    ensureDebianPackages(
      PACKAGES.map((name) => ({
        package: name,
        found: () => rdbg() !== undefined && hasRunners(),
      })),
      log,
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MissingToolchain('Ruby', reason, `apt-get install ${PACKAGES.join(' ')}`);
  }
  const debuggerPath = rdbg() ?? 'rdbg';
  return {
    ruby: {
      path: programInPath('ruby') ?? 'ruby',
      version: versionOf('ruby', '--version') ?? 'unknown',
    },
    rdbg: { path: debuggerPath, version: versionOf(debuggerPath, '--version') ?? 'unknown' },
  };
}
