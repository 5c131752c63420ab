import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Fields } from '../../debugger/protocol';
import { textOf } from '../../debugger/protocol';
import { Failure } from '../../results/failure';
import { collectedTests, nameOf } from '../chooseTest';
import type { ChosenTest, FoundTest, TestLookup, TestProject } from '../testFramework';
import type { TestProgram } from './cmakePrograms';
import {
  baseOf,
  fullNameOf,
  isOneTest,
  meantTests,
  readList,
  readPrintedList,
  type ListedTest,
} from './gtestNames';

/** The maximum number of rows that a filter names. Their common pattern is used for more. */
const MAX_ROWS = 200;
const MAX_CANDIDATES = 20;

/** What the lookup needs to know about the run. */
interface LookupOfRun {
  readonly project: TestProject;
  readonly test: ChosenTest;
  readonly scratch: string;
  /** The programs that may have the test. If there is more than one, they are asked one after the other. */
  readonly programs: readonly TestProgram[];
  /** Returns the arguments that run the tests which a filter selects. */
  readonly argsOf: (filter: string) => readonly string[];
}

/** Asks programs for their tests, in order to run exactly the one that is meant, in the program that has it. */
export function lookupOf(run: LookupOfRun): TestLookup {
  const { programs } = run;
  return {
    programs: programs.length > 1 ? programs.map(({ program }) => program) : [],
    run: async (configuration, signal) => {
      let all: readonly ListedTest[] = [];
      for (const [index, program] of programs.entries()) {
        const report = `list-${index}.json`;
        const listed = await listOfProgram(run, program, report, configuration, signal);
        const meant = meantTests(listed, run.test, run.project.file);
        if (meant.length > 0) return found(run, program, meant, configuration);
        all = [...all, ...listed];
      }
      const [only, ...others] = programs;
      // A program that lists nothing may still run the test.
      if (all.length === 0 && only !== undefined && others.length === 0)
        return { test: run.test, configuration: {} };
      throw all.length === 0 ? noProgram(run) : notFound(run, all);
    },
  };
}

/** @param report the file in the scratch folder to which the program writes its list */
async function listOfProgram(
  { project: { services }, scratch }: LookupOfRun,
  { program, cwd }: TestProgram,
  report: string,
  configuration: Fields,
  signal: AbortSignal,
): Promise<readonly ListedTest[]> {
  const args = ['--gtest_list_tests', `--gtest_output=json:${path.join(scratch, report)}`];
  const folder = textOf(configuration['cwd']) ?? cwd ?? path.dirname(program);
  const run = services.testPrograms.run(program, args, folder, signal);
  const end = await run.catch((error: unknown) => {
    if (signal.aborted) throw error;
    return undefined;
  });
  const listed = readList(await services.scratch.read(path.basename(scratch), report));
  return listed.length > 0 ? listed : readPrintedList(end?.stdout ?? '');
}

function found(
  { test, argsOf, programs }: LookupOfRun,
  { program, cwd }: TestProgram,
  meant: readonly ListedTest[],
  configuration: Fields,
): FoundTest {
  if (!isOneTest(meant)) throw ambiguous(test, meant);
  const [first, ...rows] = meant;
  if (first === undefined) throw new Error('at least one test is meant');
  const [suite, name] = first.base;
  const isRow = rows.length === 0;
  const filter =
    meant.length <= MAX_ROWS
      ? meant.map(fullNameOf).join(':')
      : `*${suite}.${name}/*:*${suite}/*.${name}*`;
  const [planned] = programs;
  // The call may have set another folder.
  const isDefault =
    configuration['cwd'] === (planned?.cwd ?? path.dirname(planned?.program ?? program));
  return {
    test: {
      line: first.line,
      endLine: test.line === undefined ? first.line : test.endLine,
      path: isRow ? [first.suite, first.name] : [suite, name],
      isTemplate: !isRow,
    },
    configuration: {
      program,
      cwd: isDefault ? (cwd ?? path.dirname(program)) : configuration['cwd'],
      args: argsOf(filter),
    },
  };
}

function ambiguous(test: ChosenTest, meant: readonly ListedTest[]): Failure {
  const names = [...new Set(meant.map(baseOf))];
  return new Failure(
    'ambiguous_test',
    l10n.t('{0} tests have the name {1}.', names.length, nameOf(test)),
    'Pass test_name with the full name of one of candidates.',
    {
      candidates: names.slice(0, MAX_CANDIDATES).map((name) => ({ name })),
      test_count: names.length,
    },
  );
}

function notFound({ test, project }: LookupOfRun, listed: readonly ListedTest[]): Failure {
  const names = [...new Set([...listed.map(fullNameOf), ...listed.map(baseOf)])];
  const base = path.basename(project.file);
  return new Failure(
    'test_not_found',
    l10n.t('There is no test {0} in {1}.', nameOf(test), base),
    'Pass test_name as the test program lists it (see names and tests). If the test is new, build the project first.',
    { outcome: 'not_found', ...collectedTests(names, nameOf(test)) },
  );
}

function noProgram({ project, programs }: LookupOfRun): Failure {
  return new Failure(
    'program_not_found',
    l10n.t('No test program is built from {0}.', path.basename(project.file)),
    'None of candidates lists tests. Build the project with CMake, then try again.',
    { candidates: programs.map(({ program }) => program) },
  );
}
