import { NODE_REPORTER } from '../javascript/reporters';
import type { TestFramework } from '../testFramework';
import {
  JAVASCRIPT_FRAMEWORK,
  nodeRun,
  patternOf,
  scriptOptions,
  strengthOf,
  typeScriptLoader,
  urlOf,
} from '../javascript/nodeRunner';

const REPORTER = 'nodeReporter.mjs';

/** The test runner of Node. */
export const nodeTest: TestFramework = {
  ...JAVASCRIPT_FRAMEWORK,
  id: 'node_test',
  title: 'node:test',
  evidence: 'an import of node:test, or node --test in a script of package.json',
  detect: (project) =>
    strengthOf(project, {
      imported: /['"]node:test['"]/,
      inScript: /\b(?:node|tsx)\b.*\s--test\b/,
      configurationFiles: [],
    }),
  configuration: async ({ project, test, args, scratch }) => {
    const options = scriptOptions(project.manifest, {
      runner: /(?:^|\s)--test(?:\s|$)/,
      flags: /^$/,
      isNode: true,
    });
    const loader = await typeScriptLoader(project, options.node);
    // Node 20 compares only the last name. Later versions also compare the full name.
    const leaf = test.path.at(-1) ?? '';
    // A subtest runs only if the tests around it run.
    const names = [...(test.parents ?? []), leaf];
    return nodeRun(project, {
      program: project.file,
      args: [],
      nodeArgs: [
        ...options.node,
        ...loader,
        ...names.map((name) => `--test-name-pattern=/^${patternOf(name)}$/`),
        `--test-reporter=${urlOf(scratch, REPORTER)}`,
        '--test-reporter-destination=stdout',
        ...args,
      ],
      env: options.env,
      reporter: [REPORTER, NODE_REPORTER],
    });
  },
};
