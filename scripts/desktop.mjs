// @ts-check
/** `npm run test:desktop`: the host tests in a desktop VS Code: the one in VSCODE_PATH, or a downloaded one. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

// One suite installs the extension from its package.
mkdirSync('.vscode-test', { recursive: true });
const packaged = spawnSync(
  'npm',
  ['run', '--silent', 'package', '--', '--out', '.vscode-test/agent-debugger.vsix'],
  { stdio: 'inherit', shell: process.platform === 'win32' },
);
if (packaged.status !== 0) process.exit(packaged.status ?? 1);
const tools = spawnSync('npm', ['run', '--silent', 'mcp-tools:setup'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (tools.status !== 0) process.exit(tools.status ?? 1);
const result = spawnSync('npx', ['vscode-test', ...process.argv.slice(2)], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, AGENT_DEBUGGER_TEST_HOST: 'desktop' },
});
process.exitCode = result.status ?? 1;
