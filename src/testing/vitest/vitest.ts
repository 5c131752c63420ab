import path from 'node:path';
import { freePort } from '../../util/freePort';
import { VITEST_REPORTER } from '../javascript/reporters';
import type { TestFramework } from '../testFramework';
import {
  JAVASCRIPT_FRAMEWORK,
  nodeRun,
  runnerScript,
  scriptOptions,
  strengthOf,
  wholePattern,
} from '../javascript/nodeRunner';

const REPORTER = 'vitestReporter.mjs';

export const vitest: TestFramework = {
  ...JAVASCRIPT_FRAMEWORK,
  id: 'vitest',
  keepsOutput: true,
  title: 'vitest',
  evidence: 'vitest in package.json, a vitest.config file, an import of vitest',
  detect: (project) =>
    strengthOf(project, {
      imported: /['"]vitest['"]/,
      inScript: /\bvitest\b/,
      packageName: 'vitest',
      configurationFiles: ['js', 'cjs', 'mjs', 'ts', 'cts', 'mts'].map(
        (ending) => `vitest.config.${ending}`,
      ),
    }),
  configuration: async ({ project, test, args, scratch }) => {
    const options = scriptOptions(project.manifest, {
      runner: /(?:^|[\s/])vitest(?:\.mjs)?(?:$|\s)/,
      options: /^(?:-c|--config|-r|--root|--dir|--project|--environment)$/,
      flags: /^--globals$/,
    });
    // The path of the folder differs between windows, so two windows can debug the same test at the same time.
    const port = await freePort(scratch);
    return nodeRun(project, {
      program: await runnerScript(project, 'vitest'),
      args: [
        ...['run', project.file],
        ...options.runner,
        ...['--pool=forks', '--no-file-parallelism', '--testTimeout=0', '--hookTimeout=0'],
        ...['--coverage.enabled=false', '--includeTaskLocation'],
        `--reporter=${path.join(scratch, REPORTER)}`,
        // Vitest 5 joins names differently than earlier versions.
        ...['-t', wholePattern(test, '(?: > | )')],
        ...args,
      ],
      nodeArgs: options.node,
      env: options.env,
      hasChildren: true,
      // Without a port, attaching to the runner's own process takes a minute.
      waits: { port, args: [`--inspect-brk=127.0.0.1:${port}`] },
      reporter: [REPORTER, VITEST_REPORTER],
    });
  },
};
