// @ts-check
/**
 * `npm run pictures`: renews all pictures of the READMEs and of the walkthrough: of a session (`npm run demo`), of a card
 * (the chat tests), and of recorded values (a host test, which also leaves pictures of the dark themes).
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDebianPackages } from './vscodeHost/setup.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const CARDS = [
  'docs/images/card.png',
  'docs/images/card.zh-CN.png',
  'media/walkthrough/approve.png',
  'media/walkthrough/approve.zh-cn.png',
];

const RECORDED = 'docs/images/recorded.png';

/** Takes the pictures of recorded values in each kind of theme. The READMEs show the light one. */
function takeRecorded() {
  const folder = path.join(root, '.vscode-test/pictures/themes');
  mkdirSync(folder, { recursive: true });
  const files = ['support/otherExtensions.js', 'languagesTrace/recordedValues.test.js'];
  const { status } = spawnSync(
    'npx',
    [
      ...['vscode-test', '--label', 'languages-trace'],
      ...files.flatMap((file) => ['--run', `out/test/host/${file}`]),
      ...['-g', 'pictures'],
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, AGENT_DEBUGGER_RECORDED_PICTURES: folder },
    },
  );
  if (status !== 0) process.exit(status ?? 1);
  copyFileSync(path.join(folder, 'recorded.png'), path.join(root, RECORDED));
}

/** Reduces pictures to a palette, which suffices for windows, at a third of the size. @param {string[]} files */
export function shrinkPictures(files) {
  const pngquant = { package: 'pngquant', found: () => existsSync('/usr/bin/pngquant') };
  ensureDebianPackages([pngquant], console.log);
  // Exit code 98: the file would not become smaller.
  const { status } = spawnSync(
    'pngquant',
    ['--force', '--ext', '.png', '--skip-if-larger', '--strip', '128', ...files],
    { cwd: root, stdio: 'inherit' },
  );
  if (status !== 0 && status !== 98) throw new Error(`pngquant ended with ${status}`);
}

/** @param {string} script @param {NodeJS.ProcessEnv} env @param {...string} args */
function npmRun(script, env, ...args) {
  const { status } = spawnSync('npm', ['run', '--silent', script, '--', ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) process.exit(status ?? 1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  npmRun('demo', {}, '--picture');
  npmRun('test:chat', { AGENT_DEBUGGER_PICTURES: '1' });
  takeRecorded();
  shrinkPictures([...CARDS, RECORDED]);
}
