// @ts-check
/** Runs commands inside a root folder of another Debian. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const SCRIPT = path.join(path.dirname(fileURLToPath(import.meta.url)), 'inside.sh');

/** Read-only inside, where the machine has them: how it reaches the network and the registries. */
const MACHINE_FILES = [
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/npmrc',
  '/etc/pip.conf',
  ...['.npmrc', '.config/pip', '.config/go/env', '.cargo/config.toml', '.m2/settings.xml'].map(
    (name) => path.join(homedir(), name),
  ),
];
/** Not while packages are installed: they write there. */
const CERTIFICATES = ['/etc/ssl/certs', '/usr/local/share/ca-certificates'];

/** Name toolchains of the machine, which are not inside. */
const NOT_INSIDE = ['JAVA_HOME', 'GOROOT', 'GOBIN', 'CARGO_HOME', 'RUSTUP_HOME', 'TMPDIR'];
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * @typedef {object} Clone
 * @property {string} folder It is inside at the same path. What is written there is gone afterwards.
 * @property {string} own the folder that is its `.vscode-test` inside
 * @property {readonly string[]} shared further folders of the machine, at the same paths
 */

/**
 * @typedef {object} Options
 * @property {Clone} [clone]
 * @property {Record<string, string>} [env]
 * @property {string} [output] a file for what it prints. Default: the streams of this process
 */

/**
 * Runs a command inside. A signal that ends this process ends it, too.
 * @param {string} root
 * @param {readonly string[]} command
 * @param {Options} [options]
 * @returns {Promise<number>} its exit code
 */
export function runInside(root, command, { clone, env = {}, ...options } = {}) {
  const files = [...MACHINE_FILES, ...(clone ? CERTIFICATES : [])];
  return runAlone(
    [
      ...['/bin/sh', SCRIPT, root, clone?.folder ?? '', clone?.own ?? ''],
      ...[(clone?.shared ?? []).join(':'), files.join(':'), ...command],
    ],
    { ...options, env: { PATH, ...env } },
  );
}

/**
 * Runs a command with mounts and processes of its own: they end with it.
 * @param {readonly string[]} command
 * @param {Omit<Options, 'clone'>} [options]
 * @returns {Promise<number>} its exit code
 */
export function runAlone(command, { env = {}, output } = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !NOT_INSIDE.includes(name));
  const args = ['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child'];
  const file = output === undefined ? undefined : openSync(output, 'a');
  const stream = file ?? 'inherit';
  const child = spawn('unshare', [...args, '--', ...command], {
    stdio: ['ignore', stream, stream],
    env: { ...Object.fromEntries(inherited), DEBIAN_FRONTEND: 'noninteractive', ...env },
  });
  if (file !== undefined) closeSync(file);
  // `unshare` blocks the milder signals. Its own end kills the first process of the namespace, and so all of them.
  const end = () => void child.kill('SIGKILL');
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.once(signal, end);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      for (const signal of signals) process.off(signal, end);
      resolve(code ?? 1);
    });
  });
}
