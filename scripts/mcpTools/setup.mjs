// @ts-check
/** `npm run mcp-tools:setup`: the MCP conformance suite and the MCP Inspector, from the npm registry, for the tests. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmFolder } from '../npmFolder.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const folder = path.join(root, '.vscode-test', 'mcp-tools');

/** Both need a newer Node than the oldest that the project supports. The tests use the Node of the VS Code host. */
const PACKAGES = [
  '@modelcontextprotocol/conformance@0.1.16',
  '@modelcontextprotocol/inspector@2.12.0',
];

npmFolder({
  title: 'mcp tools',
  folder,
  packages: PACKAGES,
  versions: PACKAGES.map((spec) => spec.replace(/^.*\//, '').replace('@', '-')),
});
console.log(`[mcp tools] ready: ${PACKAGES.join(', ')}`);
