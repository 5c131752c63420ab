// @ts-check
/**
 * Sets up real VS Code (server and web workbench) from the npm registry, once, into a cache folder.
 * Each step leaves a stamp when it is through, so that a set-up that broke off goes on where it stopped.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const projectRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** What is installed; a change of either makes a new cache folder. */
export const CODE_SERVER_VERSION = '4.139.1';
export const NODE_VERSION = '24.21.0';

const NODE_PACKAGE = `node-linux-${process.arch}`;

/** The cache folder: ignored by git; AGENT_DEBUGGER_HOST_CACHE names another, to share one between clones. */
export function cacheFolder() {
  const base =
    process.env.AGENT_DEBUGGER_HOST_CACHE ?? path.join(projectRoot, '.vscode-test', 'host');
  return path.join(
    base.replace(/^~(?=\/)/, homedir()),
    `code-server-${CODE_SERVER_VERSION}-node-${NODE_VERSION}`,
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

/** Debian packages by what shows that they are there. Checked only on Linux. */
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

/** The browser that shows the workbench, or undefined where none is installed. */
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
 * Installs Debian packages where the user is root with apt; otherwise fails with one line that names them.
 * @param {{ package: string, found: () => boolean }[]} wanted
 * @param {(line: string) => void} log
 */
export function ensureDebianPackages(wanted, log) {
  const missing = wanted.filter((each) => !each.found()).map((each) => each.package);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0 || !onPath('apt-get')) {
    throw new Error(`Missing packages: sudo apt-get install ${missing.join(' ')}`);
  }
  log(`installing Debian packages: ${missing.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], { env });
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { env });
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
    const words = `${result.stdout ?? ''}\n${result.stderr ?? ''}`
      .trim()
      .split('\n')
      .slice(-15)
      .join('\n');
    throw new Error(
      `${command} ${args.join(' ')} ended with ${result.status ?? result.signal}:\n${words}`,
    );
  }
}

/**
 * Makes the host ready, doing only what is not done yet.
 * @param {{ log?: (line: string) => void }} [options]
 */
export async function ensureHost({ log = (line) => console.log(`[vscode host] ${line}`) } = {}) {
  if (process.platform !== 'linux')
    throw new Error('The npm-delivered VS Code runs on Linux only: use npm run test:desktop here.');
  ensureDebianPackages(DEBIAN, log);
  const paths = hostPaths();
  if (
    ['packages', 'server', 'extensions'].every((name) =>
      existsSync(path.join(paths.folder, `.done-${name}`)),
    )
  )
    return paths;
  mkdirSync(paths.folder, { recursive: true });
  const release = takeLock(paths.folder);
  try {
    const env = {
      ...process.env,
      PATH: `${path.dirname(paths.node)}${path.delimiter}${process.env.PATH}`,
      npm_config_nodedir: paths.nodeFolder,
    };
    step(
      paths.folder,
      'packages',
      log,
      `downloading VS Code (code-server ${CODE_SERVER_VERSION}) and Node ${NODE_VERSION}`,
      () => {
        writeFileSync(path.join(paths.folder, 'package.json'), '{"private":true}\n');
        run(
          'npm',
          [
            'install',
            '--ignore-scripts',
            '--no-audit',
            '--no-fund',
            `code-server@${CODE_SERVER_VERSION}`,
            `${NODE_PACKAGE}@${NODE_VERSION}`,
          ],
          { cwd: paths.folder },
        );
      },
    );
    step(paths.folder, 'server', log, 'building its native modules (about two minutes)', () =>
      run('npm', ['install', '--omit=dev', '--no-audit', '--no-fund'], { cwd: paths.vscode, env }),
    );
    step(paths.folder, 'extensions', log, 'finishing its built-in extensions', () =>
      run('npm', ['install', '--omit=dev', '--no-audit', '--no-fund'], {
        cwd: path.join(paths.vscode, 'extensions'),
        env,
      }),
    );
  } finally {
    release();
  }
  return paths;
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {(line: string) => void} log
 * @param {string} words
 * @param {() => void} action
 */
function step(folder, name, log, words, action) {
  const stamp = path.join(folder, `.done-${name}`);
  if (existsSync(stamp)) return;
  log(words);
  action();
  writeFileSync(stamp, `${new Date().toISOString()}\n`);
}

/**
 * One set-up at a time in a folder. A lock whose process is gone is taken over.
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
  if (process.argv.includes('--where')) console.log(hostPaths().folder);
  else
    ensureHost().then(
      (paths) =>
        console.log(`[vscode host] ready in ${path.relative(process.cwd(), paths.folder) || '.'}`),
      (error) => {
        console.error(`[vscode host] ${error instanceof Error ? error.message : String(error)}`);
        process.exitCode = 1;
      },
    );
}
