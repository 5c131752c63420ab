import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { adapterOf } from '../../debugger/adapters/registry';
import { fields, isFields, listOf, textOf, wholeOf, type Fields } from '../../debugger/protocol';
import { Failure } from '../../results/failure';
import { typeOfLanguage } from '../../tools/launch/programConfiguration';
import { scanGoogleTest } from '../scan/braces';
import type {
  ChosenTest,
  ReportedError,
  ReportedTest,
  RunReport,
  TestFramework,
  TestProject,
} from '../testFramework';
import { exited } from '../report/readReport';
import { listedByCTest, type CTestEntry } from './cmakeTests';

const REPORT = 'report.json';

export const googleTest: TestFramework = {
  id: 'googletest',
  title: 'GoogleTest',
  files: /\.(?:cc|cpp|cxx|c\+\+|mm)$/,
  markers: ['CMakeLists.txt'],
  evidence: 'an include of gtest, and a folder that CMake has built',
  detect: ({ text }) => (/#include\s*[<"](?:gtest|gmock)\//.test(text) ? 10 : 0),
  list: scanGoogleTest,
  configuration: async ({ project, test, args, scratch }) => {
    const { program, cwd } = await builtProgram(project, test);
    const type = typeOfLanguage(project.services, 'native', program);
    const common = [
      `--gtest_filter=${filterOf(test)}`,
      `--gtest_output=json:${path.join(scratch, REPORT)}`,
      ...args,
    ];
    // With these options, an uncaught exception ends the program at the place of the `throw`, before the stack is
    // unwound.
    const stopping = ['--gtest_break_on_failure', '--gtest_catch_exceptions=0'];
    return {
      configuration: {
        type,
        ...adapterOf(type).testProperties,
        program,
        cwd: cwd ?? path.dirname(program),
        args: [...common, ...stopping],
      },
      quick: { args: common },
      files: {},
      report: REPORT,
    };
  },
  stopsItself: true,
  ownOutput,
  readOutcome,
};

function filterOf({ path: names, isTemplate }: ChosenTest): string {
  const [suite = '', name] = names;
  if (name === undefined) return suite.replace(' > ', '.');
  if (!isTemplate) return `${suite}.${name}`;
  // `TEST_P` has the instance before and the parameter behind the name; `TYPED_TEST` has the type behind the suite.
  return `*${suite}.${name}/*:*${suite}.${name}:*${suite}/*.${name}`;
}

/** Returns the program that CMake has built from a file. @throws Failure `program_not_found` */
async function builtProgram(
  project: TestProject,
  { path: names }: ChosenTest,
): Promise<CTestEntry> {
  const { services, file, folder } = project;
  const entries = await listedByCTest(services, folder);
  const named = entries.find(({ name }) => name === names.join('.'));
  if (named !== undefined) return named;
  const programs = [...new Set(entries.map(({ program }) => program))];
  const source = path.relative(folder, file);
  for (const program of programs) {
    const objects = path.join(path.dirname(program), 'CMakeFiles', `${path.basename(program)}.dir`);
    for (const object of [source, path.basename(file)])
      if ((await services.workspace.exists(path.join(objects, `${object}.o`))) === true)
        return { name: '', program, cwd: undefined };
  }
  const [only, ...others] = programs;
  if (only !== undefined && others.length === 0) return { name: '', program: only, cwd: undefined };
  throw new Failure(
    'program_not_found',
    l10n.t('No test program is built from {0}.', path.basename(file)),
    'Build the project with CMake and enable_testing() in a folder of the workspace, then try again. No CTestTestfile.cmake file was found.',
    programs.length === 0 ? {} : { candidates: programs },
  );
}

function readOutcome(
  report: string | undefined,
  output: readonly string[],
  _test: ChosenTest,
): RunReport {
  let parsed: unknown;
  try {
    parsed = JSON.parse(report ?? '');
  } catch {
    // The library writes its report when it ends.
    const hasBegun = output.some((line) => line.startsWith('[ RUN      ]'));
    return { tests: [], error: hasBegun ? exited(undefined) : undefined };
  }
  const suites = listOf(fields(parsed)['testsuites']).filter(isFields);
  const tests = suites.flatMap((suite) =>
    listOf(suite['testsuite'])
      .filter(isFields)
      .filter((entry) => entry['status'] === 'RUN' || isDisabled(suite, entry))
      .map((entry) => testOf(textOf(suite['name']) ?? '', entry, output)),
  );
  return { tests };
}

/** Whether a test does not run because of its name or the name of its suite. Other tests do not match the filter. */
function isDisabled(suite: Fields, entry: Fields): boolean {
  return [suite, entry].some((named) => /(?:^|\/)DISABLED_/.test(textOf(named['name']) ?? ''));
}

function testOf(suite: string, entry: Fields, output: readonly string[]): ReportedTest {
  const failures = listOf(entry['failures']).filter(isFields);
  const [first] = failures;
  const isOff = entry['status'] !== 'RUN';
  const isSkipped = isOff || entry['result'] === 'SKIPPED';
  const unlessFailed = isSkipped ? 'skipped' : 'passed';
  const seconds = parseFloat(textOf(entry['time']) ?? '');
  return {
    outcome: first === undefined ? unlessFailed : 'failed',
    path: [suite, textOf(entry['name']) ?? ''],
    line: wholeOf(entry['line']),
    error: errorOfAll(failures.map((failure) => textOf(failure['failure']) ?? '')),
    reason: isSkipped ? reasonOf(isOff, output) : undefined,
    durationMs: Number.isNaN(seconds) ? undefined : seconds * 1000,
  };
}

/** Reads the failures of a test. An `EXPECT` that fails does not end it. */
function errorOfAll([first, ...further]: readonly string[]): ReportedError | undefined {
  return first === undefined ? undefined : { ...errorOf(first), further: further.map(errorOf) };
}

/** Reads a failure. Its first line is `file:line`, and the other lines are the message. */
function errorOf(failure: string): ReportedError {
  const [first = '', ...rest] = failure.split('\n');
  const [, file, line] = /^(.+):(\d+)$/.exec(first) ?? [];
  const hasPlace = file !== undefined || first === 'unknown file';
  const message = hasPlace ? rest.join('\n') : failure;
  const thrown = /^C\+\+ exception with description "(.*)" thrown/s.exec(message)?.[1];
  const [left, right] = /^Expected equality of these values:\n/.test(message)
    ? valuesIn(rest.slice(1))
    : [];
  return {
    type: undefined,
    message: thrown ?? message,
    ...(left !== undefined && right !== undefined ? { actual: left, expected: right } : {}),
    frames: file === undefined ? [] : [{ path: file, line: Number(line), name: '' }],
    causes: [],
  };
}

/**
 * Returns the two compared values. Each is shown as its source text, followed by its value if the value is different.
 */
function valuesIn(lines: readonly string[]): readonly string[] {
  const values: string[] = [];
  for (const line of lines) {
    const value = /^ {4}Which is: (.*)$/.exec(line)?.[1];
    if (value !== undefined) values.splice(-1, 1, value);
    else if (/^ {2}\S/.test(line)) values.push(line.trim());
  }
  return values.length === 2 ? values : [];
}

const SKIPPED = /:\d+: Skipped$/;

function reasonOf(isOff: boolean, output: readonly string[]): string | undefined {
  return isOff ? 'disabled' : reasonIn(output);
}

function reasonIn(output: readonly string[]): string | undefined {
  const at = output.findIndex((line) => SKIPPED.test(line));
  return at === -1 ? undefined : output[at + 1];
}

/** Returns the output of the test itself: the lines between those of the library, without failure messages. */
function ownOutput(lines: readonly string[], path: readonly string[] = []): readonly string[] {
  const own = lines.indexOf(`[ RUN      ] ${path.join('.')}`);
  const begin = own >= 0 ? own : lines.findIndex((line) => line.startsWith('[ RUN      ]'));
  const rest = lines.slice(begin + 1);
  const end = rest.findIndex((line) => /^\[ +(?:OK|FAILED|SKIPPED) +\]/.test(line));
  const within = end === -1 ? rest : rest.slice(0, end);
  const failure = within.findIndex((line) =>
    /(?:^unknown file|:\d+): (?:Failure|Skipped)$/.test(line),
  );
  return failure === -1 ? within : within.slice(0, failure);
}
