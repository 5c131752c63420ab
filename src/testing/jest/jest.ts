import type { TestFramework } from '../testFramework';
import { scriptOptions } from '../javascript/commandLine';
import {
  JAVASCRIPT_FRAMEWORK,
  nodeRun,
  reporterOf,
  runnerScript,
  strengthOf,
} from '../javascript/nodeRunner';
import { wholePattern } from '../javascript/testNames';

/** A time limit that is longer than any test takes. */
const LONG_MS = 600_000;

const COMMAND = {
  runner: /(?:^|[\s/])jest(?:\.js)?(?:$|\s)/,
  takesValue:
    /^(?:-c|--config|--rootDir|--roots|--projects|--selectProjects|--ignoreProjects|--env|--testEnvironment|--testRunner|--runner|--preset|--resolver|--globals|--setupFiles|--setupFilesAfterEnv|--globalSetup|--globalTeardown|--moduleDirectories|--moduleFileExtensions|--transform|--testTimeout|--cacheDirectory|--seed|--testMatch|--testRegex|--maxWorkers|-w|--workerThreads|--reporters|--testNamePattern|-t|--testPathPatterns?|--testPathIgnorePatterns|--shard|--changedSince|--outputFile|--coverage(?:Directory|Provider|Reporters|Threshold)|--collectCoverageFrom|--maxConcurrency|--testSequencer)$/,
  replaced:
    /^(?:--runInBand|-i|--reporters|--testNamePattern|-t|--testPathPatterns?|--testPathIgnorePatterns|--testMatch|--testRegex|--runTestsByPath|--findRelatedTests|--onlyChanged|-o|--onlyFailures|-f|--changedSince|--lastCommit|--shard|--json|--outputFile|--useStderr|--verbose|--silent|--listTests|--watchman|--no-watchman|--testLocationInResults)$/,
  dropped:
    /^(?:--watch|--watchAll|--maxWorkers|-w|--workerThreads|--workerIdleMemoryLimit|--coverage.*|--collectCoverage.*|--bail|-b)$/,
};

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
  configuration: async (context) => {
    const { project, test, args } = context;
    const options = scriptOptions(project.manifest, COMMAND);
    return nodeRun(context, {
      program: await runnerScript(project, 'jest'),
      args: [
        ...options.runner,
        ...['--runInBand', '--watchman=false', '--coverage=false'],
        `--reporters=${reporterOf(project, 'jest.cjs')}`,
        '--testLocationInResults',
        `--testNamePattern=${wholePattern(test, ' ')}`,
        ...args,
        ...['--runTestsByPath', project.file],
      ],
      // A program that is stopped takes any time.
      debugArgs: [`--testTimeout=${LONG_MS}`],
      options,
    });
  },
};
