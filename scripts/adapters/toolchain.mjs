// @ts-check
/** The toolchains and debuggers that the tests use. The set-up chooses them and writes them down; the tests read them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chooseDelve, chooseGo } from './go.mjs';
import { chooseJdk, chooseJUnit, installServer } from './java.mjs';
import { chooseLldb, ensureCompilers } from './native.mjs';
import { ADAPTERS_FOLDER, programInPath, versionOf } from './programs.mjs';
import { choosePython } from './python.mjs';
import { chooseRuby } from './ruby.mjs';

/** @typedef {{ path: string, version: string }} Chosen */
/** @typedef {Record<string, Chosen>} Toolchain */

const file = path.join(ADAPTERS_FOLDER, 'toolchain.json');

/**
 * Installs what is missing, and checks with a small program that each debugger fits its compiler.
 * @throws {import('./programs.mjs').MissingToolchain} with the command that would install what cannot be served
 * @returns {Toolchain}
 */
export function chooseToolchain() {
  ensureCompilers();
  const go = chooseGo();
  const toolchain = {
    ...choosePython(),
    go,
    delve: chooseDelve(go),
    gcc: present('g++', '-dumpfullversion'),
    rust: present('rustc', '--version'),
    cargo: present('cargo', '--version'),
    cmake: present('cmake', '--version'),
    gdb: present('gdb', '--version'),
    ...chooseLldb(),
    jdk: chooseJdk(),
    javaServer: installServer(),
    ...chooseJUnit(),
    ...chooseRuby(),
  };
  mkdirSync(ADAPTERS_FOLDER, { recursive: true });
  writeFileSync(file, `${JSON.stringify(toolchain, undefined, 2)}\n`);
  return toolchain;
}

/** @param {string} name @param {...string} args @returns {Chosen} */
function present(name, ...args) {
  const program = programInPath(name) ?? name;
  return { path: program, version: versionOf(program, ...args) ?? 'unknown' };
}

/** The table of what was chosen. @param {Toolchain} toolchain */
export function table(toolchain) {
  const rows = Object.entries(toolchain).map(([name, { path: place, version }]) => [
    name,
    version,
    path.relative(process.cwd(), place).startsWith('..')
      ? place
      : path.relative(process.cwd(), place),
  ]);
  const width = (/** @type {number} */ column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows
    .map(([name = '', version = '', place = '']) =>
      `${name.padEnd(width(0))}  ${version.padEnd(width(1))}  ${place}`.trimEnd(),
    )
    .join('\n');
}

/** What the last set-up chose; undefined if there was none. @returns {Toolchain | undefined} */
const chosen = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);

/** The path of a program that the last set-up chose; if there was none, the name. @param {string} name */
export const chosenTool = (name) => chosen()?.[name]?.path ?? name;

/** The table of the last set-up, or that there was none. */
export function chosenTable() {
  const toolchain = chosen();
  return toolchain ? table(toolchain) : 'none chosen: npm run adapters:setup';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(chosenTable());
