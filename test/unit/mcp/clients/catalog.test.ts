import { strict as assert } from 'node:assert';
import { bridgeProgram, bridgeScript } from '../../../../src/mcp/clients/bridgeProgram';
import { CLIENTS, OTHER } from '../../../../src/mcp/clients/catalog';
import { entryFor, REACHING, type ClientMachine } from '../../../../src/mcp/clients/client';
import { pasteText } from '../../../../src/mcp/clients/setUp';

const URL_ = 'http://127.0.0.1:26321/mcp';
const HTTP = { kind: 'http', url: URL_, key: 'k3y' } as const;
const STDIO = {
  kind: 'stdio',
  command: '/usr/bin/code',
  args: ['/h/stdio.js', '--workspace', '/p'],
  env: { ELECTRON_RUN_AS_NODE: '1' },
} as const;
const headers = { Authorization: 'Bearer k3y' };
const { command, args, env } = STDIO;

const linux: ClientMachine = {
  platform: 'linux',
  home: '/home/ann',
  env: {},
  extensionsStorage: '/home/ann/.config/Code/User/globalStorage',
  names: () => [],
};
const mac: ClientMachine = {
  ...linux,
  platform: 'darwin',
  home: '/Users/ann',
  extensionsStorage: '/Users/ann/Library/Application Support/Code/User/globalStorage',
};
const windows: ClientMachine = {
  ...linux,
  platform: 'win32',
  home: 'C:\\Users\\ann',
  env: { APPDATA: 'C:\\Users\\ann\\AppData\\Roaming' },
  extensionsStorage: 'C:\\Users\\ann\\AppData\\Roaming\\Code\\User\\globalStorage',
};

const filesOf = (id: string, machine: ClientMachine): readonly string[] =>
  CLIENTS.find((each) => each.id === id)?.userFiles?.(machine) ?? [];

describe('clients', () => {
  it('each have an entry in their own format, for an address and for a program', () => {
    const entries = Object.fromEntries(
      [...CLIENTS, OTHER].map((client) => [
        client.id,
        {
          http: client.http === undefined ? undefined : entryFor(client, HTTP),
          stdio: entryFor(client, STDIO),
        },
      ]),
    );
    const typed = { type: 'stdio', command, args, env };
    const bare = { command, args, env };
    assert.deepEqual(entries, {
      cursor: { http: { url: URL_, headers }, stdio: typed },
      cline: { http: { type: 'streamableHttp', url: URL_, headers }, stdio: typed },
      'claude-code': { http: { type: 'http', url: URL_, headers }, stdio: typed },
      'copilot-cli': { http: undefined, stdio: { type: 'local', ...bare } },
      'claude-desktop': { http: undefined, stdio: bare },
      windsurf: { http: { serverUrl: URL_, headers }, stdio: bare },
      'devin-desktop': { http: { url: URL_, headers }, stdio: bare },
      codex: { http: { url: URL_, http_headers: headers }, stdio: bare },
      'gemini-cli': { http: { httpUrl: URL_, headers }, stdio: bare },
      opencode: {
        http: { type: 'remote', url: URL_, headers },
        stdio: { type: 'local', command: [command, ...args], environment: env },
      },
      'roo-code': { http: { type: 'streamable-http', url: URL_, headers }, stdio: typed },
      continue: { http: { type: 'http', url: URL_, headers }, stdio: typed },
      zed: { http: { url: URL_, headers }, stdio: bare },
      other: { http: { type: 'http', url: URL_, headers }, stdio: typed },
    });
    for (const each of Object.values(entries))
      for (const name of [...Object.keys(each.http ?? {}), ...Object.keys(each.stdio)])
        assert.ok(REACHING.has(name), name);
  });

  it('have a configuration to copy with the address and the key once, or without a key', async () => {
    for (const client of [...CLIENTS, OTHER]) {
      const texts = client.http === undefined ? [] : [await pasteText(client, HTTP)];
      for (const text of texts) {
        assert.equal(text.split(URL_).length, 2, client.id);
        assert.equal(text.split('Bearer k3y').length, 2, client.id);
      }
      const program = await pasteText(client, STDIO);
      assert.equal(program.includes('k3y'), false);
      if (client.format === 'json') for (const text of [...texts, program]) JSON.parse(text);
    }
  });

  it('each have the settings file that the client reads on each platform', () => {
    const on = (machine: ClientMachine): Record<string, readonly string[]> =>
      Object.fromEntries(CLIENTS.map(({ id }) => [id, filesOf(id, machine)]));
    assert.deepEqual(on(linux), {
      cursor: ['/home/ann/.cursor/mcp.json'],
      cline: ['/home/ann/.cline/data/settings/cline_mcp_settings.json'],
      'claude-code': ['/home/ann/.claude.json'],
      'copilot-cli': ['/home/ann/.copilot/mcp-config.json'],
      'claude-desktop': ['/home/ann/.config/Claude/claude_desktop_config.json'],
      windsurf: ['/home/ann/.codeium/windsurf/mcp_config.json'],
      'devin-desktop': ['/home/ann/.config/devin/mcp_config.json'],
      codex: ['/home/ann/.codex/config.toml'],
      'gemini-cli': ['/home/ann/.gemini/settings.json'],
      opencode: [
        '/home/ann/.config/opencode/opencode.json',
        '/home/ann/.config/opencode/opencode.jsonc',
      ],
      'roo-code': [
        '/home/ann/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
      ],
      continue: ['/home/ann/.continue/mcpServers/agent-debugger.json'],
      zed: ['/home/ann/.config/zed/settings.json'],
    });
    assert.deepEqual(on(mac)['claude-desktop'], [
      '/Users/ann/Library/Application Support/Claude/claude_desktop_config.json',
    ]);
    assert.deepEqual(on(mac)['zed'], ['/Users/ann/.config/zed/settings.json']);
    assert.deepEqual(on(windows), {
      cursor: ['C:\\Users\\ann\\.cursor\\mcp.json'],
      cline: ['C:\\Users\\ann\\.cline\\data\\settings\\cline_mcp_settings.json'],
      'claude-code': ['C:\\Users\\ann\\.claude.json'],
      'copilot-cli': ['C:\\Users\\ann\\.copilot\\mcp-config.json'],
      'claude-desktop': ['C:\\Users\\ann\\AppData\\Roaming\\Claude\\claude_desktop_config.json'],
      windsurf: ['C:\\Users\\ann\\.codeium\\windsurf\\mcp_config.json'],
      'devin-desktop': ['C:\\Users\\ann\\AppData\\Roaming\\devin\\mcp_config.json'],
      codex: ['C:\\Users\\ann\\.codex\\config.toml'],
      'gemini-cli': ['C:\\Users\\ann\\.gemini\\settings.json'],
      opencode: [
        'C:\\Users\\ann\\.config\\opencode\\opencode.json',
        'C:\\Users\\ann\\.config\\opencode\\opencode.jsonc',
      ],
      'roo-code': [
        'C:\\Users\\ann\\AppData\\Roaming\\Code\\User\\globalStorage\\rooveterinaryinc.roo-cline\\settings\\mcp_settings.json',
      ],
      continue: ['C:\\Users\\ann\\.continue\\mcpServers\\agent-debugger.json'],
      zed: ['C:\\Users\\ann\\AppData\\Roaming\\Zed\\settings.json'],
    });
  });

  it('include a packaged Claude Desktop on Windows, whose files are found', () => {
    const packaged: ClientMachine = {
      ...windows,
      names: (folder) =>
        folder === 'C:\\Users\\ann\\AppData\\Local\\Packages' ? ['Other_1', 'Claude_pzs8'] : [],
    };
    assert.equal(
      filesOf('claude-desktop', packaged)[0],
      'C:\\Users\\ann\\AppData\\Local\\Packages\\Claude_pzs8\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
    );
  });

  it('follow the environment variables that move a client’s folder', () => {
    const moved: ClientMachine = {
      ...linux,
      env: {
        CODEX_HOME: '/c',
        CLAUDE_CONFIG_DIR: '/cc',
        XDG_CONFIG_HOME: '/x',
        GEMINI_CLI_HOME: '/g',
        CONTINUE_GLOBAL_DIR: '/co',
        CLINE_DIR: '/cl',
        COPILOT_HOME: '/co-cli',
      },
    };
    assert.deepEqual(
      [
        ...['codex', 'claude-code', 'opencode', 'zed', 'gemini-cli', 'continue', 'cline'],
        'copilot-cli',
      ].map((id) => filesOf(id, moved)[0]),
      [
        '/c/config.toml',
        '/cc/.claude.json',
        '/x/opencode/opencode.json',
        '/x/zed/settings.json',
        '/g/.gemini/settings.json',
        '/co/mcpServers/agent-debugger.json',
        '/cl/data/settings/cline_mcp_settings.json',
        '/co-cli/mcp-config.json',
      ],
    );
    assert.deepEqual(
      filesOf('cline', { ...moved, env: { CLINE_DATA_DIR: '/d', CLINE_MCP_SETTINGS_PATH: '' } }),
      ['/d/settings/cline_mcp_settings.json'],
    );
    assert.deepEqual(filesOf('cline', { ...moved, env: { CLINE_MCP_SETTINGS_PATH: '/f.json' } }), [
      '/f.json',
    ]);
  });
});

describe('the stdio bridge', () => {
  it('is started by a script if there is a shell, whichever editor or server set it up', () => {
    for (const runtime of [
      { execPath: '/usr/share/code/code', isElectron: true },
      { execPath: '/home/ann/.vscode-server/bin/abc/node', isElectron: false },
    ]) {
      assert.deepEqual(bridgeProgram(linux, runtime, '/p'), {
        kind: 'stdio',
        command: '/bin/sh',
        args: ['/home/ann/.agent-debugger/stdio.sh', '--workspace', '/p'],
        env: {},
      });
      assert.deepEqual(bridgeProgram(mac, runtime), {
        kind: 'stdio',
        command: '/bin/sh',
        args: ['/Users/ann/.agent-debugger/stdio.sh'],
        env: {},
      });
    }
  });

  it('is run on Windows by the editor itself, and by Node on a server', () => {
    const script = 'C:\\Users\\ann\\.agent-debugger\\stdio.js';
    assert.deepEqual(
      bridgeProgram(windows, { execPath: 'C:\\Code.exe', isElectron: true }, 'C:\\p'),
      {
        kind: 'stdio',
        command: 'C:\\Code.exe',
        args: [script, '--workspace', 'C:\\p'],
        env: { ELECTRON_RUN_AS_NODE: '1' },
      },
    );
    assert.deepEqual(
      bridgeProgram(windows, { execPath: 'C:\\server\\node.exe', isElectron: false }),
      { kind: 'stdio', command: 'node', args: [script], env: {} },
    );
    assert.equal(bridgeScript(windows), 'C:\\Users\\ann\\.agent-debugger\\stdio.js');
    assert.equal(
      bridgeScript({ ...linux, env: { AGENT_DEBUGGER_HOME: '/elsewhere' } }),
      '/elsewhere/stdio.js',
    );
  });
});
