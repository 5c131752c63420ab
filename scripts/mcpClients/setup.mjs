// @ts-check
/**
 * `npm run mcp-clients:setup`: real agent clients from the npm registry, for the tests of the MCP server. Only the
 * program for this machine is installed. The packages that people install (cline, opencode-ai, @openai/codex) only
 * start it, and also contain builds for other machines and a library.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmFolder } from '../npmFolder.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const folder = path.join(root, '.vscode-test', 'mcp-clients');
const machine = `linux-${process.arch}`;

/** The package for each folder in node_modules. */
const PACKAGES = {
  cline: `npm:@cline/cli-${machine}@3.0.65`,
  opencode: `npm:opencode-${machine}@1.18.33`,
  codex: `npm:@openai/codex@0.169.0-${machine}`,
  claude: `npm:@anthropic-ai/claude-code-${machine}@2.1.197`,
  copilot: `npm:@github/copilot-${machine}@1.0.102`,
  gemini: 'npm:@google/gemini-cli@0.61.0',
};

if (process.platform !== 'linux') {
  console.log('[mcp clients] the tests with real clients run on Linux only');
  process.exit(0);
}
npmFolder({
  title: 'mcp clients',
  folder,
  packages: Object.entries(PACKAGES).map(([name, from]) => `${name}@${from}`),
  versions: Object.entries(PACKAGES).map(([name, from]) => `${name}-${from.replace(/^.*@/, '')}`),
  // The optional packages of Gemini CLI are native modules that are not needed.
  options: ['--no-package-lock', '--omit=optional'],
});
console.log(
  `[mcp clients] ready: ${Object.entries(PACKAGES)
    .map(([name, from]) => `${name} ${from.replace(/^.*@/, '').replace(`-${machine}`, '')}`)
    .join(', ')}`,
);
