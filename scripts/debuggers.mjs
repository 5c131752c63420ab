// @ts-check
/**
 * `npm run test:debuggers -- current [--fresh] [--label L] [--run FILE] [-g NAME]`: the host tests of the languages with
 * today's debuggers, inside a root folder of a newer Debian. `--fresh` makes that folder anew.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInside } from './adapters/current/inside.mjs';
import { ensureRoot, ownFolder, versionsIn } from './adapters/current/setup.mjs';
import { build } from './build.mjs';
import { cacheFolder } from './vscodeHost/setup.mjs';

const clone = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const LABELS = ['languages', 'languages-trace', 'languages-debug'];
/** Options of this command. `--built`: what is compiled already is tested. */
const OWN = ['--fresh', '--built'];

/** Runs on the machine itself. @param {string} program @param {...string} args */
function prepare(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: clone, encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
}

/** Folders outside of the clone that it uses. */
function sharedFolders() {
  const git = spawnSync('git', ['rev-parse', '--path-format=absolute', '--git-common-dir'], {
    cwd: clone,
    encoding: 'utf8',
  }).stdout.trim();
  const isOutside = git !== '' && path.relative(clone, git).startsWith('..');
  return [path.dirname(cacheFolder()), ...(isOutside ? [git] : [])];
}

/** @param {string[]} args */
async function current(args) {
  if (!args.includes('--built')) build();
  prepare('npm', 'run', '--silent', 'host:setup');
  const root = await ensureRoot({ isFresh: args.includes('--fresh') });
  console.log(`[debuggers] ${versionsIn(root)}`);
  const tests = args.filter((arg) => !OWN.includes(arg));
  const labels = tests.includes('--label') ? [] : LABELS.flatMap((label) => ['--label', label]);
  // What the machine's compilers built is not used. The clone's files inside are a layer above it, which is dropped.
  // The runners of tests only add tests, which are skipped without them.
  const script = [
    'find test/fixtures -type d \\( -name out -o -name target \\) -prune -exec rm -rf {} +',
    'node scripts/adapters/setup.mjs',
    '{ node scripts/testRunners/setup.mjs || true; }',
    'exec npx vscode-test "$@"',
  ].join(' && ');
  return await runInside(root, ['/bin/sh', '-c', script, 'sh', ...labels, ...tests], {
    clone: { folder: clone, own: ownFolder(), shared: sharedFolders() },
    env: { AGENT_DEBUGGER_HOST_CACHE: path.dirname(cacheFolder()) },
  });
}

const [generation, ...args] = process.argv.slice(2);
if (generation === 'current') {
  current(args).then(
    (code) => (process.exitCode = code),
    (error) => {
      console.error(`[debuggers] ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    },
  );
} else {
  console.error('Use: npm run test:debuggers -- current [--label L] [--run FILE] [-g NAME]');
  process.exitCode = 1;
}
