// @ts-check
/**
 * `npm run mcp-clients:setup`: real agent clients from the npm registry, for the tests of the MCP server. Of each only
 * the program for this machine: the packages that people install (cline, opencode-ai, @openai/codex) start it, and bring
 * builds for other machines and a library besides.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const folder = path.join(root, '.vscode-test', 'mcp-clients');
const machine = `linux-${process.arch}`;

/** Folder in node_modules, and what is in it. */
const PACKAGES = {
  cline: `npm:@cline/cli-${machine}@3.0.65`,
  opencode: `npm:opencode-${machine}@1.18.33`,
  codex: `npm:@openai/codex@0.169.0-${machine}`,
};

if (process.platform !== 'linux') {
  console.log('[mcp clients] the tests with real clients run on Linux only');
  process.exit(0);
}
const wanted = Object.entries(PACKAGES).map(([name, from]) => `${name}@${from}`);
const stamp = path.join(
  folder,
  `.done-${Object.entries(PACKAGES)
    .map(([name, from]) => `${name}-${from.replace(/^.*@/, '')}`)
    .join('-')}`,
);
if (!existsSync(stamp)) {
  console.log('[mcp clients] downloading cline, opencode and codex');
  rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n');
  const result = spawnSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', ...wanted],
    { cwd: folder, encoding: 'utf8' },
  );
  if (result.status !== 0) {
    console.error(
      `[mcp clients] npm install ended with ${result.status ?? result.signal}:\n${result.stderr}`,
    );
    process.exit(1);
  }
  writeFileSync(stamp, '');
}
console.log(
  `[mcp clients] ready: ${Object.entries(PACKAGES)
    .map(([name, from]) => `${name} ${from.replace(/^.*@/, '').replace(`-${machine}`, '')}`)
    .join(', ')}`,
);
