// @ts-check
/** Go of the path, and a Delve that can debug its programs. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureDebianPackages } from '../vscodeHost/setup.mjs';
import {
  ADAPTERS_FOLDER,
  ended,
  inScratchFolder,
  isProgram,
  lastLines,
  log,
  MissingToolchain,
  programInPath,
  versionOf,
} from './programs.mjs';

/** Delve debugs programs of about five versions of Go, so an older Go needs an older Delve. Newest first. */
const DELVES = ['1.27.2', '1.25.2', '1.24.2', '1.22.1', '1.20.2'];

/** Debian's Delve was built for Debian's Go. */
const DEBIAN_GO = '/usr/bin/go';
const DEBIAN_DELVE = '/usr/bin/dlv';

const PROBE = `package main

func main() {
	answer := 42
	println(answer)
}
`;

/** @returns {import('./toolchain.mjs').Chosen} */
export function chooseGo() {
  if (!programInPath('go'))
    ensureDebianPackages([{ package: 'golang-go', found: () => isProgram(DEBIAN_GO) }], log);
  const go = programInPath('go') ?? DEBIAN_GO;
  return { path: go, version: versionOf(go, 'version') ?? 'unknown' };
}

/**
 * The first Delve that shows a variable of a program of this Go: the one in the path, Debian's, or a pinned one.
 * @param {import('./toolchain.mjs').Chosen} go
 * @returns {import('./toolchain.mjs').Chosen}
 */
export function chooseDelve(go) {
  return inScratchFolder((folder) => {
    const program = buildProbe(folder, go);
    /** @type {string[]} */
    const refused = [];
    for (const candidate of candidates(go)) {
      const { delve, problem } = candidate();
      const found = problem ?? problemOf(delve, program);
      if (found === undefined) return { path: delve, version: versionOf(delve, 'version') ?? '' };
      if (found !== 'not installed') refused.push(`${delve}: ${lastLines(found, 2)}`);
    }
    throw new MissingToolchain(
      'Delve',
      `no version debugs programs of Go ${go.version}\n${refused.join('\n')}`,
      `GOBIN=/usr/local/bin go install github.com/go-delve/delve/cmd/dlv@latest`,
    );
  });
}

/** @param {string} folder @param {import('./toolchain.mjs').Chosen} go */
function buildProbe(folder, go) {
  const program = path.join(folder, 'probe');
  writeFileSync(path.join(folder, 'main.go'), PROBE);
  const args = ['build', '-gcflags=all=-N -l', '-o', program, 'main.go'];
  const built = ended(go.path, args, { cwd: folder });
  if (built.isOk) return program;
  throw new MissingToolchain('Go', lastLines(built.output), 'apt-get install golang-go');
}

/**
 * @param {import('./toolchain.mjs').Chosen} go
 * @returns {(() => { delve: string, problem?: string })[]}
 */
function candidates(go) {
  const inPath = programInPath('dlv');
  const present = [...new Set([...(inPath ? [inPath] : []), DEBIAN_DELVE])];
  return [
    ...(go.path === DEBIAN_GO && !inPath ? [debianDelve] : []),
    ...present.map((delve) => () => ({
      delve,
      ...(isProgram(delve) ? {} : { problem: 'not installed' }),
    })),
    ...DELVES.map((version) => () => installDelve(version, go)),
  ];
}

function debianDelve() {
  try {
    ensureDebianPackages([{ package: 'delve', found: () => isProgram(DEBIAN_DELVE) }], log);
    return { delve: DEBIAN_DELVE };
  } catch (error) {
    return { delve: DEBIAN_DELVE, problem: String(error) };
  }
}

/** Installs a version with the present Go, without a newer Go. @param {string} version @param {import('./toolchain.mjs').Chosen} go */
function installDelve(version, go) {
  const folder = path.join(ADAPTERS_FOLDER, `delve-${version}-go-${go.version}`);
  const delve = path.join(folder, 'dlv');
  if (isProgram(delve)) return { delve };
  log(`installing Delve ${version} for Go ${go.version}`);
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, GOBIN: folder, GOTOOLCHAIN: 'local', GOFLAGS: '' };
  const { isOk, output } = ended(
    go.path,
    ['install', `github.com/go-delve/delve/cmd/dlv@v${version}`],
    { env, timeout: 600_000 },
  );
  return isOk ? { delve } : { delve, problem: output };
}

/** What keeps a Delve from debugging the program, or undefined. @param {string} delve @param {string} program */
function problemOf(delve, program) {
  const commands = path.join(path.dirname(program), 'commands');
  writeFileSync(commands, 'break main.main\ncontinue\nnext\nnext\nprint answer\nexit\n');
  const args = ['exec', '--allow-non-terminal-interactive=true', '--init', commands, program];
  const { output } = ended(delve, args, { input: 'exit\n' });
  return /^42$/m.test(output) ? undefined : output;
}
