// @ts-check
/** `npm run test:desktop`: the host tests in a desktop VS Code, the one that VSCODE_PATH names or a downloaded one. */
import { spawnSync } from 'node:child_process';

const result = spawnSync('npx', ['vscode-test', ...process.argv.slice(2)], { stdio: 'inherit', env: { ...process.env, AGENT_DEBUGGER_TEST_HOST: 'desktop' } });
process.exitCode = result.status ?? 1;
