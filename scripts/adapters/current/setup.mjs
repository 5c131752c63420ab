// @ts-check
/**
 * `node scripts/adapters/current/setup.mjs [--fresh]`: a root folder of a newer Debian, with today's debuggers. It takes
 * some minutes once for each list of packages. It needs root, and apt sources of Debian.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDebianPackages } from '../../vscodeHost/setup.mjs';
import { ended, lastLines, log, programInPath } from '../programs.mjs';
import { runAlone, runInside } from './inside.mjs';

const clone = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');

/**
 * Unstable, because stable has no LLDB 21, no Python with today's debugpy, no Node 24 and no Go of this year. Its newest
 * packages are taken once, when the folder is made.
 */
const SUITE = 'sid';

const PACKAGES = [
  ...['python3', 'python3-venv', 'python3-debugpy', 'python3-pytest', 'python3-pytest-xdist'],
  ...['python3-pytest-asyncio', 'golang-go', 'delve', 'lldb-21', 'gdb', 'g++', 'cmake', 'make'],
  ...['libgtest-dev', 'cargo', 'openjdk-21-jdk-headless', 'junit4', 'junit5', 'ruby'],
  ...['ruby-minitest', 'ruby-rspec', 'nodejs', 'npm', 'git', 'procps'],
  ...['chromium', 'fonts-noto-cjk', 'libkrb5-dev'],
];

const digest = createHash('sha256')
  .update([SUITE, ...PACKAGES].join(' '))
  .digest('hex');

/** AGENT_DEBUGGER_CURRENT_CACHE names another folder, to share the root folder between clones. */
const cache = path.resolve(
  process.env.AGENT_DEBUGGER_CURRENT_CACHE ?? path.join(clone, '.vscode-test/current'),
);
const folder = path.join(cache, `${SUITE}-${digest.slice(0, 12)}`);

/** @returns {string} the folder that is the clone's `.vscode-test` inside: what is installed and compiled there */
export function ownFolder() {
  const name = createHash('sha256').update(clone).digest('hex').slice(0, 12);
  const own = path.join(folder, `clone-${name}`);
  mkdirSync(own, { recursive: true });
  return own;
}

/**
 * Makes the root folder, if it is not there yet.
 * @param {{ isFresh?: boolean }} [options]
 * @returns {Promise<string>} its path
 */
export async function ensureRoot({ isFresh = false } = {}) {
  const root = path.join(folder, 'root');
  if (isFresh) remove(folder);
  if (existsSync(root)) return root;
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('A root folder of another Debian needs Linux and root: run it with sudo.');
  ensureDebianPackages(
    [
      { package: 'debootstrap', found: () => programInPath('debootstrap') !== undefined },
      { package: 'util-linux', found: () => programInPath('unshare') !== undefined },
    ],
    log,
  );
  // It gets its name when it is complete, so an interrupted set-up leaves nothing that looks ready.
  const partial = path.join(folder, `partial-${process.pid}`);
  try {
    await install(partial);
    if (!existsSync(root)) renameSync(partial, root);
  } finally {
    remove(partial);
  }
  return root;
}

/** @param {string} root */
async function install(root) {
  log(`making a root folder of Debian ${SUITE} (some minutes): ${PACKAGES.join(' ')}`);
  mkdirSync(root, { recursive: true });
  const output = path.join(folder, 'setup.log');
  /** @param {Promise<number>} running */
  const step = async (running) => {
    const code = await running;
    if (code === 0) return;
    const said = lastLines(readFileSync(output, 'utf8'), 15);
    throw new Error(`the root folder of Debian ${SUITE} failed with ${code}:\n${said}`);
  };
  const minimal = ['debootstrap', '--variant=minbase', '--include=ca-certificates'];
  await step(runAlone([...minimal, SUITE, root, source()], { output }));
  configureApt(root);
  const apt = (/** @type {string[]} */ ...args) =>
    step(runInside(root, ['apt-get', '-qq', ...args], { output }));
  await apt('update');
  await apt('install', '--yes', '--no-install-recommends', ...PACKAGES);
  await apt('clean');
}

/** The address that the machine's own apt takes Debian from. */
function source() {
  const format = '$(CREATED_BY) $(SITE) $(ORIGIN)';
  const { output } = ended('apt-get', ['indextargets', '--format', format]);
  const targets = output.split('\n').map((line) => line.split(' '));
  const found = targets.find(([kind, , origin]) => kind === 'Packages' && origin === 'Debian');
  if (found?.[1]) return found[1];
  throw new Error('apt knows no source of Debian: run apt-get update, on a machine with Debian.');
}

/** How the machine's apt reaches its sources. @param {string} root */
function configureApt(root) {
  const lines = ended('apt-config', ['dump', 'Acquire']).output.split('\n');
  const wanted = lines.filter((line) => /^Acquire::(?:http|https|Check|Retries)/.test(line));
  const bundle = '/etc/ssl/certs/ca-certificates.crt';
  if (existsSync(bundle)) {
    copyFileSync(bundle, path.join(root, 'etc/machine.crt'));
    wanted.push('Acquire::https::CaInfo "/etc/machine.crt";');
  }
  writeFileSync(path.join(root, 'etc/apt/apt.conf.d/99machine'), `${wanted.join('\n')}\n`);
}

/** Removes a folder, unless something is mounted below it. @param {string} target */
function remove(target) {
  if (!existsSync(target)) return;
  const mounted = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((place) => place === target || place.startsWith(`${target}/`));
  if (mounted.length > 0)
    throw new Error(`${target} is not removed, because of mounts:\n${mounted.join('\n')}`);
  rmSync(target, { recursive: true, force: true });
}

/** The versions inside. @param {string} root */
export function versionsIn(root) {
  const status = readFileSync(path.join(root, 'var/lib/dpkg/status'), 'utf8').split('\n\n');
  const field = (/** @type {string} */ entry, /** @type {string} */ name) =>
    entry
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? '';
  const packages = new Map(
    status.map((entry) => [field(entry, 'Package'), field(entry, 'Version')]),
  );
  return PACKAGES.map((name) => `${name} ${packages.get(name) ?? 'missing'}`).join(', ');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureRoot({ isFresh: process.argv.includes('--fresh') }).then(
    (root) => log(`ready: ${path.relative(process.cwd(), root)}\n${versionsIn(root)}`),
    (error) => {
      console.error(`[adapters] ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    },
  );
}
