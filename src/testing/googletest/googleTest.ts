import path from 'node:path';
import { adapterOf } from '../../debugger/adapters/registry';
import { typeOfLanguage } from '../../tools/launch/programConfiguration';
import { nativeRecorder } from '../native/recorder';
import { testAtLine } from '../native/namedLine';
import type { ChosenTest, RunnerPlan, RunnerContext, TestFramework } from '../testFramework';
import { programsOf } from './cmakePrograms';
import { lookupOf } from './gtestLookup';
import { cleanName, namedTest } from './gtestNames';
import { ownOutput, readOutcome } from './gtestReport';
import { scanGoogleTest } from './scanGoogleTest';

const REPORT = 'report.json';

/** Other libraries whose tests look alike. */
const OTHERS = /#include\s*[<"](?:CppUTest|UnitTest\+\+|catch2|doctest|boost\/test)/i;

export const googleTest: TestFramework = {
  id: 'googletest',
  title: 'GoogleTest',
  files: /\.(?:cc|cpp|cxx|c\+\+|mm)$/,
  markers: ['CMakeLists.txt'],
  evidence: 'an include of gtest or the macro TEST, and a folder that CMake has built',
  detect: ({ text }) => {
    if (/#include\s*[<"](?:gtest|gmock)\//.test(text)) return 10;
    // The include may be in another header.
    return !OTHERS.test(text) && scanGoogleTest(text).length > 0 ? 5 : 0;
  },
  list: scanGoogleTest,
  named: namedTest,
  atLine: testAtLine,
  configuration,
  stopsItself: true,
  ownOutput,
  readOutcome,
};

async function configuration(context: RunnerContext): Promise<RunnerPlan> {
  const { project, test, args, scratch } = context;
  const programs = await programsOf(project, test);
  const [first] = programs;
  if (first === undefined) throw new Error('there is at least one program');
  const type = typeOfLanguage(project.services, 'native', first.program);
  const recorder = nativeRecorder(project.services, type, scratch, () => ({
    kind: 'googletest',
    tests: [],
  }));
  const commonOf = (filter: string): readonly string[] => [
    `--gtest_filter=${filter}`,
    `--gtest_output=json:${path.join(scratch, REPORT)}`,
    ...args,
  ];
  // Without a recorder, the program is to stop at the failure itself. An uncaught exception ends it at the place of the
  // `throw` then, before the stack is unwound.
  const stopping = ['--gtest_break_on_failure', '--gtest_catch_exceptions=0'];
  const argsOf = (filter: string): readonly string[] =>
    recorder === undefined ? [...commonOf(filter), ...stopping] : commonOf(filter);
  const filter = filterOf(test);
  return {
    configuration: {
      type,
      ...adapterOf(type).testProperties,
      program: first.program,
      cwd: first.cwd ?? path.dirname(first.program),
      args: argsOf(filter),
    },
    quick: { args: commonOf(filter) },
    files: {},
    report: REPORT,
    recorder,
    lookup: lookupOf({ project, test, scratch, programs, argsOf }),
  };
}

/** The filter for a program that lists no tests. */
function filterOf({ path: names, isTemplate }: ChosenTest): string {
  const [suite = '', name] = names;
  if (name === undefined) return `*.${cleanName(suite)}:*.${cleanName(suite)}/*`;
  if (!isTemplate) return `${suite}.${name}:*/${suite}.${name}`;
  // `TEST_P` has the instance before and the parameter behind the name; `TYPED_TEST` has the type behind the suite.
  return `*${suite}.${name}/*:*${suite}.${name}:*${suite}/*.${name}`;
}
