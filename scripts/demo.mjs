// @ts-check
/**
 * `npm run demo`: a complete agent session in real, headless VS Code, with its transcript. `-- --picture` renews the
 * pictures of the READMEs and of the walkthrough, and `-- --built` uses what is already built.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { shrinkPictures } from './pictures.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

if (!process.argv.includes('--built')) build();
const renews = process.argv.includes('--picture');
const folder = (/** @type {string} */ renewed) =>
  path.join(root, renews ? renewed : '.vscode-test/pictures');
const [images, walkthrough] = [folder('docs/images'), folder('media/walkthrough')];
const pictures = {
  AGENT_DEBUGGER_DEMO_PICTURE: path.join(images, 'demo.png'),
  AGENT_DEBUGGER_DEMO_TIMELINE: path.join(images, 'timeline.png'),
  AGENT_DEBUGGER_DEMO_EDITOR_PART: path.join(walkthrough, 'ask.png'),
  AGENT_DEBUGGER_DEMO_TIMELINE_PART: path.join(walkthrough, 'drive.png'),
};
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
      ...pictures,
      ...(renews ? {} : { AGENT_DEBUGGER_HOST_MINIMIZED: 'true' }),
    },
  },
);
if (result.status === 0 && renews) shrinkPictures(Object.values(pictures));
if (result.status !== 0)
  console.error('\nThe demo failed: see above for the answer that was not the truth.');
process.exitCode = result.status ?? 1;
