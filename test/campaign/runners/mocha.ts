import path from 'node:path';
import { localsOfLine } from '../locals';
import type { Installed, TruthTest } from '../project';
import { asPattern, ownPlaceInStack, packageScript, type Broken, type Runner } from './runner';

interface MochaTest {
  readonly fullTitle: string;
  readonly file: string | null;
  readonly err: { readonly message?: string; readonly stack?: string };
}

interface MochaReport {
  readonly passes: readonly MochaTest[];
  readonly failures: readonly MochaTest[];
}

export function readMocha(installed: Installed, text: string): readonly TruthTest[] | Broken {
  const { passes, failures } = JSON.parse(text) as MochaReport;
  // A hook that failed has no test of its own.
  const failed = failures.filter(
    ({ fullTitle }) => !/"(?:before|after)(?: all| each)" hook/.test(fullTitle),
  );
  return [
    ...failed.map((test) => {
      const at = ownPlaceInStack(installed, test.err.stack ?? '');
      return {
        ...common(installed, test),
        verdict: 'failed' as const,
        message: test.err.message ?? '',
        at,
        locals: at === undefined ? undefined : localsOfLine(at),
      };
    }),
    ...passes.map((test) => ({ ...common(installed, test), verdict: 'passed' as const })),
  ];
}

function common({ folder }: Installed, { fullTitle, file }: MochaTest) {
  return { name: fullTitle, file: path.resolve(folder, file ?? ''), selector: [fullTitle] };
}

export const mocha: Runner = {
  whole: (installed, report) => ({
    program: packageScript(installed, 'mocha'),
    args: [
      ...['--reporter', 'json', '--reporter-option', `output=${report}`],
      ...(installed.project.args ?? []),
      ...installed.project.tests,
    ],
    cwd: installed.folder,
  }),
  read: (installed, text, { stdout, stderr }) =>
    text === '' ? { broken: `${stdout}${stderr}`.slice(-500) } : readMocha(installed, text),
  one: (installed, { file, selector: [name = ''] }) => ({
    program: packageScript(installed, 'mocha'),
    args: [...(installed.project.args ?? []), file, '--grep', `^${asPattern(name)}$`],
    cwd: installed.folder,
  }),
  version: (installed) => ({
    program: packageScript(installed, 'mocha'),
    args: ['--version'],
    cwd: installed.folder,
  }),
};
