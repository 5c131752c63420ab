import path from 'node:path';
import type { TestFramework, TestProject } from '../testFramework';
import { scriptOptions, type ScriptOptions } from '../javascript/commandLine';
import {
  JAVASCRIPT_FRAMEWORK,
  nodeRun,
  reporterOf,
  runnerScript,
  strengthOf,
  typeScriptLoader,
} from '../javascript/nodeRunner';
import { wholePattern } from '../javascript/testNames';

const CONFIGURATION = ['js', 'cjs', 'mjs', 'yaml', 'yml', 'json', 'jsonc'].map(
  (ending) => `.mocharc.${ending}`,
);

const COMMAND = {
  runner: /(?:^|[\s/])_?mocha(?:\.js)?(?:$|\s)/,
  takesValue:
    /^(?:-r|--require|--import|--loader|--config|--package|--ui|-u|--file|--extension|--ignore|--exclude|--timeout|-t|--slow|-s|--retries|--jobs|-j|--reporter|-R|--reporter-options?|-O|--grep|-g|--fgrep|-f|--spec|--watch-files|--watch-ignore|--node-option|-n|--global)$/,
  replaced:
    /^(?:--reporter|-R|--reporter-options?|-O|--grep|-g|--fgrep|-f|--invert|-i|--spec|--recursive|--sort|-S|--ignore|--exclude|--dry-run|--inspect.*|--list-.*|--no-parallel|--full-trace|--fail-zero|--no-opts)$/,
  dropped: /^(?:--parallel|-p|--jobs|-j|--watch|-w|--watch-files|--watch-ignore)$/,
};

export const mocha: TestFramework = {
  ...JAVASCRIPT_FRAMEWORK,
  countsLines: 'v8',
  id: 'mocha',
  title: 'mocha',
  evidence: 'mocha in package.json, a .mocharc file',
  detect: (project) =>
    strengthOf(project, {
      imported: /['"]mocha['"]/,
      inScript: /\bmocha\b/,
      packageName: 'mocha',
      configurationFiles: CONFIGURATION,
    }),
  configuration: async (context) => {
    const { project, test, args } = context;
    const options = scriptOptions(project.manifest, COMMAND);
    return nodeRun(context, {
      program: await runnerScript(project, 'mocha'),
      args: [
        ...options.runner,
        '--no-parallel',
        // Without it, mocha shortens the paths in stacks.
        ...['--full-trace', '--reporter', reporterOf(project, 'mocha.cjs')],
        ...['--grep', wholePattern(test, ' ')],
        ...args,
        project.file,
      ],
      // A program that is stopped takes any time.
      debugArgs: ['--timeout=0'],
      nodeArgs: await loaderOf(project, options),
      options,
      hasChildren: true,
    });
  },
};

async function loaderOf(project: TestProject, options: ScriptOptions): Promise<readonly string[]> {
  const isConfigured = await Promise.all(
    CONFIGURATION.map((file) => project.services.workspace.exists(path.join(project.folder, file))),
  );
  if (options.runner.some((option) => LOADS.test(option)) || isConfigured.includes(true)) return [];
  return await typeScriptLoader(project, options);
}

const LOADS = /^(?:-r|--require|--import|--loader|--config)(?:=|$)/;
