// @ts-check
/** `npm run bench`: speed and size against named baselines, in real VS Code. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
build();
console.log(`${cpus().length} × ${cpus()[0]?.model.trim()}`);
const result = spawnSync(
  path.join(root, 'scripts/vscodeHost/code.mjs'),
  [path.join(root, 'test/fixtures/bench'), `--extensionTestsPath=${path.join(root, 'out/test/bench/bench.js')}`, `--extensionDevelopmentPath=${root}`],
  { cwd: root, stdio: 'inherit' },
);
if (result.status !== 0) process.exit(result.status ?? 1);

const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-vsix-'));
const vsix = path.join(folder, 'agent-debugger.vsix');
const packaged = spawnSync('npx', ['vsce', 'package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--out', vsix], { cwd: root, encoding: 'utf8' });
if (packaged.status !== 0) {
  console.error(packaged.stdout + packaged.stderr);
  process.exit(1);
}
const kilobytes = (/** @type {string} */ file) => `${(statSync(file).size / 1024).toFixed(0).padStart(8)} KB`;
console.log(`\nSize:\n  ${'bundle'.padEnd(60)} ${kilobytes(path.join(root, 'dist/extension.js'))}\n  ${'VSIX'.padEnd(60)} ${kilobytes(vsix)}`);
rmSync(folder, { recursive: true });
