import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CLIENTS } from '../../../src/mcp/clients/catalog';
import type { Access } from '../../../src/mcp/clients/client';
import { pasteText } from '../../../src/mcp/clients/setUp';

const PROGRAMS = path.resolve(__dirname, '../../../../.vscode-test/mcp-clients/node_modules');
const PROMPT = 'Find out what src/loop.js does wrong.';

export interface Addresses {
  /** The access by the address and the key, or by the stdio bridge. */
  readonly mcp: Access;
  readonly model: string;
}

/** An agent client from npm, and its set-up for a model on loopback. */
export interface RealClient {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: (home: string) => Readonly<Record<string, string>>;
  /** The client's own files, by path in the home folder. The server's entry is the text that a person copies. */
  readonly files: (addresses: Addresses) => Promise<Readonly<Record<string, string>>>;
  /** Extracts the tool's result as JSON from the text that the client sent to its model. */
  readonly resultIn: (received: string) => string;
}

async function copied(id: string, { mcp }: Addresses): Promise<string> {
  const client = CLIENTS.find((each) => each.id === id);
  assert.ok(client);
  return await pasteText(client, mcp);
}

const OPENCODE: RealClient = {
  name: 'opencode',
  program: 'opencode/bin/opencode',
  args: ['run', '--model', 'local/scripted', PROMPT],
  env: (home) => ({
    OPENCODE_CONFIG: path.join(home, 'opencode.json'),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    npm_config_fetch_retries: '0',
    OPENCODE_PURE: '1',
  }),
  files: async (addresses) => ({
    'opencode.json': await copied('opencode', addresses),
    '.config/opencode/opencode.json': JSON.stringify({
      autoupdate: false,
      share: 'disabled',
      provider: {
        local: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Local',
          options: { baseURL: addresses.model, apiKey: 'none' },
          models: { scripted: { name: 'Scripted', tool_call: true } },
        },
      },
    }),
  }),
  // opencode passes on only text blocks.
  resultIn: (received) => received,
};

const CODEX: RealClient = {
  name: 'codex',
  program: 'codex/vendor/PLATFORM/bin/codex',
  args: ['exec', '--skip-git-repo-check', PROMPT],
  env: (home) => ({ CODEX_HOME: path.join(home, '.codex') }),
  files: async (addresses) => ({
    '.codex/config.toml': [
      'model = "scripted"',
      'model_provider = "local"',
      'check_for_update_on_startup = false',
      '[analytics]',
      'enabled = false',
      '[features]',
      'apps = false',
      'plugins = false',
      '[model_providers.local]',
      'name = "Local"',
      `base_url = ${JSON.stringify(addresses.model)}`,
      'wire_api = "responses"',
      await copied('codex', addresses),
    ].join('\n'),
  }),
  // Codex passes on only `structuredContent`, after a line or two about the call.
  resultIn: (received) => received.slice(received.indexOf('{')),
};

const CLINE: RealClient = {
  name: 'cline',
  program: 'cline/bin/cline',
  args: ['--provider', 'openai-compatible', '--model', 'scripted', PROMPT],
  env: (home) => ({
    CLINE_DIR: path.join(home, '.cline'),
    CLINE_SESSION_BACKEND_MODE: 'local',
    CLINE_LOG_ENABLED: '0',
  }),
  files: async (addresses) => ({
    '.cline/data/settings/cline_mcp_settings.json': await copied('cline', addresses),
    '.cline/data/settings/global-settings.json': JSON.stringify({
      telemetryOptOut: true,
      autoUpdateEnabled: false,
    }),
    '.cline/data/settings/providers.json': JSON.stringify({
      version: 1,
      lastUsedProvider: 'openai-compatible',
      modes: {},
      providers: {
        'openai-compatible': {
          settings: {
            provider: 'openai-compatible',
            apiKey: 'none',
            model: 'scripted',
            baseUrl: addresses.model,
          },
          updatedAt: '2026-01-01T00:00:00.000Z',
          tokenSource: 'manual',
        },
      },
    }),
  }),
  // Cline passes on the whole result: text and structured content must be the same.
  resultIn: (received) => {
    const { content, structuredContent } = JSON.parse(received) as {
      content: readonly { text: string }[];
      structuredContent: object;
    };
    for (const { text } of content) assert.deepEqual(JSON.parse(text), structuredContent);
    return JSON.stringify(structuredContent);
  },
};

export const REAL_CLIENTS: readonly RealClient[] = [OPENCODE, CODEX, CLINE];

export interface Running {
  /** The exit code, and all printed text. */
  readonly ended: Promise<{ readonly code: number | null; readonly printed: string }>;
  /** Ends the client and the processes that it has started. */
  readonly end: () => void;
}

/** Starts the client in a workspace, with a separate home folder and no access to other machines. */
export async function startClient(
  client: RealClient,
  home: string,
  workspace: string,
  addresses: Addresses,
): Promise<Running> {
  for (const [file, text] of Object.entries(await client.files(addresses))) {
    mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
    writeFileSync(path.join(home, file), text, { mode: 0o600 });
  }
  const temporary = path.join(home, 'tmp');
  mkdirSync(temporary);
  const proxy = new URL(addresses.model).origin;
  const proxies = {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    all_proxy: proxy,
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  };
  // Only PATH is taken from this process's environment, so that nothing else affects the client.
  const child = spawn(
    path.join(
      PROGRAMS,
      client.program.replace(
        'PLATFORM',
        process.arch === 'arm64' ? 'aarch64-unknown-linux-musl' : 'x86_64-unknown-linux-musl',
      ),
    ),
    [...client.args],
    {
      cwd: workspace,
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        TMPDIR: temporary,
        TERM: 'dumb',
        ...proxies,
        ...client.env(home),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  );
  let printed = '';
  child.stdout.on('data', (data: Buffer) => (printed += data.toString()));
  child.stderr.on('data', (data: Buffer) => (printed += data.toString()));
  return {
    ended: new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, printed }));
    }),
    end: () => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch (error) {
        // The process and its whole group have ended.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    },
  };
}
