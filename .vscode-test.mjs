// @ts-check
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { defineConfig } from '@vscode/test-cli';

const root = path.dirname(fileURLToPath(import.meta.url));
const isDesktop =
  process.env.AGENT_DEBUGGER_TEST_HOST === 'desktop' || process.platform !== 'linux';

/** The npm-delivered VS Code on Linux; a downloaded or installed desktop VS Code otherwise. */
const host = isDesktop
  ? process.env.VSCODE_PATH
    ? { useInstallation: { fromPath: process.env.VSCODE_PATH } }
    : { version: 'stable' }
  : { useInstallation: { fromPath: path.join(root, 'scripts/vscodeHost/code.mjs') } };

const adapters = path.join(root, 'test/adapterExtension');

const suite = (
  /** @type {string} */ label,
  /** @type {string} */ files,
  /** @type {string | undefined} */ workspace,
  /** @type {string[]} */ launchArgs = [],
  /** @type {string[]} */ developed = [root],
) => ({
  label,
  files: [
    'out/test/host/support/failurePicture.js',
    'out/test/host/support/trace.js',
    `out/test/host/${files}`,
  ],
  ...(workspace ? { workspaceFolder: path.join(root, 'test/fixtures', workspace) } : {}),
  launchArgs: [
    ...launchArgs,
    ...(isDesktop && !launchArgs.includes('--untrusted-workspace')
      ? ['--disable-workspace-trust']
      : []),
  ],
  extensionDevelopmentPath: developed,
  // Not the folder through which the person's own windows find each other.
  env: { AGENT_DEBUGGER_HOME: path.join(root, '.vscode-test/home') },
  ...host,
  mocha: {
    ui: /** @type {const} */ ('bdd'),
    timeout: 60_000,
    reporter: path.join(root, 'out/test/support/reporter.js'),
  },
});

export default defineConfig([
  suite('node', 'node/**/*.test.js', 'node'),
  suite('typescript', 'typescript/**/*.test.js', 'typescript'),
  suite('folders', 'folders/**/*.test.js', 'folders/all.code-workspace'),
  suite('empty', 'empty/**/*.test.js', undefined),
  suite('languages', 'languages/**/*.test.js', 'languages', [], [root, adapters]),
  suite('faults', 'faults/**/*.test.js', 'faults', [], [root, adapters]),
  // Installs the extension itself, from its package, in the midst of a session.
  suite('late', 'late/**/*.test.js', 'faults', [], [adapters]),
  // Reloads its own window, and goes on in the new one.
  suite('reload', 'reload/**/*.test.js', 'faults', [], [root, adapters]),
  suite('reload-languages', 'reloadLanguages/**/*.test.js', 'languages', [], [root, adapters]),
  suite('mcp', 'mcp/**/*.test.js', 'node'),
  // Real agent clients, which `npm run mcp-clients:setup` brings.
  ...(isDesktop ? [] : [suite('mcp-clients', '../mcp/**/*.test.js', 'node')]),
  // A project that tries to widen what agents may do; the rest of the suite is `npm run mocha:security`.
  suite('security', '../security/host/**/*.test.js', 'hostile', [], [root, adapters]),
  suite('untrusted', 'untrusted/**/*.test.js', 'node', ['--untrusted-workspace']),
]);
