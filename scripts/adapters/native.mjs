// @ts-check
/** LLDB for the compilers of the path: C++ and Rust. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureDebianPackages } from '../vscodeHost/setup.mjs';
import {
  ended,
  inScratchFolder,
  isProgram,
  lastLines,
  log,
  MissingToolchain,
  programInPath,
  programsInPath,
  versionOf,
} from './programs.mjs';

/** The version that is tested, and preferred. */
const DEBIAN_LLDB = 'lldb-19';

/** @type {{ name: string, file: string, text: string, compile: (file: string, program: string) => [string, string[]] }[]} */
const PROBES = [
  {
    name: 'C++',
    file: 'probe.cpp',
    text: 'int main() {\n  int answer = 42;\n  return answer - 42;\n}\n',
    compile: (file, program) => ['g++', ['-g', '-O0', '-o', program, file]],
  },
  {
    name: 'Rust',
    file: 'probe.rs',
    text: 'fn main() {\n    let answer = 42;\n    std::process::exit(answer - 42);\n}\n',
    compile: (file, program) => ['rustc', ['-g', '-o', program, file]],
  },
];

/** Compilers and libraries from Debian's packages, where the path has none. */
export function ensureCompilers() {
  ensureDebianPackages(
    [
      { package: 'g++', found: () => programInPath('g++') !== undefined },
      { package: 'cmake', found: () => programInPath('cmake') !== undefined },
      { package: 'libgtest-dev', found: () => hasGoogleTest() },
      {
        package: 'cargo',
        found: () => programInPath('cargo') !== undefined && programInPath('rustc') !== undefined,
      },
      // debugpy needs it to attach to a running Python program.
      { package: 'gdb', found: () => programInPath('gdb') !== undefined },
    ],
    log,
  );
}

const hasGoogleTest = () =>
  ended('g++', ['-E', '-x', 'c++', '-include', 'gtest/gtest.h', '/dev/null'], { stdio: 'ignore' })
    .isOk;

/**
 * An LLDB that shows a variable of a program of each compiler. `lldb-dap` and `lldb` are of the same version.
 * @returns {{ lldbDap: import('./toolchain.mjs').Chosen, lldb: import('./toolchain.mjs').Chosen }}
 */
export function chooseLldb() {
  if (adaptersInPath().length === 0) installLldb();
  return inScratchFolder((folder) => {
    const programs = PROBES.map((probe) => buildProbe(folder, probe));
    /** @type {string[]} */
    const refused = [];
    for (const lldbDap of adaptersInPath()) {
      const lldb = path.join(path.dirname(lldbDap), path.basename(lldbDap).replace('-dap', ''));
      const problem = isProgram(lldb)
        ? programs.map((program) => problemOf(lldb, program)).find((each) => each !== undefined)
        : 'has no lldb beside it';
      const version = versionOf(lldb, '--version') ?? 'unknown';
      if (problem === undefined)
        return { lldbDap: { path: lldbDap, version }, lldb: { path: lldb, version } };
      refused.push(`${lldbDap}: ${problem}`);
    }
    const reason = `no version debugs the programs of this machine's compilers\n${refused.join('\n')}`;
    throw new MissingToolchain('LLDB', reason, `apt-get install ${DEBIAN_LLDB}`);
  });
}

/** The tested version first, then the newest. */
function adaptersInPath() {
  const versionIn = (/** @type {string} */ file) => Number(/-(\d+)$/.exec(file)?.[1] ?? 0);
  const isTested = (/** @type {string} */ file) => `lldb-${versionIn(file)}` === DEBIAN_LLDB;
  const all = programsInPath(/^lldb-dap(?:-\d+)?$/);
  return all.sort(
    (a, b) => Number(isTested(b)) - Number(isTested(a)) || versionIn(b) - versionIn(a),
  );
}

function installLldb() {
  try {
    ensureDebianPackages(
      [{ package: DEBIAN_LLDB, found: () => programInPath(`lldb-dap-19`) !== undefined }],
      log,
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MissingToolchain('LLDB', reason, `apt-get install ${DEBIAN_LLDB}`);
  }
}

/** @param {string} folder @param {(typeof PROBES)[number]} probe */
function buildProbe(folder, { name, file, text, compile }) {
  const source = path.join(folder, file);
  const program = path.join(folder, `probe-${path.extname(file).slice(1)}`);
  writeFileSync(source, text);
  const [compiler, args] = compile(source, program);
  const built = ended(compiler, args, { cwd: folder });
  if (built.isOk) return { name, source, program };
  throw new MissingToolchain(name, lastLines(built.output), 'apt-get install g++ cargo');
}

/** @param {string} lldb @param {{ name: string, source: string, program: string }} probe */
function problemOf(lldb, { name, source, program }) {
  const commands = [
    `breakpoint set --file ${path.basename(source)} --line 3`,
    'run',
    'frame variable answer',
  ];
  const args = ['--no-lldbinit', '--batch', ...commands.flatMap((each) => ['--one-line', each])];
  const { output } = ended(lldb, [...args, program]);
  if (/answer = 42/.test(output)) return undefined;
  return `shows no variable of a ${name} program: ${lastLines(output, 2)}`;
}
