import path from 'node:path';
import { JEST_REPORTER } from '../javascript/reporters';
import type { TestFramework } from '../testFramework';
import {
  JAVASCRIPT_FRAMEWORK,
  nodeRun,
  runnerScript,
  scriptOptions,
  strengthOf,
  wholePattern,
} from '../javascript/nodeRunner';

const REPORTER = 'jestReporter.cjs';

/** A time limit that is longer than any test takes. */
const LONG_MS = 600_000;

export const jest: TestFramework = {
  ...JAVASCRIPT_FRAMEWORK,
  id: 'jest',
  keepsOutput: true,
  title: 'jest',
  evidence: 'jest in package.json, a jest.config file, an import of @jest/globals',
  detect: (project) =>
    strengthOf(project, {
      imported: /['"]@jest\/globals['"]/,
      inScript: /\bjest\b/,
      packageName: 'jest',
      configurationFiles: ['js', 'cjs', 'mjs', 'ts', 'cts', 'mts', 'json'].map(
        (ending) => `jest.config.${ending}`,
      ),
    }),
  configuration: async ({ project, test, args, scratch }) => {
    const options = scriptOptions(project.manifest, {
      runner: /(?:^|[\s/])jest(?:\.js)?(?:$|\s)/,
      options: /^(?:-c|--config|--rootDir|--selectProjects|--env)$/,
      flags: /^--forceExit$/,
    });
    return nodeRun(project, {
      program: await runnerScript(project, 'jest'),
      args: [
        ...options.runner,
        ...['--runInBand', '--watchman=false', '--coverage=false'],
        `--reporters=${path.join(scratch, REPORTER)}`,
        '--testLocationInResults',
        `--testNamePattern=${wholePattern(test, ' ')}`,
        ...args,
        ...['--runTestsByPath', project.file],
      ],
      // jest reports an uncaught error of a test that waits for `done` only after the time limit of the test.
      debugArgs: [`--testTimeout=${LONG_MS}`],
      nodeArgs: options.node,
      env: options.env,
      reporter: [REPORTER, JEST_REPORTER],
    });
  },
};
