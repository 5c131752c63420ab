// @ts-check
/**
 * `npm run pictures`: renews all pictures of the READMEs and of the walkthrough: of a session (`npm run demo`) and of a
 * card (the chat tests).
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
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
  shrinkPictures(CARDS);
}
