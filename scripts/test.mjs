// @ts-check
/**
 * `npm test`: every check. Independent steps run in parallel. It stops at the first step that fails and names it. But the
 * steps in VS Code, format and lint go on after a failure, which is repeated at the end.
 * `npm run check` (`--check`): only the steps that need no VS Code, in two parallel rows.
 */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import testConfiguration from '../.vscode-test.mjs';
import { chosenTable } from './adapters/toolchain.mjs';

const quick = process.argv.includes('--check');
const isLinux = process.platform === 'linux';

/**
 * Labels of `.vscode-test.mjs`. Those of the workspace with a program in each language take more than half of the time.
 * They write no file of it that others read, and no settings of it, so they may run side by side.
 */
const labels = [testConfiguration].flat().map(({ label = '' }) => label);
const TRACE_LABEL = 'languages-trace';
const DEBUG_LABEL = 'languages-debug';
const LANGUAGE_LABELS = labels.filter(
  (label) => label.includes('languages') && ![TRACE_LABEL, DEBUG_LABEL].includes(label),
);
const OTHER_LABELS = labels.filter((label) => !label.includes('languages'));

/**
 * Steps that need no compiled code. They run in parallel with all others. With a low priority, they use the time in
 * which the tests in VS Code wait.
 * @type {Step[]}
 */
const textSteps = [
  { name: 'format', command: ['npm', 'run', '--silent', 'format:check'], isLow: !quick },
  {
    name: 'lint',
    // A larger young generation saves a tenth of its time.
    command: ['node', '--max-semi-space-size=128', 'node_modules/.bin/eslint', '.'],
    isLow: !quick,
  },
];

/** @type {Step} */
const typesStep = { name: 'types', command: ['npm', 'run', '--silent', 'compile'] };

/** One of the tests checks the generated files. @type {Step} */
const unitStep = { name: 'unit tests', command: ['npx', 'mocha'] };

/** The command for test files that are not unit tests. @param {string} files */
const slowMocha = (files) => [
  ...['npx', 'mocha', '--no-config', '--reporter', 'out/test/support/reporter.js'],
  ...['--timeout', '600000', files],
];

/** @param {string} name @param {...string} script the script of package.json and its arguments @returns {Step} */
const setUp = (name, ...script) => ({ name, command: ['npm', 'run', '--silent', ...script] });

/** The part of the campaign that is short enough. It uses what is compiled and packaged. */
const QUICK_CAMPAIGN = ['campaign', '--', '--built', '--quick'];

/**
 * Parallel rows that install what a new machine lacks: VS Code, debug adapters and test runners. Most of their time they
 * wait for downloads.
 * @type {Step[][]}
 */
const setUpRows = isLinux
  ? [
      [setUp('VS Code', 'host:setup'), setUp('the oldest VS Code', 'host:setup', '--', 'oldest')],
      [setUp('debug adapters', 'adapters:setup'), setUp('runners of tests', 'test-runners:setup')],
    ]
  : [];

/** What the package is checked with. @type {Step[]} */
const mcpSetUps = [
  setUp('MCP tools', 'mcp-tools:setup'),
  ...(isLinux ? [setUp('MCP clients', 'mcp-clients:setup')] : []),
];

/** A release without publishing. Its package is the one that is tested. @type {Step} */
const packageStep = {
  name: 'package (release, dry run)',
  command: [
    ...['node', 'out/scripts/release.js', '--dry-run', '--no-check'],
    ...['--copy', '.vscode-test/agent-debugger.vsix'],
  ],
};

/** Tests in VS Code, by the labels of `.vscode-test.mjs`. @param {string} name @param {...string} labels @returns {Step} */
const hostStep = (name, ...labels) => ({
  name,
  command: ['npx', 'vscode-test', ...labels.flatMap((label) => ['--label', label])],
});

/** They need no built extension. @type {Step} */
const probesStep = {
  name: 'security probes',
  command: ['npm', 'run', '--silent', 'mocha:security'],
};

/**
 * Parallel rows, so that one uses the time in which others wait. Labels whose tests write settings into the same workspace
 * folder are in the same row.
 * @type {Step[][]}
 */
const slowRows = [
  [
    hostStep('host tests: languages', ...LANGUAGE_LABELS),
    ...(isLinux
      ? [
          setUp('projects of the campaign', ...QUICK_CAMPAIGN, '--prepare'),
          { name: 'campaign', command: ['npm', 'run', '--silent', ...QUICK_CAMPAIGN] },
        ]
      : []),
  ],
  [hostStep('host tests: values of runs in each language', TRACE_LABEL)],
  [
    hostStep('host tests: all others', ...OTHER_LABELS),
    // Not at the beginning, when most rows run: it measures how soon a window takes over.
    ...(isLinux
      ? [{ name: 'several windows', command: slowMocha('out/test/windows/**/*.test.js') }]
      : []),
  ],
  isLinux
    ? [
        {
          name: 'the VS Code host itself',
          command: slowMocha('out/test/vscodeHost/**/*.test.js'),
        },
        { name: 'demo', command: ['npm', 'run', '--silent', 'demo', '--', '--built'] },
        { name: 'chat', command: ['npm', 'run', '--silent', 'mocha:chat'] },
        { name: 'agent clients', command: slowMocha('out/test/agentClients/**/*.test.js') },
        hostStep('host tests: tests and attaching in each language', DEBUG_LABEL),
      ]
    : [hostStep('host tests: tests and attaching in each language', DEBUG_LABEL)],
];

/**
 * @typedef {{ name: string, command: string[], isLow?: boolean }} Step
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 */

/** @type {Counts} */
const total = { passed: 0, failed: 0, skipped: 0 };
/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();

/** @param {string} output @returns {Counts} the sum of what the reporters of a step counted */
function countsIn(output) {
  const lines = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)];
  const sum = (/** @type {number} */ group) =>
    lines.reduce((count, line) => count + Number(line[group] ?? 0), 0);
  return { passed: sum(1), failed: sum(2), skipped: sum(3) };
}

/** Lowers the priority of a process if the system allows it. @param {number} pid */
function lowerPriority(pid) {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch (error) {
    console.log(`The priority of a step was not lowered: ${String(error)}`);
  }
}

/** @param {Step} step @returns {Promise<{ code: number | string, output: string }>} */
function run({ command, isLow }) {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  if (isLow && child.pid !== undefined) lowerPriority(child.pid);
  children.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (/** @type {string} */ text) => (output += text));
  }
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: error.message, output }));
    child.on('close', (code, signal) => {
      children.delete(child);
      resolve({ code: code ?? signal ?? 'no exit code', output });
    });
  });
}

/** Failures of steps in VS Code, printed at the end. @type {string[]} */
const failures = [];

/** The part of mocha's report that lists the failures, at most 6,000 characters. @param {string} output */
function failuresIn(output) {
  const start = output.search(/^\s*\d+ failing$/m);
  return (start < 0 ? output.slice(-3000) : output.slice(start)).slice(0, 6000);
}

/** @param {Step} step @returns {Promise<boolean>} whether it passed */
async function report(step) {
  const begun = Date.now();
  const { code, output } = await run(step);
  console.log(`\n== ${step.name}`);
  process.stdout.write(output);
  const { passed, failed, skipped } = countsIn(output);
  const isPassed = code === 0 && failed === 0;
  total.passed += passed;
  total.failed += isPassed ? 0 : Math.max(failed, 1);
  total.skipped += skipped;
  const seconds = ((Date.now() - begun) / 1000).toFixed(0);
  const failedWith = `failed (exit code ${code}) after`;
  console.log(`== ${step.name}${isPassed ? ':' : ` ${failedWith}`} ${seconds} s`);
  if (!isPassed) failures.push(`== ${step.name} ${failedWith} ${seconds} s\n${failuresIn(output)}`);
  return isPassed;
}

/** Prints the failures and the counts, and ends with exit code 1. @returns {never} */
function endFailed() {
  console.log(`\n${failures.join('\n')}`);
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exit(1);
}

/** Runs the steps in sequence, and ends the process at the first that fails. @param {Step[]} steps */
async function inOrder(steps) {
  for (const step of steps) {
    if (await report(step)) continue;
    for (const child of children) child.kill();
    endFailed();
  }
}

/** Runs all steps in sequence, even if one fails. @param {Step[]} steps */
async function allOf(steps) {
  for (const step of steps) await report(step);
}

mkdirSync('.vscode-test', { recursive: true });
const started = Date.now();
const texts = quick ? inOrder(textSteps) : allOf(textSteps);
if (quick) {
  await inOrder([typesStep, unitStep]);
} else {
  await inOrder([typesStep]);
  // On a new machine, the set-up takes minutes. Its downloads and the unit tests run side by side.
  const packaged = inOrder([...mcpSetUps, packageStep]);
  await Promise.all([inOrder([unitStep, probesStep]), packaged, ...setUpRows.map(inOrder)]);
  if (isLinux) console.log(`\n== toolchains and debuggers of the host tests\n${chosenTable()}`);
  await Promise.all(slowRows.map(allOf));
}
await texts;
if (failures.length > 0) endFailed();
if (process.env.CI && total.skipped > 0) {
  console.log(`\n== ${total.skipped} tests were skipped, which CI does not accept`);
  process.exit(1);
}
console.log(`\n== all in ${((Date.now() - started) / 1000).toFixed(0)} s`);
console.log(`${total.passed} passed, 0 failed, ${total.skipped} skipped`);
