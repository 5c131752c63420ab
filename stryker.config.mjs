// @ts-check
/**
 * `npm run mutate`: mutation testing, not part of `npm test`. For some files only:
 * `npm run mutate -- --mutate src/debugger/state/reducer.ts`. The results of earlier runs are kept and reused.
 */
import './scripts/mutation/mocha12.cjs';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: [
    'src/debugger/**/*.ts',
    'src/control/**/*.ts',
    'src/results/**/*.ts',
    'src/tools/{run,preparedCalls,target}.ts',
  ],
  plugins: ['@stryker-mutator/mocha-runner', './scripts/mutation/ignoreTexts.mjs'],
  ignorers: ['texts'],
  // Each static mutant needs its own process, and most are constants.
  ignoreStatic: true,

  // The sources are mutated and compiled in a copy. Mutated code does not type-check.
  buildCommand: 'tsc -p . --noCheck',
  tempDirName: '.vscode-test/mutation/copy',
  ignorePatterns: ['/.vscode-test', '/dist', '/docs/images', '/media', '*.vsix'],

  testRunner: 'mocha',
  testRunnerNodeArgs: ['--require', './scripts/mutation/mocha12.cjs'],
  checkerNodeArgs: ['--require', './scripts/mutation/mocha12.cjs'],
  mochaOptions: {
    'no-config': true,
    'no-package': true,
    ui: 'bdd',
    spec: [
      'out/test/unit/{debugger,results,tools,control}/**/*.test.js',
      'out/test/unit/nonsense/answers.*.test.js',
    ],
  },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  timeoutMS: 10_000,

  incremental: true,
  incrementalFile: '.vscode-test/mutation/incremental.json',
  reporters: ['clear-text', 'html', 'json'],
  clearTextReporter: { logTests: false, allowColor: false, reportTests: false },
  htmlReporter: { fileName: '.vscode-test/mutation/report.html' },
  jsonReporter: { fileName: '.vscode-test/mutation/report.json' },
};
