import { pathToFileURL } from 'node:url';
import type { ChosenTest, TestFramework } from '../testFramework';
import { scriptOptions, scriptsOf } from '../javascript/commandLine';
import {
  JAVASCRIPT_FRAMEWORK,
  nodeRun,
  reporterOf,
  strengthOf,
  typeScriptLoader,
} from '../javascript/nodeRunner';
import { escaped, patternOf } from '../javascript/testNames';

/** Matches a script that runs tests by the runner of Node, and one that runs a file of tests as a program. */
const TEST_FLAG = /(?:^|\s)--test(?:\s|$)/;
const TEST_FILE = /(?:^|[\s\\/])(?:node|tsx)\s(?:.{0,100}[\s\\/])?tests?(?:[\s\\/.]|$)/;

/** The test runner of Node. */
export const nodeTest: TestFramework = {
  ...JAVASCRIPT_FRAMEWORK,
  countsLines: 'v8',
  id: 'node_test',
  title: 'node:test',
  evidence: 'an import of node:test, or node --test in a script of package.json',
  detect: (project) =>
    strengthOf(project, {
      imported: /['"]node:test['"]/,
      inScript: /\b(?:node|tsx)\b.{0,100}\s--test\b/,
      configurationFiles: [],
    }),
  configuration: async (context) => {
    const { project, test, args } = context;
    const { manifest } = project;
    const options = scriptOptions(manifest, {
      runner: scriptsOf(manifest).some((script) => TEST_FLAG.test(script)) ? TEST_FLAG : TEST_FILE,
      takesValue: /^$/,
      replaced: /^$/,
      dropped: /^$/,
      isNode: true,
    });
    const reporter = pathToFileURL(reporterOf(project, 'nodeTest.cjs')).href;
    return nodeRun(context, {
      program: project.file,
      args: [],
      options,
      nodeArgs: [
        ...(await typeScriptLoader(project, options)),
        ...patternsOf(test).map((pattern) => `--test-name-pattern=/${pattern}/`),
        `--test-reporter=${reporter}`,
        '--test-reporter-destination=stdout',
        ...args,
      ],
    });
  },
};

/**
 * Returns the patterns for the names of tests. Node 20 compares only the last name, later versions also the full name. A
 * subtest runs only if the tests around it run.
 */
function patternsOf({ path, parents = [], line, isLoose }: ChosenTest): readonly string[] {
  const leaf = path.at(-1) ?? '';
  if (isLoose === true) return [patternOf(leaf)];
  // If the text does not show the test, the tests around it are unknown, and its name may be the full one.
  if (line === undefined)
    return [...path.slice(0, -1), ...endsOf(path.join(' > '))].map((name) => `^${escaped(name)}$`);
  return [...parents, leaf].map((name) => `^${patternOf(name)}$`);
}

/** Returns a name, and all parts of it that begin with a word: the last of them may be the name of the test. */
function endsOf(name: string): readonly string[] {
  const words = name.split(' ');
  return words.slice(0, MAX_WORDS).map((_, at) => words.slice(at).join(' '));
}

const MAX_WORDS = 20;
