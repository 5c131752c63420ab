// @ts-check
/** `npm run test-runners:setup`: test runners from the npm registry, for the tests of debug_test. */
import { lstatSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmFolder } from '../npmFolder.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const folder = path.join(root, '.vscode-test', 'test-runners');

/** The newest versions that run on the oldest Node that the project supports. */
const PACKAGES = ['jest@30.5.2', 'mocha@11.7.5', 'vitest@4.1.12', 'tsx@4.23.15'];

// The install script of esbuild, which tsx and vite use, only checks the installation.
npmFolder({
  title: 'test runners',
  folder,
  packages: PACKAGES,
  versions: PACKAGES.map((spec) => spec.replace('@', '-')),
});
// The link makes them available to the projects of the fixture.
const link = path.join(root, 'test/fixtures/languages/tests/node_modules');
if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link, { recursive: true });
symlinkSync(path.join(folder, 'node_modules'), link, 'junction');
console.log(`[test runners] ready: ${PACKAGES.join(', ')}`);
