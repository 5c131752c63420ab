// @ts-check
/** `npm run mcp-tools:setup`: the MCP conformance suite and the MCP Inspector, from the npm registry, for the tests. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const folder = path.join(root, '.vscode-test', 'mcp-tools');

/** Both want a newer Node than the project's oldest: the tests run them with the one of the VS Code host. */
const PACKAGES = [
  '@modelcontextprotocol/conformance@0.1.16',
  '@modelcontextprotocol/inspector@2.12.0',
];

const stamp = path.join(
  folder,
  `.done-${PACKAGES.map((each) => each.replace(/^.*\//, '').replace('@', '-')).join('-')}`,
);
if (!existsSync(stamp)) {
  console.log('[mcp tools] downloading the conformance suite and the Inspector');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n');
  const result = spawnSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES],
    { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' },
  );
  if (result.status !== 0) {
    console.error(`[mcp tools] npm install ended with ${result.status}:\n${result.stderr}`);
    process.exit(1);
  }
  writeFileSync(stamp, '');
}
console.log(`[mcp tools] ready: ${PACKAGES.join(', ')}`);
