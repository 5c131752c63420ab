import path from 'node:path';
import { localsOfLine } from '../locals';
import { ROOT, type Installed, type TruthTest } from '../project';
import { asPattern, ownPlaceInStack, type Broken, type Runner } from './runner';

const REPORTER = path.join(ROOT, 'test/campaign/hooks/nodeReporter.mjs');

interface Line {
  readonly path: readonly string[];
  readonly file: string;
  readonly passed: boolean;
  readonly failureType?: string;
  readonly message: string;
  readonly stack: string;
}

/** Failures that are not of the test itself: of its subtests, or of a file that does not load. */
const NOT_OWN = new Set(['subtestsFailed']);

export function readNodeTest(installed: Installed, text: string): readonly TruthTest[] | Broken {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  const unloaded = lines.find(({ path: names, file, passed }) => !passed && names[0] === file);
  if (unloaded !== undefined) return { broken: unloaded.message };
  return lines.flatMap((line) => {
    if (NOT_OWN.has(line.failureType ?? '')) return [];
    // A test with subtests has none of its own lines.
    const isParent = lines.some(
      (other) =>
        other !== line &&
        other.file === line.file &&
        other.path.length > line.path.length &&
        line.path.every((name, at) => other.path[at] === name),
    );
    if (isParent) return [];
    const at = line.passed ? undefined : ownPlaceInStack(installed, line.stack);
    return {
      name: line.path.join(' '),
      file: line.file,
      verdict: line.passed ? ('passed' as const) : ('failed' as const),
      selector: line.path,
      ...(line.passed
        ? {}
        : { message: line.message, at, locals: at === undefined ? undefined : localsOfLine(at) }),
    };
  });
}

export const nodeTest: Runner = {
  whole: ({ project, folder }, report) => ({
    program: 'node',
    args: [
      '--test',
      `--test-reporter=${REPORTER}`,
      `--test-reporter-destination=${report}`,
      ...(project.args ?? []),
      ...project.tests,
    ],
    cwd: folder,
  }),
  read: (installed, text, { stdout, stderr }) =>
    text === '' ? { broken: `${stdout}${stderr}`.slice(-500) } : readNodeTest(installed, text),
  one: ({ project, folder }, { file, selector }) => ({
    program: 'node',
    args: [
      '--test',
      `--test-name-pattern=^${asPattern(selector.join(' '))}$`,
      ...(project.args ?? []),
      file,
    ],
    cwd: folder,
  }),
  version: ({ folder }) => ({ program: 'node', args: ['--version'], cwd: folder }),
};
