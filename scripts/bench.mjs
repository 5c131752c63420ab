// @ts-check
/**
 * `npm run bench`: speed and size against named baselines, in real VS Code. `npm run bench -- tokens python` measures a
 * part, a language, or both; `-- --write` puts the figures into docs/performance.md.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { chosenTool } from './adapters/toolchain.mjs';
import { build } from './build.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const PARTS = [
  'tokens',
  'steps',
  'traces',
  'objects',
  'tracker',
  'large',
  'output',
  'sessions',
  'breakpoints',
  'collecting',
  'bugs',
  'writers',
  'live',
  'redaction',
  'investigation',
  'lines',
  'activation',
  'size',
];
// C++ and Go are measured only in some parts.
const LANGUAGES = ['node', 'python', 'c++', 'go'];
/** If the load per processor is higher than this before the bench begins, its times are not reliable. */
const BUSY = 0.25;

const args = process.argv.slice(2).map((arg) => arg.toLowerCase());
const write = args.includes('--write');
const selected = args.filter((arg) => arg !== '--write');
const unknown = selected.filter((name) => !PARTS.includes(name) && !LANGUAGES.includes(name));
if (unknown.length > 0) {
  console.error(
    `There is no ${unknown.join(', ')}. Parts: ${PARTS.join(', ')}; languages: ${LANGUAGES.join(', ')}; --write.`,
  );
  process.exit(1);
}
const parts = selected.some((name) => PARTS.includes(name))
  ? selected.filter((name) => PARTS.includes(name))
  : PARTS;

const load = loadavg()[0] ?? 0;
build();
const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-bench-'));
/** @type {{ parts: Record<string, string>, missed: string[] }} */
let report = { parts: {}, missed: [] };
try {
  const elsewhere = ['size', 'objects', 'bugs', 'writers', 'live'];
  // The programs for all adapters are in the workspace of the languages. The bugs and the live programs have their own ones.
  for (const [workspace, of] of /** @type {const} */ ([
    ['test/fixtures/bench', parts.filter((part) => !elsewhere.includes(part))],
    ['test/fixtures/languages', parts.filter((part) => part === 'objects')],
    ['test/bench/bugs/programs', parts.filter((part) => part === 'bugs')],
    ['test/bench/bugs/writers/programs', parts.filter((part) => part === 'writers')],
    ['test/bench/live/programs', parts.filter((part) => part === 'live')],
  ])) {
    if (of.length === 0) continue;
    const measured = measure(workspace, of);
    report = {
      parts: { ...report.parts, ...measured.parts },
      missed: [...report.missed, ...measured.missed],
    };
  }
  if (parts.includes('size')) report.parts['size'] = size();
} finally {
  rmSync(folder, { recursive: true });
}
if (write) await writeReport(report.parts);
console.log(
  report.missed.length === 0
    ? 'Every aim of this run is met.'
    : `Missed:\n${report.missed.map((aim) => `- ${aim}`).join('\n')}`,
);
if (isBusy())
  console.log(
    `The machine was busy when the bench began (load ${load.toFixed(2)} on ${cpus().length} processors): times of this run are worth little.`,
  );

function isBusy() {
  return load / cpus().length > BUSY;
}

/** Runs parts that need VS Code in a workspace. @param {string} workspace @param {readonly string[]} of */
function measure(workspace, of) {
  const file = path.join(folder, 'report.json');
  const result = spawnSync(
    path.join(root, 'scripts/vscodeHost/code.mjs'),
    [
      path.join(root, workspace),
      `--extensionTestsPath=${path.join(root, 'out/test/bench/bench.js')}`,
      `--extensionDevelopmentPath=${root}`,
      `--extensionDevelopmentPath=${path.join(root, 'test/adapterExtension')}`,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        AGENT_DEBUGGER_BENCH_SELECTED: selected.join(' '),
        AGENT_DEBUGGER_BENCH_PARTS: of.join(' '),
        AGENT_DEBUGGER_BENCH_REPORT: file,
        AGENT_DEBUGGER_BENCH_MACHINE: machine(),
        AGENT_DEBUGGER_HOST_MINUTES: '90',
      },
    },
  );
  if (result.status !== 0) process.exit(result.status ?? 1);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The machine and the versions that the figures depend on, besides VS Code. */
function machine() {
  const processor = cpus()[0]?.model.trim().replace(/\s+/g, ' ') ?? 'unknown processor';
  const python = spawnSync(
    chosenTool('python'),
    [
      '-c',
      'import sys, debugpy; print("Python", sys.version.split()[0] + ", debugpy", debugpy.__version__)',
    ],
    { encoding: 'utf8' },
  ).stdout.trim();
  return `${cpus().length} × ${processor}, ${Math.round(totalmem() / 2 ** 30)} GB, load ${load.toFixed(2)} before${isBusy() ? ' (busy)' : ''}; ${python === '' ? '' : `${python}, `}`;
}

/** A table with the sizes of the bundle and the package. */
function size() {
  const vsix = path.join(folder, 'agent-debugger.vsix');
  const packaged = spawnSync(
    'npx',
    [
      'vsce',
      'package',
      '--no-dependencies',
      '--allow-missing-repository',
      '--no-rewrite-relative-links',
      '--out',
      vsix,
    ],
    { cwd: root, encoding: 'utf8' },
  );
  if (packaged.status !== 0) {
    console.error(packaged.stdout + packaged.stderr);
    process.exit(1);
  }
  const kilobytes = (/** @type {string} */ file) => `${(statSync(file).size / 1024).toFixed(0)} KB`;
  const rows = [
    ['bundle', path.join(root, 'dist/extension.js')],
    ['VSIX', vsix],
  ].map(([name = '', file = '']) => `| ${name.padEnd(6)} | ${kilobytes(file).padStart(8)} |`);
  const table = ['|        |     size |', '| ------ | -------: |', ...rows].join('\n');
  console.log(`${table}\n`);
  return table;
}

/** Puts each part's figures between its marks. @param {Record<string, string>} measured */
async function writeReport(measured) {
  const file = path.join(root, 'docs/performance.md');
  let text = readFileSync(file, 'utf8');
  for (const [part, figures] of Object.entries(measured)) {
    const place = new RegExp(`(<!-- bench: ${part} -->)[^]*?(<!-- end -->)`);
    if (!place.test(text)) throw new Error(`docs/performance.md has no place for ${part}`);
    text = text.replace(place, (_whole, before, after) => `${before}\n\n${figures}\n\n${after}`);
  }
  const options = { ...(await prettier.resolveConfig(file)), filepath: file };
  writeFileSync(file, await prettier.format(text, options));
}
