import { pathToFileURL } from 'node:url';
import type { TestFramework } from '../testFramework';
import { scriptOptions } from '../javascript/commandLine';
import {
  JAVASCRIPT_FRAMEWORK,
  nodeRun,
  reporterOf,
  strengthOf,
  typeScriptLoader,
} from '../javascript/nodeRunner';
import { patternOf } from '../javascript/testNames';

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
  configuration: async (context) => {
    const { project, test, args } = context;
    const options = scriptOptions(project.manifest, {
      runner: /(?:^|\s)--test(?:\s|$)/,
      takesValue: /^$/,
      replaced: /^$/,
      dropped: /^$/,
      isNode: true,
    });
    // Node 20 compares only the last name. Later versions also compare the full name.
    const leaf = test.path.at(-1) ?? '';
    // A subtest runs only if the tests around it run.
    const names = [...(test.parents ?? []), leaf];
    const reporter = pathToFileURL(reporterOf(project, 'nodeTest.cjs')).href;
    return nodeRun(context, {
      program: project.file,
      args: [],
      options,
      nodeArgs: [
        ...(await typeScriptLoader(project, options)),
        ...names.map((name) => `--test-name-pattern=/^${patternOf(name)}$/`),
        `--test-reporter=${reporter}`,
        '--test-reporter-destination=stdout',
        ...args,
      ],
    });
  },
};
