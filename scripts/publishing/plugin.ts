import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SERVER_NAME } from '../../src/mcp/clients/client';
import { SELECT_WINDOW } from '../../src/mcp/windows/selectWindow';
import { ALL_TOOLS } from '../../src/tools/catalog';
import { nonEmpty, type Facts } from './facts';
import { MCP_SCHEMA, PLUGIN_SCHEMA } from './schemas';

/** Files by their path in a package. */
export type Files = ReadonlyMap<string, string>;

export const SKILL = 'skills/debug-instead-of-guessing/SKILL.md';
const AGENT = 'agents/debugger.agent.md';
const COMMAND = 'prompts/debugger.prompt.md';
const BRIDGE = 'bridge/stdio.js';

/**
 * The portable plugin: Agent Plugins 1.0, with the same content as plugins for Claude Code and Cursor, which read
 * `agents/` and `commands/`, and as an extension for Gemini CLI. It contains the bridge, so that nothing is downloaded
 * when a client starts it.
 * @param bridge the text of the bundle `dist/stdio.js`
 */
export function pluginFiles(root: string, facts: Facts, bridge: string): Files {
  const source = (file: string): string => readFileSync(path.join(root, file), 'utf8');
  const metadata = metadataOf(facts);
  const server = (folder: string): object => ({
    [SERVER_NAME]: { type: 'stdio', command: 'node', args: [`${folder}/${BRIDGE}`] },
  });
  const [agent, command] = [partsOf(source(AGENT)), partsOf(source(COMMAND))];
  const commandText = withHeader(command, ['description'], []);
  return new Map([
    ['plugin.json', json({ $schema: PLUGIN_SCHEMA, ...metadata })],
    ['mcp.json', json({ $schema: MCP_SCHEMA, mcpServers: server('${PLUGIN_ROOT}') })],
    [SKILL, source(SKILL)],
    [BRIDGE, bridge],
    [
      'com.github.copilot/agents/debugger.agent.md',
      withHeader(agent, ['name', 'description'], [`tools: ["${SERVER_NAME}/*"]`]),
    ],
    ['com.github.copilot/commands/debugger.md', commandText],
    ['agents/debugger.md', withHeader(agent, ['name', 'description'], [`tools: ${claudeTools()}`])],
    ['commands/debugger.md', commandText],
    [
      '.claude-plugin/plugin.json',
      json({ ...metadata, mcpServers: server('${CLAUDE_PLUGIN_ROOT}') }),
    ],
    [
      '.cursor-plugin/plugin.json',
      json({ ...metadata, mcpServers: server('${CURSOR_PLUGIN_ROOT}') }),
    ],
    ['gemini-extension.json', json(geminiExtension(facts))],
    ['README.md', readme(facts)],
    ['LICENSE', source('LICENSE')],
    ['CHANGELOG.md', source('CHANGELOG.md')],
  ]);
}

/** Gemini CLI reads `skills/` and `agents/` as well. */
function geminiExtension({ name, version, description }: Facts): object {
  const server = { command: 'node', args: [`\${extensionPath}/${BRIDGE}`] };
  return { name, version, description, mcpServers: { [SERVER_NAME]: server } };
}

function metadataOf(facts: Facts): object {
  const { name, version, description, license, keywords, owner, author, email } = facts;
  const person = nonEmpty({ name: author || owner, email });
  return {
    name,
    version,
    description,
    ...(Object.keys(person).length > 0 && { author: person }),
    ...nonEmpty({ homepage: facts.homepage, repository: facts.repository }),
    license,
    keywords,
  };
}

/** Our tools under the names that Claude Code gives the tools of a plugin's server. The agent gets only these. */
function claudeTools(): string {
  const prefix = `mcp__plugin_${SERVER_NAME}_${SERVER_NAME}__`;
  return [...ALL_TOOLS.map(({ name }) => name), SELECT_WINDOW]
    .map((name) => `${prefix}${name}`)
    .join(', ');
}

interface Parts {
  readonly header: readonly string[];
  readonly body: string;
}

function partsOf(text: string): Parts {
  const [, header, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  if (header === undefined || body === undefined) throw new Error('A header is missing.');
  return { header: header.split('\n'), body };
}

function withHeader(
  { header, body }: Parts,
  kept: readonly string[],
  added: readonly string[],
): string {
  const lines = header.filter((line) => kept.some((name) => line.startsWith(`${name}: `)));
  return ['---', ...lines, ...added, '---', body].join('\n');
}

function readme({ displayName, description, version }: Facts): string {
  return `# ${displayName}

${description}

This plugin (version ${version}) contains the skill \`debug-instead-of-guessing\`, the agent \`debugger\`, the command \`debugger\`, and an MCP server that connects to VS Code. The server needs Node 18 or newer, and VS Code with the extension ${displayName}, in which the MCP server has been started (**MCP** in the status bar).

Install it in one way only: if the client has an entry \`${SERVER_NAME}\` in its settings already, or if VS Code itself runs the extension, remove one of the two. Else the agent sees each tool twice.
`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
