// @ts-check
/** `npm run test:repeat -- 20 --label node`: repeats the host tests, and stops at the first failure. */
import { spawnSync } from 'node:child_process';
import { build } from './build.mjs';

const [times = '20', ...rest] = process.argv.slice(2);
// As in `npm test`, set up everything that the tests need in a fresh clone.
build();
for (const step of [
  ['package', '--', '--out', '.vscode-test/agent-debugger.vsix'],
  ['mcp-tools:setup'],
  ...(process.platform === 'linux'
    ? [['host:setup'], ['adapters:setup'], ['mcp-clients:setup']]
    : []),
]) {
  const prepared = spawnSync('npm', ['run', '--silent', ...step], { encoding: 'utf8' });
  if (prepared.status === 0) continue;
  console.error(prepared.stdout + prepared.stderr);
  process.exit(1);
}
const started = Date.now();
for (let run = 1; run <= Number(times); run += 1) {
  const begun = Date.now();
  const result = spawnSync('npx', ['vscode-test', ...rest], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  const counts = [...(result.stdout ?? '').matchAll(/^\d+ passed, \d+ failed.*$/gm)].map(
    (match) => match[0],
  );
  console.log(
    `run ${run} of ${times}: ${counts.join('; ')} (${((Date.now() - begun) / 1000).toFixed(0)} s)`,
  );
  if (result.status !== 0) {
    console.log(result.stdout);
    console.error(result.stderr);
    process.exit(1);
  }
}
console.log(
  `${times} runs without a failure in ${((Date.now() - started) / 60_000).toFixed(1)} minutes`,
);
