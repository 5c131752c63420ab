// @ts-check
/**
 * `npm run adapters:setup`: the real debug adapters that the tests use. Each debugger is chosen to fit the toolchain in the
 * path. What the machine lacks comes from Debian's packages, the npm registry, PyPI and the Go module proxy.
 */
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ended, lastLines, log } from './programs.mjs';
import { chooseToolchain, table } from './toolchain.mjs';

const fixtures = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  '../../test/fixtures/languages',
);

/** Runs a step that builds a fixture, and throws with its output if it fails. @param {string} program @param {string[]} args */
function build(program, args) {
  const { isOk, output } = ended(program, args, { timeout: 300_000 });
  if (!isOk) throw new Error(`${program} ${args.join(' ')} failed:\n${lastLines(output, 20)}`);
}

function buildFixtures() {
  const native = path.join(fixtures, 'native');
  for (const folder of [native, path.join(fixtures, 'go')])
    mkdirSync(path.join(folder, 'out'), { recursive: true });
  const scenario = path.join(native, 'out/scenario');
  build('g++', ['-g', '-O0', '-pthread', '-o', scenario, path.join(native, 'scenario.cpp')]);
  buildTests(path.join(fixtures, 'tests/native'));
  // The second project needs the sources of GoogleTest, which only Debian's package has.
  if (existsSync('/usr/src/googletest')) buildTests(path.join(fixtures, 'tests/googletest'));
}

/** Builds a project of tests with CMake. @param {string} folder */
function buildTests(folder) {
  build('cmake', ['-S', folder, '-B', path.join(folder, 'out')]);
  build('cmake', ['--build', path.join(folder, 'out')]);
}

try {
  const toolchain = chooseToolchain();
  buildFixtures();
  log(`ready:\n${table(toolchain)}`);
} catch (error) {
  console.error(`[adapters] ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
