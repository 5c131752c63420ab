// @ts-check
/** `npm run demo`: an agent's whole session in real VS Code, headless, with its transcript. `-- --picture` renews the README's picture. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

build();
const picture = process.argv.includes('--picture')
  ? 'docs/images/demo.png'
  : '.vscode-test/pictures/demo.png';
const result = spawnSync(
  path.join(root, 'scripts/vscodeHost/code.mjs'),
  [
    path.join(root, 'examples/shop'),
    `--extensionTestsPath=${path.join(root, 'out/test/demo/demo.js')}`,
    `--extensionDevelopmentPath=${root}`,
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      AGENT_DEBUGGER_DEMO_COLOUR: process.stdout.isTTY ? '1' : '0',
      AGENT_DEBUGGER_DEMO_PICTURE: path.join(root, picture),
    },
  },
);
if (result.status !== 0)
  console.error('\nThe demo failed: see above for the answer that was not the truth.');
process.exitCode = result.status ?? 1;
