import { readFileSync } from 'node:fs';
import path from 'node:path';
import { nonEmpty, type Facts } from './facts';
import type { Files } from './plugin';
import { SERVER_SCHEMA } from './schemas';

/** The MCP registry allows 100 characters. */
const DESCRIPTION =
  'VS Code’s debugger for AI agents: breakpoints, steps, variables, traces, failing tests.';

/** The program that npx starts, as a path in the package. */
export const BIN = 'bin/agent-debugger-mcp.js';

/**
 * The stdio bridge as an npm package, for `npx`. With `mcpName`, it also contains the `server.json` for the MCP
 * registry, which expects the same name in the package.
 * @param bridge the text of the bundle `dist/stdio.js`
 */
export function bridgeFiles(root: string, facts: Facts, bridge: string): Files {
  const registry = facts.mcpName === '' ? [] : [['server.json', json(serverOf(facts))] as const];
  return new Map([
    ['package.json', json(manifestOf(facts))],
    [BIN, starter(facts)],
    ['dist/stdio.js', bridge],
    ['README.md', readme(facts)],
    ['LICENSE', readFileSync(path.join(root, 'LICENSE'), 'utf8')],
    ...registry,
  ]);
}

function manifestOf(facts: Facts): object {
  const { npmPackage, version, license, keywords, repository, bugs, homepage, author } = facts;
  return {
    name: npmPackage,
    version,
    description: DESCRIPTION,
    ...nonEmpty({ mcpName: facts.mcpName, author, homepage }),
    ...(repository !== '' && { repository: { type: 'git', url: repository } }),
    ...(bugs !== '' && { bugs }),
    license,
    keywords,
    bin: { 'agent-debugger-mcp': BIN },
    files: ['bin', 'dist'],
    engines: { node: '>=18' },
  };
}

function serverOf(facts: Facts): object {
  const { mcpName, displayName, version, repository, homepage, npmPackage } = facts;
  return {
    $schema: SERVER_SCHEMA,
    name: mcpName,
    title: displayName,
    description: DESCRIPTION,
    version,
    ...nonEmpty({ websiteUrl: homepage }),
    ...(repository !== '' && { repository: { url: repository, source: sourceOf(repository) } }),
    packages: [
      {
        registryType: 'npm',
        identifier: npmPackage,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
      },
    ],
  };
}

/** The name of a repository's hosting service in the registry. */
function sourceOf(repository: string): string {
  return new URL(repository).hostname.replace(/\.[a-z]+$/, '');
}

/** Starts the bridge. It uses old syntax on purpose, so that an old Node can print the error message. */
function starter({ version }: Facts): string {
  return `#!/usr/bin/env node
'use strict';
var VERSION = ${JSON.stringify(version)};
var HELP =
  'agent-debugger-mcp ' + VERSION + ': connects an MCP client to the debugger of VS Code.\\n\\n' +
  'Usage: npx -y agent-debugger-mcp [--workspace <folder>]\\n\\n' +
  'It needs VS Code with the extension Agent Debugger, in which the MCP server has been\\n' +
  'started (MCP in the status bar). Without a window it answers what is missing, and\\n' +
  'connects when a window opens.\\n';

function fail(message) {
  process.stderr.write('agent-debugger-mcp: ' + message + '\\n');
  process.exitCode = 1;
}

function homeOf() {
  try {
    return require('os').homedir();
  } catch (error) {
    return '';
  }
}

function start() {
  var argument = process.argv[2];
  if (argument === '--help' || argument === '-h') return void process.stdout.write(HELP);
  if (argument === '--version') return void process.stdout.write(VERSION + '\\n');
  if (parseInt(process.versions.node, 10) < 18)
    return fail('Node 18 or newer is needed. This is Node ' + process.versions.node + '.');
  if (!require('path').isAbsolute(homeOf()))
    return fail('There is no home folder, where the windows of VS Code are found. Set HOME.');
  require('../dist/stdio.js');
}

start();
`;
}

function readme({ displayName, npmPackage }: Facts): string {
  return `# ${displayName}: the stdio bridge

Connects an MCP client to the debugger of VS Code. It needs Node 18 or newer, and VS Code with the extension ${displayName}, in which the MCP server has been started (**MCP** in the status bar).

\`\`\`json
{
  "mcpServers": {
    "agent-debugger": { "command": "npx", "args": ["-y", "${npmPackage}"] }
  }
}
\`\`\`

The bridge takes the window whose folder it is started in, or the one of \`--workspace <folder>\`. It needs no key and no port. If the extension is missing or no window is open, each answer says what to do, and the bridge connects when a window opens.

The command **Set up a client** of the extension writes an entry that works without npm. Use one of the two, or agents see each tool twice.
`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
