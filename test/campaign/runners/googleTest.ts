import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { localsOfLine } from '../locals';
import type { Installed, Place, TruthTest } from '../project';
import { isOwn, type Broken, type Runner } from './runner';

interface TestCase {
  readonly name: string;
  readonly classname?: string;
  readonly file?: string;
  readonly status: string;
  readonly result?: string;
  readonly failures?: readonly { readonly failure: string }[];
}

interface GoogleReport {
  readonly testsuites: readonly {
    readonly name: string;
    readonly testsuite: readonly TestCase[];
  }[];
}

/** @param sourceOf finds the file of a test for versions of GoogleTest that do not report it */
export function readGoogleTest(
  installed: Installed,
  text: string,
  program: string,
  sourceOf: (suite: string, name: string) => string,
): readonly TruthTest[] {
  const { testsuites } = JSON.parse(text) as GoogleReport;
  return testsuites.flatMap(({ name: suite, testsuite }) =>
    testsuite
      .filter(({ status, result }) => status === 'RUN' && result !== 'SKIPPED')
      .map(({ name, file, failures: [first] = [] }) => {
        const full = `${suite}.${name}`;
        const common = {
          name: full,
          file: file === undefined ? sourceOf(suite, name) : path.resolve(installed.folder, file),
          selector: [program, full],
        };
        if (first === undefined) return { ...common, verdict: 'passed' as const };
        const { message, at } = failureOf(installed, first.failure);
        const locals = at === undefined ? undefined : localsOfLine(at);
        return { ...common, verdict: 'failed' as const, message, at, locals };
      }),
  );
}

/** The first line of a failure is its place, unless an exception ended the test. */
function failureOf(installed: Installed, failure: string): { message: string; at?: Place } {
  const [first = '', ...rest] = failure.split('\n');
  const [, file, line] = /^(.+):(\d+)$/.exec(first) ?? [];
  if (file === undefined) {
    const message = first === 'unknown file' ? rest.join('\n') : failure;
    return { message: /with description "([^]*?)" thrown/.exec(message)?.[1] ?? message };
  }
  const at = { file: path.resolve(installed.folder, file), line: Number(line) };
  return { message: rest.join('\n'), ...(isOwn(installed, at.file) ? { at } : {}) };
}

/** The programs are `tests` of the project. Each has its own report. */
function reportsOf({ project }: Installed, report: string): readonly string[] {
  return project.tests.map((_, index) => `${report}.${index}`);
}

const NOT_BUILT = 99;

export const googleTest: Runner = {
  builds: true,
  whole: (installed, report) => {
    const { project, folder } = installed;
    const runs = reportsOf(installed, report).map((file, index) => {
      rmSync(file, { force: true });
      return `${project.tests[index] ?? ''} --gtest_output=json:${file}`;
    });
    const build = `{ ${project.args?.[0] ?? 'cmake --build build -j2'} >/dev/null 2>&1 || exit ${NOT_BUILT}; }`;
    return { program: 'sh', args: ['-c', [build, ...runs].join('; ')], cwd: folder };
  },
  read: (installed, _text, { code }): readonly TruthTest[] | Broken => {
    if (code === NOT_BUILT) return { broken: 'not built' };
    const { project, folder } = installed;
    const report = path.join(folder, '..', `${project.name}.report`);
    const all: TruthTest[] = [];
    for (const [index, file] of reportsOf(installed, report).entries()) {
      if (!existsSync(file)) return { broken: 'the program of tests did not end by itself' };
      const program = path.resolve(folder, project.tests[index] ?? '');
      const sourceOf = () => path.join(folder, `test/${path.basename(program)}.cc`);
      all.push(...readGoogleTest(installed, readFileSync(file, 'utf8'), program, sourceOf));
    }
    return all;
  },
  one: ({ folder }, { selector: [program = '', name = ''] }) => ({
    program,
    args: [`--gtest_filter=${name}`],
    cwd: folder,
  }),
  version: ({ folder }) => ({
    program: 'dpkg-query',
    args: ['-W', '-f', '${Version}', 'libgtest-dev'],
    cwd: folder,
  }),
};
