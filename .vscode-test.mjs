// @ts-check
import { fileURLToPath } from 'node:url';
import { cpSync, rmSync } from 'node:fs';
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

const OLDEST = { AGENT_DEBUGGER_HOST_VERSION: 'oldest' };

const adapters = path.join(root, 'test/adapterExtension');

/**
 * Settings of the windows of the npm-delivered VS Code that save the processor. They turn off what no test uses. The
 * oldest supported VS Code ignores the names that it does not know.
 */
const QUIET = {
  // Only the syntax server reads the files that the debugger opens. The oldest VS Code knows this name.
  'typescript.tsserver.useSyntaxServer': 'always',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'git.enabled': false,
  'breadcrumbs.enabled': false,
  'editor.bracketPairColorization.enabled': false,
  'editor.codeLens': false,
  'editor.colorDecorators': false,
  'editor.folding': false,
  'editor.guides.indentation': false,
  'editor.lightbulb.enabled': 'off',
  'editor.links': false,
  'editor.minimap.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'editor.semanticHighlighting.enabled': false,
  'editor.stickyScroll.enabled': false,
};

/** Settings of labels with many stops. The browser renders the debug views at each stop, so they stay closed. */
const WITHOUT_VIEWS = {
  'debug.openDebug': 'neverOpen',
  'debug.internalConsoleOptions': 'neverOpen',
  'debug.toolBarLocation': 'hidden',
};

/** The other labels test with VS Code's default. */
const LABELS_WITHOUT_VIEWS = ['languages', 'languages-trace', 'languages-debug'];

/** The user settings of a label's windows. @param {string} label */
const settingsOf = (label) => ({
  ...QUIET,
  ...(LABELS_WITHOUT_VIEWS.includes(label) ? WITHOUT_VIEWS : {}),
});

const suite = (
  /** @type {string} */ label,
  /** @type {string | string[]} */ files,
  /** @type {string | undefined} */ workspace,
  /** @type {string[]} */ launchArgs = [],
  /** @type {string[]} */ developed = [root],
  /** @type {Record<string, string>} */ env = {},
) => ({
  label,
  files: [
    'out/test/host/support/failurePicture.js',
    'out/test/host/support/trace.js',
    'out/test/host/support/otherExtensions.js',
    ...[files].flat().map((file) => `out/test/host/${file}`),
  ],
  ...(workspace ? { workspaceFolder: path.join(root, 'test/fixtures', workspace) } : {}),
  launchArgs: [
    ...launchArgs,
    ...(isDesktop && !launchArgs.includes('--untrusted-workspace')
      ? ['--disable-workspace-trust']
      : []),
  ],
  extensionDevelopmentPath: developed,
  // A folder of its own for each label: the person's windows use the default one, and labels run in parallel.
  env: {
    AGENT_DEBUGGER_HOME: path.join(root, '.vscode-test/home', label),
    AGENT_DEBUGGER_HOST_MINIMIZED: 'true',
    AGENT_DEBUGGER_HOST_SETTINGS: JSON.stringify(settingsOf(label)),
    // Shells of machines with pyenv wait for its lock, which a window that closes while its shell starts may leave.
    PYENV_REHASH_TIMEOUT: '1',
    ...env,
  },
  ...host,
  mocha: {
    ui: /** @type {const} */ ('bdd'),
    // Only a test that hangs takes as long. A busy machine is several times slower than a quiet one.
    timeout: 300_000,
    reporter: path.join(root, 'out/test/support/reporter.js'),
  },
});

/** Whether this process runs a label. Several processes, each with other labels, may read this file at the same time. */
const runs = (/** @type {string} */ label) =>
  !process.argv.includes('--label') || process.argv.includes(label);

/** Copies a folder for a label whose tests change it. Returns the copy's path relative to the fixtures. */
function copyOf(/** @type {string} */ folder, /** @type {string} */ label) {
  const copy = path.join(root, '.vscode-test', path.basename(folder));
  if (runs(label)) {
    rmSync(copy, { recursive: true, force: true });
    cpSync(path.join(root, folder), copy, { recursive: true });
  }
  return path.relative(path.join(root, 'test/fixtures'), copy);
}

export default defineConfig([
  suite('node', 'node/**/*.test.js', 'node'),
  suite('diagnostics', 'diagnostics/**/*.test.js', 'node'),
  suite('typescript', 'typescript/**/*.test.js', 'typescript'),
  suite('folders', 'folders/**/*.test.js', 'folders/all.code-workspace'),
  suite('empty', 'empty/**/*.test.js', undefined),
  suite('languages', 'languages/**/*.test.js', 'languages', [], [root, adapters]),
  // In separate windows, so that no window takes too long.
  suite('languages-trace', 'languagesTrace/**/*.test.js', 'languages', [], [root, adapters]),
  suite('languages-debug', 'languagesDebug/**/*.test.js', 'languages', [], [root, adapters]),
  suite('faults', 'faults/**/*.test.js', 'faults', [], [root, adapters]),
  // Installs the extension from its package during a session.
  suite('late', 'late/**/*.test.js', 'faults', [], [adapters]),
  // Reloads its own window and continues in the new one.
  suite('reload', 'reload/**/*.test.js', 'faults', [], [root, adapters]),
  suite('reload-languages', 'reloadLanguages/**/*.test.js', 'languages', [], [root, adapters]),
  // Its first test needs a window in which no chat has called a tool yet.
  suite('mcp', ['mcp/agentsToolsTwice.test.js', 'mcp/**/*.test.js'], 'node'),
  // The oldest VS Code that is supported: all tools, the MCP server and the faults.
  ...(isDesktop
    ? []
    : [
        suite(
          'oldest',
          '{oldest/version,node/{input,oneCall,session},mcp/{mcp,offeredServer}}.test.js',
          'node',
          [],
          [root],
          OLDEST,
        ),
        suite('oldest-faults', 'faults/**/*.test.js', 'faults', [], [root, adapters], OLDEST),
      ]),
  // Fixes the bug of the example, so it works on a copy.
  suite('investigation', 'investigation/**/*.test.js', copyOf('examples/gobang', 'investigation')),
  // Real agent clients, installed by `npm run mcp-clients:setup`.
  ...(isDesktop ? [] : [suite('mcp-clients', '../mcp/**/*.test.js', 'node')]),
  // A project that tries to extend what agents may do. The rest of the suite is `npm run mocha:security`.
  suite('security', '../security/host/**/*.test.js', 'hostile', [], [root, adapters]),
  suite('untrusted', 'untrusted/**/*.test.js', 'node', ['--untrusted-workspace']),
]);
