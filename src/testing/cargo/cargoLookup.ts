import { scannedIfAny } from '../../tools/files/scannedText';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { fields, type Fields } from '../../debugger/protocol';
import { Failure } from '../../results/failure';
import { collectedTests, nameOf } from '../chooseTest';
import { bareLineOf } from '../native/namedLine';
import type { ChosenTest, FoundTest, TestLookup, TestProject } from '../testFramework';
import { hasOwnHarness } from './cargoBuild';
import { meantTests, modulesOf, readList, type MeantTests, type RustProgram } from './cargoNames';
import { isInDocumentation, testFacts } from './scanRust';

/** The maximum number of programs that are asked for their tests. */
const MAX_PROGRAMS = 30;
const MAX_CANDIDATES = 20;

/** What the lookup needs to know about the run. */
interface LookupOfRun {
  readonly project: TestProject;
  readonly test: ChosenTest;
  /** The programs that were built, those first that may contain the file. */
  readonly programs: () => readonly RustProgram[];
  /** Returns the arguments that run tests. */
  readonly argsOf: (names: readonly string[]) => readonly string[];
}

/** Asks the test programs for their tests, in order to run exactly the one that is meant. */
export function lookupOf(run: LookupOfRun): TestLookup {
  return {
    programs: [],
    run: async (configuration, signal) => {
      const listed: string[] = [];
      const refused: RustProgram[] = [];
      for (const program of run.programs().slice(0, MAX_PROGRAMS)) {
        if (await bringsItsMain(run.project, program)) {
          refused.push(program);
          continue;
        }
        const names = await listOf(run.project, program, signal);
        listed.push(...names);
        const meant = meantIn(run, program, names);
        if (meant.tests.length > 0) return found(run, program, meant, configuration);
      }
      const own = refused.find(({ root }) => root === run.project.file);
      throw own === undefined ? notFound(run, listed) : ownMain(own);
    },
  };
}

function meantIn(
  { test, project: { file, text } }: LookupOfRun,
  program: RustProgram,
  names: readonly string[],
): MeantTests {
  return meantTests(names, test, program, modulesOf(file, program.root), text);
}

/** Returns the tests of a program. It ends after it has printed them. */
async function listOf(
  { services, folder }: TestProject,
  { program }: RustProgram,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const args = ['--list', '--format', 'terse'];
  const end = await services.testPrograms.run(program, args, folder, signal);
  return readList(end?.stdout ?? '');
}

async function bringsItsMain({ services }: TestProject, program: RustProgram): Promise<boolean> {
  if (program.manifest === undefined) return false;
  const manifest = await scannedIfAny(services.workspace, program.manifest);
  return hasOwnHarness(manifest ?? '', program);
}

function found(
  { test, project, argsOf }: LookupOfRun,
  { program, environment }: RustProgram,
  { tests, rowsOf }: MeantTests,
  configuration: Fields,
): FoundTest {
  const [first = '', ...others] = tests;
  if (others.length > 0 && rowsOf === undefined) throw ambiguous(test, tests);
  const name = rowsOf ?? first;
  const leaf = name.split('::').at(-1) ?? '';
  const line = bareLineOf(test) ?? test.line ?? testFacts(project.text, leaf, undefined).line;
  const { workspace } = project.services;
  const variables = environment(workspace.platform, (variable) =>
    workspace.variable('env', variable, undefined),
  );
  const own = fields(configuration['env']);
  return {
    test: { path: [name], line, endLine: test.endLine ?? line, isTemplate: others.length > 0 },
    configuration: { program, args: argsOf(tests), env: { ...variables, ...own } },
  };
}

function ambiguous(test: ChosenTest, names: readonly string[]): Failure {
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

function ownMain({ root }: RustProgram): Failure {
  return new Failure(
    'not_supported',
    l10n.t('{0} has its own main instead of the test library.', path.basename(root)),
    'Its target has harness = false in Cargo.toml. Debug its program with start_debugging.',
  );
}

function notFound({ test, project }: LookupOfRun, listed: readonly string[]): Failure {
  const { file, text } = project;
  const line = bareLineOf(test);
  const name = test.path.join('::');
  const isExample = line !== undefined && isInDocumentation(text, line);
  const { feature } = testFacts(text, name.split('::').at(-1) ?? '', test.line);
  if (isExample)
    return new Failure(
      'not_supported',
      l10n.t('{0} is an example in a comment, which cannot be debugged.', name),
      'rustdoc compiles each example to a program of its own, and removes it. Copy the example to a #[test] function, and pass that.',
    );
  const hint =
    feature === undefined
      ? 'Pass test_name as cargo test prints it (see names and tests). A test of another target or with a cfg is not built.'
      : `The file builds it only with the feature ${feature}: pass args ["--features", ${JSON.stringify(feature)}, "--"].`;
  return new Failure(
    'test_not_found',
    l10n.t('There is no test {0} in {1}.', nameOf(test), path.basename(file)),
    hint,
    { outcome: 'not_found', ...collectedTests(listed, name) },
  );
}
