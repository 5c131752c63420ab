import path from 'node:path';
import type { Client, ClientEntry, EntryValue, ClientMachine, StdioAccess } from './client';

/*
 * The current format of each client. docs/clients.md lists the sources.
 */

const join = (machine: ClientMachine, ...parts: readonly string[]): string =>
  (machine.platform === 'win32' ? path.win32 : path.posix).join(...parts);
const home =
  (...parts: readonly string[]) =>
  (machine: ClientMachine): readonly string[] => [join(machine, machine.home, ...parts)];

/** A folder whose path an environment variable may override. */
export const moved =
  (variable: string, ...usual: readonly string[]) =>
  (machine: ClientMachine): string => {
    const named = machine.env[variable]?.trim();
    return named === undefined || named === '' ? join(machine, machine.home, ...usual) : named;
  };

const roaming = (machine: ClientMachine): string => moved('APPDATA', 'AppData', 'Roaming')(machine);

/** The folder for settings of programs on Linux, which some programs use on every platform. */
const configFolder = moved('XDG_CONFIG_HOME', '.config');

const environment = (env: Readonly<Record<string, string>>): { readonly env?: EntryValue } =>
  Object.keys(env).length === 0 ? {} : { env };
const program = ({ command, args, env }: StdioAccess): ClientEntry => ({
  command,
  args,
  ...environment(env),
});
const typed = (access: StdioAccess): ClientEntry => ({ type: 'stdio', ...program(access) });

function clineFiles(machine: ClientMachine): readonly string[] {
  const file = machine.env['CLINE_MCP_SETTINGS_PATH']?.trim();
  if (file !== undefined && file !== '') return [file];
  const data = machine.env['CLINE_DATA_DIR']?.trim();
  return [
    join(
      machine,
      data === undefined || data === ''
        ? join(machine, moved('CLINE_DIR', '.cline')(machine), 'data')
        : data,
      'settings',
      'cline_mcp_settings.json',
    ),
  ];
}

/** If Claude Desktop is a Windows package, it has its own folder instead of `%APPDATA%`. */
function claudeDesktopFiles(machine: ClientMachine): readonly string[] {
  const file = 'claude_desktop_config.json';
  if (machine.platform === 'darwin')
    return [join(machine, machine.home, 'Library', 'Application Support', 'Claude', file)];
  if (machine.platform !== 'win32') return [join(machine, configFolder(machine), 'Claude', file)];
  const packages = join(machine, moved('LOCALAPPDATA', 'AppData', 'Local')(machine), 'Packages');
  const own = machine
    .names(packages)
    .filter((name) => name.startsWith('Claude_'))
    .map((name) => join(machine, packages, name, 'LocalCache', 'Roaming', 'Claude', file));
  return [...own, join(machine, roaming(machine), 'Claude', file)];
}

function zedFiles(machine: ClientMachine): readonly string[] {
  if (machine.platform === 'win32')
    return [join(machine, roaming(machine), 'Zed', 'settings.json')];
  return [
    join(
      machine,
      machine.platform === 'darwin'
        ? join(machine, machine.home, '.config')
        : configFolder(machine),
      'zed',
      'settings.json',
    ),
  ];
}

export const CLIENTS: readonly Client[] = [
  {
    id: 'cursor',
    name: 'Cursor',
    format: 'json',
    container: 'mcpServers',
    userFiles: home('.cursor', 'mcp.json'),
    workspaceFiles: ['.cursor/mcp.json'],
    http: (url, headers) => ({ url, headers }),
    stdio: typed,
  },
  {
    // Without a type, Cline uses the older HTTP+SSE for an address. There is no project level.
    id: 'cline',
    name: 'Cline',
    format: 'json',
    container: 'mcpServers',
    userFiles: clineFiles,
    http: (url, headers) => ({ type: 'streamableHttp', url, headers }),
    stdio: typed,
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    format: 'json',
    container: 'mcpServers',
    userFiles: (machine) => [join(machine, moved('CLAUDE_CONFIG_DIR')(machine), '.claude.json')],
    workspaceFiles: ['.mcp.json'],
    http: (url, headers) => ({ type: 'http', url, headers }),
    stdio: typed,
  },
  {
    // VS Code's Agent Host reads the file as well. Other users can read it, so no key is written to it.
    id: 'copilot-cli',
    name: 'Copilot CLI',
    format: 'json',
    container: 'mcpServers',
    userFiles: (machine) => [
      join(machine, moved('COPILOT_HOME', '.copilot')(machine), 'mcp-config.json'),
    ],
    workspaceFiles: ['.github/mcp.json'],
    stdio: (access) => ({ type: 'local', ...program(access) }),
  },
  {
    // The file supports only programs. Addresses are added in the application, through Anthropic's servers.
    id: 'claude-desktop',
    name: 'Claude Desktop',
    format: 'json',
    container: 'mcpServers',
    userFiles: claudeDesktopFiles,
    stdio: program,
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    format: 'json',
    container: 'mcpServers',
    userFiles: home('.codeium', 'windsurf', 'mcp_config.json'),
    http: (url, headers) => ({ serverUrl: url, headers }),
    stdio: program,
  },
  {
    // Devin Desktop is the name of Windsurf since June 2026.
    id: 'devin-desktop',
    name: 'Devin Desktop',
    format: 'json',
    container: 'mcpServers',
    userFiles: (machine) => [
      join(
        machine,
        machine.platform === 'win32' ? roaming(machine) : join(machine, machine.home, '.config'),
        'devin',
        'mcp_config.json',
      ),
    ],
    workspaceFiles: ['.devin/mcp_config.json'],
    http: (url, headers) => ({ url, headers }),
    stdio: program,
  },
  {
    // The project's file is read in projects that Codex trusts.
    id: 'codex',
    name: 'Codex',
    format: 'toml',
    container: 'mcp_servers',
    userFiles: (machine) => [join(machine, moved('CODEX_HOME', '.codex')(machine), 'config.toml')],
    workspaceFiles: ['.codex/config.toml'],
    http: (url, headers) => ({ url, http_headers: headers }),
    stdio: program,
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    format: 'json',
    container: 'mcpServers',
    userFiles: (machine) => [
      join(machine, moved('GEMINI_CLI_HOME')(machine), '.gemini', 'settings.json'),
    ],
    workspaceFiles: ['.gemini/settings.json'],
    http: (url, headers) => ({ httpUrl: url, headers }),
    stdio: program,
  },
  {
    id: 'opencode',
    name: 'opencode',
    format: 'json',
    container: 'mcp',
    newFile: { $schema: 'https://opencode.ai/config.json' },
    userFiles: (machine) =>
      ['opencode.json', 'opencode.jsonc'].map((name) =>
        join(machine, configFolder(machine), 'opencode', name),
      ),
    workspaceFiles: ['opencode.json', 'opencode.jsonc'],
    http: (url, headers) => ({ type: 'remote', url, headers }),
    stdio: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      ...(Object.keys(env).length > 0 && { environment: env }),
    }),
  },
  {
    // An address without a type is refused.
    id: 'roo-code',
    name: 'Roo Code',
    format: 'json',
    container: 'mcpServers',
    userFiles: (machine) => [
      join(
        machine,
        machine.extensionsStorage,
        'rooveterinaryinc.roo-cline',
        'settings',
        'mcp_settings.json',
      ),
    ],
    workspaceFiles: ['.roo/mcp.json'],
    http: (url, headers) => ({ type: 'streamable-http', url, headers }),
    stdio: typed,
  },
  {
    // A separate file next to Continue's configuration. Continue also reads JSON in the format of other clients.
    id: 'continue',
    name: 'Continue',
    format: 'json',
    container: 'mcpServers',
    userFiles: (machine) => [
      join(
        machine,
        moved('CONTINUE_GLOBAL_DIR', '.continue')(machine),
        'mcpServers',
        'agent-debugger.json',
      ),
    ],
    workspaceFiles: ['.continue/mcpServers/agent-debugger.json'],
    http: (url, headers) => ({ type: 'http', url, headers }),
    stdio: typed,
  },
  {
    id: 'zed',
    name: 'Zed',
    format: 'json',
    container: 'context_servers',
    userFiles: zedFiles,
    workspaceFiles: ['.zed/settings.json'],
    http: (url, headers) => ({ url, headers }),
    stdio: program,
  },
];

/** For clients that are not listed: the most common format, without a file. */
export const OTHER: Client = {
  id: 'other',
  name: '',
  format: 'json',
  container: 'mcpServers',
  http: (url, headers) => ({ type: 'http', url, headers }),
  stdio: typed,
};
