import { withoutColors } from '../command';
import { localsOfLine } from '../locals';
import type { Installed, TruthTest } from '../project';
import { asPattern, ownPlaceInStack, packageScript, type Broken, type Runner } from './runner';

interface Assertion {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly failureMessages?: readonly string[] | null;
}

/** The report that jest writes, and vitest in the same form. */
interface JestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly Assertion[];
  }[];
}

/** @param between the text that the runner prints between the parts of a name */
export function readJest(
  installed: Installed,
  text: string,
  between: string,
): readonly TruthTest[] | Broken {
  const { testResults } = JSON.parse(text) as JestReport;
  const unloaded = testResults.find(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  if (unloaded !== undefined) return { broken: unloaded.message ?? unloaded.name };
  return testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map((assertion) => testOf(installed, file, assertion, between)),
  );
}

function testOf(
  installed: Installed,
  file: string,
  { ancestorTitles, title, status, failureMessages }: Assertion,
  between: string,
): TruthTest {
  const path = [...ancestorTitles, title].filter((part) => part !== '');
  const common = { name: path.join(between), file, selector: path };
  if (status === 'passed') return { ...common, verdict: 'passed' };
  const stack = withoutColors(failureMessages?.[0] ?? '');
  const at = ownPlaceInStack(installed, stack);
  return {
    ...common,
    verdict: 'failed',
    message: messageOf(stack),
    at,
    locals: at === undefined ? undefined : localsOfLine(at),
  };
}

/** The text of a stack before its places, without the type of the error. */
function messageOf(stack: string): string {
  const end = stack.search(/\n\s+at /);
  return (end < 0 ? stack : stack.slice(0, end)).replace(/^\w*(?:Error|Exception): /, '');
}

/** jest reads a name as a pattern, as vitest does. */
function nameArguments(selector: readonly string[]): readonly string[] {
  return ['-t', `^${asPattern(selector.join(' '))}$`];
}

export const jest: Runner = {
  whole: (installed, report) => ({
    program: packageScript(installed, 'jest'),
    args: [
      ...['--json', `--outputFile=${report}`],
      ...(installed.project.args ?? []),
      ...installed.project.tests,
    ],
    cwd: installed.folder,
  }),
  read: (installed, text, { stdout, stderr }) =>
    text === '' ? { broken: `${stdout}${stderr}`.slice(-500) } : readJest(installed, text, ' › '),
  one: (installed, { file, selector }) => ({
    program: packageScript(installed, 'jest'),
    args: [...(installed.project.args ?? []), file, ...nameArguments(selector)],
    cwd: installed.folder,
  }),
  version: (installed) => ({
    program: packageScript(installed, 'jest'),
    args: ['--version'],
    cwd: installed.folder,
  }),
};

export const vitest: Runner = {
  whole: (installed, report) => ({
    program: packageScript(installed, 'vitest'),
    args: [
      ...['run', '--reporter=json', `--outputFile=${report}`],
      ...(installed.project.args ?? []),
      ...installed.project.tests,
    ],
    cwd: installed.folder,
  }),
  read: (installed, text, { stdout, stderr }) =>
    text === '' ? { broken: `${stdout}${stderr}`.slice(-500) } : readJest(installed, text, ' > '),
  one: (installed, { file, selector }) => ({
    program: packageScript(installed, 'vitest'),
    args: ['run', ...(installed.project.args ?? []), file, ...nameArguments(selector)],
    cwd: installed.folder,
  }),
  version: (installed) => ({
    program: packageScript(installed, 'vitest'),
    args: ['--version'],
    cwd: installed.folder,
  }),
};
