// @ts-check
/**
 * `npm test`: every check, in the order of their cost. Ends at the first kind that fails and names it.
 * `npm run check` (`--check`): the first of them, which need no VS Code.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

const quick = process.argv.includes('--check');
const isLinux = process.platform === 'linux';

/** @type {{ name: string, command: string[] }[]} */
const quickSteps = [
  { name: 'format', command: ['npm', 'run', '--silent', 'format:check'] },
  { name: 'lint', command: ['npm', 'run', '--silent', 'lint'] },
  { name: 'types', command: ['npm', 'run', '--silent', 'compile'] },
  { name: 'generated files', command: ['node', 'out/scripts/generate.js', '--check'] },
  { name: 'unit tests', command: ['npx', 'mocha'] },
];

/** @type {{ name: string, command: string[] }[]} */
const slowSteps = [
  { name: 'security probes', command: ['npm', 'run', '--silent', 'mocha:security'] },
  {
    name: 'package',
    command: [
      'npm',
      'run',
      '--silent',
      'package',
      '--',
      '--out',
      '.vscode-test/agent-debugger.vsix',
    ],
  },
  ...(isLinux
    ? [
        { name: 'VS Code', command: ['npm', 'run', '--silent', 'host:setup'] },
        { name: 'debug adapters', command: ['npm', 'run', '--silent', 'adapters:setup'] },
        {
          name: 'the VS Code host itself',
          command: [
            'npx',
            'mocha',
            '--no-config',
            '--reporter',
            'out/test/support/reporter.js',
            '--timeout',
            '180000',
            'out/test/vscodeHost/**/*.test.js',
          ],
        },
        { name: 'chat', command: ['npm', 'run', '--silent', 'mocha:chat'] },
        { name: 'demo', command: ['npm', 'run', '--silent', 'demo'] },
      ]
    : []),
  ...(isLinux
    ? [
        {
          name: 'several windows',
          command: [
            'npx',
            'mocha',
            '--no-config',
            '--reporter',
            'out/test/support/reporter.js',
            '--timeout',
            '180000',
            'out/test/windows/**/*.test.js',
          ],
        },
      ]
    : []),
  { name: 'MCP tools', command: ['npm', 'run', '--silent', 'mcp-tools:setup'] },
  ...(isLinux
    ? [{ name: 'MCP clients', command: ['npm', 'run', '--silent', 'mcp-clients:setup'] }]
    : []),
  { name: 'host tests', command: ['npx', 'vscode-test'] },
];

mkdirSync('.vscode-test', { recursive: true });
const started = Date.now();
let passed = 0;
let skipped = 0;
for (const { name, command } of quick ? quickSteps : [...quickSteps, ...slowSteps]) {
  console.log(`\n== ${name}`);
  const begun = Date.now();
  const [program = '', ...args] = command;
  const result = spawnSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 256 * 1024 * 1024,
  });
  process.stdout.write(result.stdout);
  const counts = [...result.stdout.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)];
  passed += counts.reduce((sum, each) => sum + Number(each[1]), 0);
  skipped += counts.reduce((sum, each) => sum + Number(each[3] ?? 0), 0);
  const failed = counts.reduce((sum, each) => sum + Number(each[2]), 0);
  if (result.status !== 0 || failed > 0) {
    console.log(`\n== ${name} failed (exit code ${result.status ?? result.signal})`);
    console.log(`${passed} passed, ${Math.max(failed, 1)} failed, ${skipped} skipped`);
    process.exit(1);
  }
  console.log(`== ${name}: ${((Date.now() - begun) / 1000).toFixed(0)} s`);
}
if (process.env.CI && skipped > 0) {
  console.log(`\n== ${skipped} tests were skipped, which CI does not accept`);
  process.exit(1);
}
console.log(`\n== all in ${((Date.now() - started) / 1000).toFixed(0)} s`);
console.log(`${passed} passed, 0 failed, ${skipped} skipped`);
