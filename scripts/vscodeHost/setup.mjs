// @ts-check
/**
 * Sets up real VS Code (server and web workbench) from the npm registry, once, into a cache folder.
 * Each completed step leaves a stamp, so that an interrupted set-up continues where it stopped.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const projectRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * @typedef {object} Host what is installed; a change of a version makes a new cache folder
 * @property {string} codeServer
 * @property {string} node
 * @property {boolean} [borrows] It uses the native modules of the present host, which do not depend on Node's version,
 *   instead of building its own. Modules that are missing there (Kerberos, Windows) are not loaded.
 */

/** `present`: the VS Code of all tests. `oldest`: the oldest that `engines` in package.json allows. */
export const HOSTS = /** @satisfies {Record<string, Host>} */ ({
  present: { codeServer: '4.139.1', node: '24.21.0' },
  oldest: { codeServer: '4.103.2', node: '22.23.3', borrows: true },
});

const NODE_PACKAGE = `node-linux-${process.arch}`;

/** @returns {Host} the host with that name. Default: AGENT_DEBUGGER_HOST_VERSION, or the present one */
function chosenHost(name = process.env.AGENT_DEBUGGER_HOST_VERSION ?? 'present') {
  if (name === 'present' || name === 'oldest') return HOSTS[name];
  throw new Error(`There is no VS Code “${name}” to test with, only present and oldest.`);
}

/**
 * The cache folder, ignored by git. AGENT_DEBUGGER_HOST_CACHE names another one, to share it between clones.
 * @param {Host} host
 */
export function cacheFolder(host = chosenHost()) {
  const base =
    process.env.AGENT_DEBUGGER_HOST_CACHE ?? path.join(projectRoot, '.vscode-test', 'host');
  return path.join(
    base.replace(/^~(?=\/)/, homedir()),
    `code-server-${host.codeServer}-node-${host.node}`,
  );
}

/** Paths inside a finished set-up. */
export function hostPaths(folder = cacheFolder()) {
  const node = path.join(folder, 'node_modules', NODE_PACKAGE);
  const vscode = path.join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  return {
    folder,
    node: path.join(node, 'bin', 'node'),
    nodeFolder: node,
    vscode,
    server: path.join(vscode, 'out', 'server-main.js'),
  };
}

/** Required Debian packages, each with a check whether it is installed. Checked only on Linux. */
const DEBIAN = [
  { package: 'chromium', found: () => browserPath() !== undefined },
  { package: 'libkrb5-dev', found: () => existsSync('/usr/include/gssapi/gssapi.h') },
  { package: 'g++', found: () => onPath('g++') },
  { package: 'make', found: () => onPath('make') },
  { package: 'python3', found: () => onPath('python3') },
  {
    package: 'fonts-noto-cjk',
    found: () => existsSync('/usr/share/fonts/opentype/noto') || fontsHave('CJK'),
  },
];

/** @param {string} name */
function onPath(name) {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .some((folder) => existsSync(path.join(folder, name)));
}

/** @param {string} word */
function fontsHave(word) {
  const list = spawnSync('fc-list', [], { encoding: 'utf8' });
  return list.status === 0 && list.stdout.includes(word);
}

/** The browser that shows the workbench, or undefined if none is installed. */
export function browserPath() {
  const candidates = [
    process.env.CHROME_PATH,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  return candidates.find((candidate) => candidate !== undefined && existsSync(candidate));
}

/**
 * Installs Debian packages if the user is root and has apt. Otherwise throws an error that names them.
 * @param {{ package: string, found: () => boolean }[]} required
 * @param {(line: string) => void} log
 */
export function ensureDebianPackages(required, log) {
  const missing = required.filter((entry) => !entry.found()).map((entry) => entry.package);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0 || !onPath('apt-get')) {
    throw new Error(`Missing packages: sudo apt-get install ${missing.join(' ')}`);
  }
  log(`installing Debian packages: ${missing.join(' ')}`);
  apt(['update', '-qq']);
  apt(['install', '-y', '-qq', '--no-install-recommends', ...missing]);
}

/** Set-ups that run side by side wait for each other: apt refuses a second process. @param {string[]} args */
function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const lock = '/var/cache/apt/agent-debugger.lock';
  if (onPath('flock')) run('flock', [lock, 'apt-get', ...args], { env });
  else run('apt-get', args, { env });
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} options
 */
function run(command, args, options) {
  const result = spawnSync(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
    timeout: 20 * 60_000,
    ...options,
  });
  if (result.error) throw new Error(`${command} could not be started: ${result.error.message}`);
  if (result.status !== 0) {
    const output = `${result.stdout ?? ''}\n${result.stderr ?? ''}`
      .trim()
      .split('\n')
      .slice(-15)
      .join('\n');
    throw new Error(
      `${command} ${args.join(' ')} ended with ${result.status ?? result.signal}:\n${output}`,
    );
  }
}

const STEPS = ['packages', 'server', 'extensions'];
const NO_NEWS = ['--no-audit', '--no-fund'];

/**
 * Prepares the host. Only missing steps are run.
 * @param {{ log?: (line: string) => void, host?: Host }} [options]
 */
export async function ensureHost({
  log = (line) => console.log(`[vscode host] ${line}`),
  host = chosenHost(),
} = {}) {
  if (process.platform !== 'linux')
    throw new Error('The npm-delivered VS Code runs on Linux only: use npm run test:desktop here.');
  ensureDebianPackages(DEBIAN, log);
  const paths = hostPaths(cacheFolder(host));
  const { folder } = paths;
  if (host.borrows) await ensureHost({ log, host: HOSTS.present });
  if (STEPS.every((name) => existsSync(path.join(folder, `.done-${name}`)))) return paths;
  mkdirSync(folder, { recursive: true });
  const release = takeLock(folder);
  try {
    const message = `downloading VS Code (code-server ${host.codeServer}) and Node ${host.node}`;
    step(folder, 'packages', log, message, () => installPackages(folder, host));
    if (host.borrows)
      step(folder, 'server', log, 'installing its modules', () => borrowModules(paths));
    else
      step(folder, 'server', log, 'building its native modules (about two minutes)', () =>
        installModules(paths, paths.vscode),
      );
    step(folder, 'extensions', log, 'finishing its built-in extensions', () =>
      installModules(paths, path.join(paths.vscode, 'extensions')),
    );
  } finally {
    release();
  }
  return paths;
}

/** @typedef {ReturnType<typeof hostPaths>} Paths */

/** @param {string} folder @param {Host} host */
function installPackages(folder, { codeServer, node }) {
  const packages = [`code-server@${codeServer}`, `${NODE_PACKAGE}@${node}`];
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n');
  run('npm', ['install', '--ignore-scripts', ...NO_NEWS, ...packages], { cwd: folder });
}

/** @param {Paths} paths @param {string} folder @param {...string} options of `npm install` */
function installModules(paths, folder, ...options) {
  const env = {
    ...process.env,
    PATH: `${path.dirname(paths.node)}${path.delimiter}${process.env.PATH}`,
    npm_config_nodedir: paths.nodeFolder,
  };
  run('npm', ['install', '--omit=dev', ...NO_NEWS, ...options], { cwd: folder, env });
}

/** Installs the server's modules without building any. Those of the present host replace them. @param {Paths} paths */
function borrowModules(paths) {
  installModules(paths, paths.vscode, '--ignore-scripts');
  const [own, present] = [paths, hostPaths(cacheFolder(HOSTS.present))].map(({ vscode }) =>
    path.join(vscode, 'node_modules'),
  );
  const search = `@vscode/ripgrep-universal/bin/linux-${process.arch}`;
  for (const [name, lender] of [
    ['node-pty', 'node-pty'],
    ['@vscode/spdlog', '@vscode/spdlog'],
    ['@vscode/ripgrep/bin', search],
  ]) {
    const target = path.join(own, name);
    rmSync(target, { recursive: true, force: true });
    symlinkSync(path.join(present, lender), target);
  }
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {(line: string) => void} log
 * @param {string} message
 * @param {() => void} action
 */
function step(folder, name, log, message, action) {
  const stamp = path.join(folder, `.done-${name}`);
  if (existsSync(stamp)) return;
  log(message);
  action();
  writeFileSync(stamp, `${new Date().toISOString()}\n`);
}

/**
 * Allows one set-up at a time in a folder. The lock of a process that is gone is taken over.
 * @param {string} folder
 */
function takeLock(folder) {
  const file = path.join(folder, '.lock');
  for (;;) {
    try {
      const handle = openSync(file, 'wx');
      writeFileSync(handle, String(process.pid));
      closeSync(handle);
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      const owner = Number(readFileSync(file, 'utf8'));
      if (owner !== process.pid && alive(owner))
        throw new Error(`Another set-up (process ${owner}) works in ${folder}: wait for it.`);
      rmSync(file, { force: true });
    }
  }
}

/** @param {number} pid */
function alive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const main = async () => {
    const [name] = process.argv.slice(2).filter((argument) => argument !== '--where');
    const host = chosenHost(name);
    if (process.argv.includes('--where')) return cacheFolder(host);
    const { folder } = await ensureHost({ host });
    return `[vscode host] ready in ${path.relative(process.cwd(), folder) || '.'}`;
  };
  main().then(console.log, (error) => {
    console.error(`[vscode host] ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  });
}
