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

const COMMAND = {
  runner: /(?:^|[\s/])vitest(?:\.mjs)?(?:$|\s)/,
  takesValue:
    /^(?:-c|--config|-r|--root|--dir|--project|--environment|--mode|--pool|--pool-?[oO]ptions.*|--exec-?[aA]rgv|--test-?[tT]imeout|--hook-?[tT]imeout|--teardown-?[tT]imeout|--retry|--repeats|--max-?[cC]oncurrency|--max-?[wW]orkers|--min-?[wW]orkers|--bail|--reporter|--output-?[fF]ile.*|--shard|--changed|-t|--test-?[nN]ame-?[pP]attern|--exclude|--sequence\..*|--browser\.name|--coverage\..*|--tags?-?[fF]ilter|--workspace)$/,
  replaced:
    /^(?:--run|--reporter|--output-?[fF]ile.*|--shard|--changed|-t|--test-?[nN]ame-?[pP]attern|--exclude|--include-?[tT]ask-?[lL]ocation|--inspect.*|--silent|--open|--clear-?[sS]creen|--hide-?[sS]kipped-?[tT]ests|--pass-?[wW]ith-?[nN]o-?[tT]ests|--update|-u|--no-color|--color)$/,
  dropped:
    /^(?:--watch|-w|--ui|--standalone|--coverage.*|--max-?[wW]orkers|--min-?[wW]orkers|--bail|--typecheck.*)$/,
};

const CONFIGURATION = ['js', 'cjs', 'mjs', 'ts', 'cts', 'mts'].flatMap((ending) => [
  `vitest.config.${ending}`,
  `vitest.workspace.${ending}`,
]);

export const vitest: TestFramework = {
  ...JAVASCRIPT_FRAMEWORK,
  id: 'vitest',
  keepsOutput: true,
  haltsIn: 'javascript/vitestWorker.cjs',
  title: 'vitest',
  evidence: 'vitest in package.json, a vitest.config file, an import of vitest',
  detect: (project) =>
    strengthOf(project, {
      imported: /['"]vitest['"]/,
      inScript: /\bvitest\b/,
      packageName: 'vitest',
      configurationFiles: CONFIGURATION,
    }),
  configuration: async (context) => {
    const { project, test, args } = context;
    const options = scriptOptions(project.manifest, COMMAND);
    return nodeRun(context, {
      program: await runnerScript(project, 'vitest'),
      args: [
        ...['run', project.file],
        ...options.runner,
        '--coverage.enabled=false',
        `--reporter=${reporterOf(project, 'vitest.mjs')}`,
        // Vitest 5 joins names differently than earlier versions.
        ...['-t', wholePattern(test, '(?: > | )')],
        ...args,
      ],
      // A program that is stopped takes any time. The debugger attaches to processes, and not to threads.
      debugArgs: ['--pool=forks', '--no-file-parallelism', '--testTimeout=0', '--hookTimeout=0'],
      options,
      hasChildren: true,
      hasOnlyChildren: true,
    });
  },
};
