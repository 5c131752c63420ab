// @ts-check
/** `npm run adapters:setup`: the real debug adapters that the tests use, from Debian's packages and the npm registry. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDebianPackages } from '../vscodeHost/setup.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const folder = path.join(root, '.vscode-test', 'adapters');
const JAVA = ['coc-java@1.14.1', 'coc-java-debug@1.0.0'];

const onPath = (/** @type {string} */ name) =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .some((folder) => existsSync(path.join(folder, name)));
const log = (/** @type {string} */ line) => console.log(`[adapters] ${line}`);

ensureDebianPackages(
  [
    {
      package: 'python3-debugpy',
      found: () => spawnSync('/usr/bin/python3', ['-c', 'import debugpy']).status === 0,
    },
    // debugpy needs it to attach to a running Python program.
    { package: 'gdb', found: () => onPath('gdb') },
    {
      package: 'python3-pytest',
      found: () => spawnSync('/usr/bin/python3', ['-c', 'import pytest']).status === 0,
    },
    { package: 'lldb-19', found: () => existsSync('/usr/bin/lldb-dap-19') },
    { package: 'g++', found: () => onPath('g++') },
    { package: 'cmake', found: () => onPath('cmake') },
    { package: 'libgtest-dev', found: () => existsSync('/usr/include/gtest/gtest.h') },
    { package: 'delve', found: () => onPath('dlv') },
    { package: 'golang-go', found: () => onPath('go') },
    { package: 'cargo', found: () => onPath('cargo') },
    { package: 'openjdk-17-jdk-headless', found: () => onPath('java') && onPath('javac') },
    { package: 'junit4', found: () => existsSync('/usr/share/java/junit4.jar') },
    { package: 'junit5', found: () => existsSync('/usr/share/java/junit-jupiter-engine.jar') },
  ],
  log,
);
const stamp = path.join(folder, `.done-${JAVA.join('-').replaceAll('@', '-')}`);
if (!existsSync(stamp)) {
  log('downloading the Java language server and its debugger');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n');
  const result = spawnSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...JAVA],
    { cwd: folder, encoding: 'utf8' },
  );
  if (result.status !== 0) {
    console.error(`[adapters] npm install ended with ${result.status}:\n${result.stderr}`);
    process.exit(1);
  }
  writeFileSync(stamp, '');
}
const scenario = path.join(root, 'test/fixtures/languages/native');
mkdirSync(path.join(scenario, 'out'), { recursive: true });
mkdirSync(path.join(root, 'test/fixtures/languages/go/out'), { recursive: true });
const compiled = spawnSync(
  'g++',
  [
    '-g',
    '-O0',
    '-pthread',
    '-o',
    path.join(scenario, 'out/scenario'),
    path.join(scenario, 'scenario.cpp'),
  ],
  { encoding: 'utf8' },
);
if (compiled.status !== 0) {
  console.error(`[adapters] the C++ scenario does not compile:\n${compiled.stderr}`);
  process.exit(1);
}
const tests = path.join(root, 'test/fixtures/languages/tests/native');
for (const args of [
  ['-S', tests, '-B', path.join(tests, 'out')],
  ['--build', path.join(tests, 'out')],
]) {
  const built = spawnSync('cmake', args, { encoding: 'utf8' });
  if (built.status === 0) continue;
  console.error(`[adapters] the C++ tests cannot be built:\n${built.stdout}${built.stderr}`);
  process.exit(1);
}
log('ready: debugpy, lldb-dap, delve, java-debug');
