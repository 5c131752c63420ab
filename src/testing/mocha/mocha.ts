import path from 'node:path';
import { MOCHA_REPORTER } from '../javascript/reporters';
import type { TestFramework } from '../testFramework';
import {
  JAVASCRIPT_FRAMEWORK,
  nodeRun,
  runnerScript,
  scriptOptions,
  strengthOf,
  typeScriptLoader,
  wholePattern,
} from '../javascript/nodeRunner';

const REPORTER = 'mochaReporter.cjs';
const CONFIGURATION = [
  '.mocharc.js',
  '.mocharc.cjs',
  '.mocharc.mjs',
  '.mocharc.yaml',
  '.mocharc.yml',
  '.mocharc.json',
  '.mocharc.jsonc',
];

export const mocha: TestFramework = {
  ...JAVASCRIPT_FRAMEWORK,
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
  configuration: async ({ project, test, args, scratch }) => {
    const options = scriptOptions(project.manifest, {
      runner: /(?:^|[\s/])mocha(?:$|\s)/,
      options: /^(?:-r|--require|--import|--loader|--config|--ui|-u|--file)$/,
      flags: /^--exit$/,
    });
    const isConfigured = await Promise.all(
      CONFIGURATION.map((file) =>
        project.services.workspace.exists(path.join(project.folder, file)),
      ),
    );
    const own = [...options.node, ...options.runner, ...(isConfigured.includes(true) ? [''] : [])];
    const loader = await typeScriptLoader(project, own);
    return nodeRun(project, {
      program: await runnerScript(project, 'mocha'),
      args: [
        ...options.runner,
        '--no-parallel',
        // Without it, mocha shortens the paths in stacks.
        '--full-trace',
        ...['--timeout', '0', '--reporter', path.join(scratch, REPORTER)],
        ...['--grep', wholePattern(test, ' ')],
        ...args,
        project.file,
      ],
      nodeArgs: [...options.node, ...loader],
      env: options.env,
      hasChildren: true,
      reporter: [REPORTER, MOCHA_REPORTER],
    });
  },
};
