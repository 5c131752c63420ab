// @ts-check
/** Small helpers of the set-up of debug adapters: programs in the path, their output, and packages. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Where the set-up installs what it does not find, and writes what it chose. Git ignores it. */
export const ADAPTERS_FOLDER = path.join(root, '.vscode-test', 'adapters');

/** @param {string} line */
export const log = (line) => console.log(`[adapters] ${line}`);

/** The folders of the path, each once. */
export const pathFolders = () => [
  ...new Set((process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '')),
];

/** @param {string} file */
export function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The first program with that name in the path, or undefined. @param {string} name */
export const programInPath = (name) =>
  pathFolders()
    .map((folder) => path.join(folder, name))
    .find(isProgram);

/** All programs in the path whose names match, in the order of the path. @param {RegExp} pattern */
export const programsInPath = (pattern) =>
  pathFolders().flatMap((folder) => {
    try {
      return readdirSync(folder)
        .filter((name) => pattern.test(name))
        .map((name) => path.join(folder, name));
    } catch {
      return [];
    }
  });

/**
 * @typedef {object} Ended
 * @property {boolean} isOk exit code 0
 * @property {string} output standard output and standard error
 */

/**
 * Runs a program to its end.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options] Default: a time limit of two minutes
 * @returns {Ended}
 */
export function ended(program, args, options = {}) {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    timeout: 120_000,
    encoding: 'utf8',
    ...options,
  });
  return { isOk: status === 0, output: `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}` };
}

/** The first version number that a program prints, or undefined. @param {string} program @param {...string} args */
export function versionOf(program, ...args) {
  const { isOk, output } = ended(program, args);
  return isOk ? /\d+(?:\.\d+)+/.exec(output)?.[0] : undefined;
}

/** A toolchain that this machine cannot be served. The message has the command that would install it. */
export class MissingToolchain extends Error {
  /** @param {string} name @param {string} reason @param {string} command */
  constructor(name, reason, command) {
    super(`${name}: ${reason.trim()}\nInstall it with: ${command}`);
  }
}

/** The last lines of an output, for messages. @param {string} output */
export const lastLines = (output, count = 6) => output.trim().split('\n').slice(-count).join('\n');

/**
 * Calls an action with a new folder, and removes the folder.
 * @template T
 * @param {(folder: string) => T} action
 * @returns {T}
 */
export function inScratchFolder(action) {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-setup-'));
  try {
    return action(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
