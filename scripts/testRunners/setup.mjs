// @ts-check
/** `npm run test-runners:setup`: test runners from the registries, for the tests of debug_test. */
import { lstatSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmFolder } from '../npmFolder.mjs';
import { installJUnit } from './junit.mjs';
import { installPythonWeb } from './pythonWeb.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const folder = path.join(root, '.vscode-test', 'test-runners');

/** The newest versions that run on the oldest Node that the project supports. */
const PACKAGES = ['jest@30.5.2', 'mocha@11.7.5', 'vitest@4.1.12', 'tsx@4.23.15', 'express@5.3.0'];

/** A version with other ways of loading tests, which many projects still use. */
const OLDER = ['vitest@3.2.7'];

/**
 * Installs packages and makes them available to projects of the fixture.
 * @param {string} title
 * @param {string} target
 * @param {string[]} packages
 * @param {string} project the folder below the fixture's tests
 */
function install(title, target, packages, project) {
  // The install script of esbuild, which tsx and vite use, only checks the installation.
  npmFolder({
    title,
    folder: target,
    packages,
    versions: packages.map((spec) => spec.replace('@', '-')),
  });
  const link = path.join(root, 'test/fixtures/languages/tests', project, 'node_modules');
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link, { recursive: true });
  symlinkSync(path.join(target, 'node_modules'), link, 'junction');
  console.log(`[test runners] ready: ${packages.join(', ')}`);
}

install('test runners', folder, PACKAGES, '');
install('older test runners', path.join(folder, 'older'), OLDER, 'vitest3');
installJUnit(path.join(root, '.vscode-test', 'junit'));
if (process.platform === 'linux') installPythonWeb(path.join(root, '.vscode-test', 'web'));
