import { createHash } from 'node:crypto';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { fields, type Fields } from '../debugger/protocol';
import { giveWay } from '../util/projectText';
import { listed as joined } from '../results/listing';
import { absolute } from '../tools/files/files';
import { scannedText } from '../tools/files/scannedText';
import { refuseVariables } from '../tools/launch/launchVariables';
import { plain, wholeCode } from '../tools/question';
import { filePathText, lineNumber } from '../tools/schemas';
import { planOf, type StartPlan } from '../tools/launch/launchPlan';
import type { ToolServices } from '../tools/services';
import { chooseTest, nameOf } from './chooseTest';
import { withSettings, type RunSettings } from './ownSettings';
import { findFramework } from './findFramework';
import type {
  ChosenTest,
  RunnerPlan,
  RunRecorder,
  ScannedTest,
  TestBuild,
  TestFramework,
  TestLookup,
  TestProject,
} from './testFramework';

/** The parameters that select a test. All tools that run a test share them. */
export const testInput = z.strictObject({
  file_path: filePathText,
  test_name: z.string().min(1).max(2000).optional().describe('Full or last name.'),
  line: lineNumber.optional().describe('Or a line in it.'),
  framework: z.string().max(40).optional().describe('Default: found out.'),
  args: z.array(z.string().max(10_000)).max(1000).optional(),
});

export type TestInput = z.output<typeof testInput> & RunSettings;

/** The plan for starting one test. */
export interface TestPlan {
  readonly framework: TestFramework;
  readonly file: string;
  /** The folder in which the runner starts. */
  readonly folder: string;
  readonly test: ChosenTest;
  /** The tests that the text of the file shows. The runner may know others. */
  readonly listed: readonly ScannedTest[];
  /** The build that has to run first. */
  readonly build: TestBuild | undefined;
  /** The options of the project or of the call that the run leaves out. */
  readonly droppedOptions: readonly string[] | undefined;
  /** Asks the test program which tests it has, after the build. */
  readonly lookup: TestLookup | undefined;
  /** What lets the debugger itself record the failures of a run. */
  readonly recorder: RunRecorder | undefined;
  /** The start of the test. It uses a debugger unless the start requests otherwise. */
  readonly start: StartPlan;
  /** The properties that replace properties of the configuration in the run without a debugger. */
  readonly quick: Fields;
  /** The function from whose start on exceptions stop the program. Undefined if they stop it from the beginning. */
  readonly stopsFrom: string | undefined;
  /** The scratch folder (`services.scratch`), the files that it needs, and the file that the runner writes. */
  readonly scratch: {
    readonly name: string;
    readonly files: Readonly<Record<string, string>>;
    readonly report: string;
  };
}

/**
 * Finds a test and its runner. Nothing is started or written.
 * @throws Failure `framework_not_found`, `ambiguous_test`, `test_not_found`, `runner_not_installed`
 */
export async function planTest(
  services: ToolServices,
  input: TestInput & { readonly timeout_seconds?: number },
): Promise<TestPlan> {
  refuseVariables([input.file_path, input.test_name, input.args, input.env, input.cwd]);
  const file = await absolute(services, input.file_path);
  const text = await scannedText(services.workspace, file);
  const { framework, project } = await findFramework(services, file, text, input.framework);
  const requested = { name: input.test_name, line: input.line };
  await giveWay(text);
  const listed = await framework.list(text, file, services);
  await giveWay(text);
  const chosen =
    framework.chosen?.(requested, project) ?? namedTest(framework, project, listed, requested);
  const test = chosen ?? chooseTest(listed, requested, file);
  const name = scratchName([framework.id, file, ...test.path, ...(input.args ?? [])]);
  const plan = await framework.configuration({
    project,
    test,
    args: input.args ?? [],
    scratch: services.scratch.pathOf(name),
    seconds: input.timeout_seconds,
  });
  return {
    framework,
    file,
    folder: project.folder,
    test,
    listed,
    build: plan.build,
    droppedOptions: plan.droppedOptions?.length === 0 ? undefined : plan.droppedOptions,
    lookup: plan.lookup,
    recorder: plan.recorder,
    start: await startOf(services, project, test, plan, input),
    quick: plan.quick ?? {},
    stopsFrom: plan.stopsFrom,
    scratch: { name, files: plan.files, report: plan.report },
  };
}

/** Returns the test that the framework itself finds by a name or by a line. */
function namedTest(
  { named, atLine }: TestFramework,
  project: TestProject,
  listed: readonly ScannedTest[],
  { name, line }: { readonly name: string | undefined; readonly line: number | undefined },
): ChosenTest | undefined {
  if (name !== undefined && line !== undefined) return undefined;
  if (name !== undefined) return named?.(name, listed, project);
  return line === undefined ? undefined : atLine?.(line, listed);
}

/**
 * Returns the name of the scratch folder. It is derived from the call, because the question to the person shows the
 * folder before the call runs.
 */
function scratchName(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
}

async function startOf(
  services: ToolServices,
  { file, folder }: TestProject,
  test: ChosenTest,
  { configuration }: RunnerPlan,
  settings: RunSettings,
): Promise<StartPlan> {
  const name = nameOf(test);
  const folderPath =
    services.workspace.folders.find((candidate) => file.startsWith(`${candidate.path}${path.sep}`))
      ?.path ?? services.workspace.folders[0]?.path;
  // The name of a test or a folder may contain a variable. VS Code would insert its value.
  refuseVariables(configuration);
  const whole = await withSettings(services, { cwd: folder, ...configuration }, settings);
  const { type } = configuration;
  return planOf(name, folderPath, { request: 'launch', name, ...whole, type });
}

/**
 * Runs the build that a plan needs, and asks the test program for the test.
 * @throws Failure `build_failed` or `runner_not_installed`, and those of `TestLookup.run`, Interrupted
 */
export async function builtTest(
  plan: TestPlan,
  signal: AbortSignal,
  progress?: (doing: string) => void,
): Promise<TestPlan> {
  const { build, lookup } = plan;
  const built =
    build === undefined ? plan : withProperties(plan, await build.run(signal, progress));
  const [launch] = built.start.launches;
  if (lookup === undefined || launch === undefined) return { ...built, build: undefined };
  const { test, configuration } = await lookup.run(launch.configuration, signal);
  return { ...withProperties(built, configuration), test, build: undefined, lookup: undefined };
}

function askedLine({ programs }: TestLookup): string {
  if (programs.length === 0) return l10n.t('Asks the test program first which tests it has');
  const shown = joined(programs.map((program) => wholeCode(program)));
  return l10n.t('Asks these programs of the project which tests they have: {0}', shown);
}

function withProperties(plan: TestPlan, properties: Fields): TestPlan {
  const launches = plan.start.launches.map((launch) => ({
    ...launch,
    configuration: { ...launch.configuration, ...properties },
  }));
  return { ...plan, start: { ...plan.start, launches } };
}

/** Returns the lines of the confirmation card about a build, and about programs that are asked for their tests. */
export function buildLines({
  build,
  lookup,
}: Pick<TestPlan, 'build' | 'lookup'>): readonly string[] {
  const asked = lookup === undefined ? [] : [askedLine(lookup)];
  if (build === undefined) return asked;
  const named = [wholeCode(build.command), `*${plain(path.basename(build.folder))}*`] as const;
  return [
    build.runsScripts === false
      ? l10n.t('First builds it with {0} in {1}', ...named)
      : l10n.t(
          'First builds it with {0} in {1}, which runs build scripts of the project',
          ...named,
        ),
    ...asked,
  ];
}

/** Returns the plan whose program gets further variables of the environment. */
export function withVariables(plan: TestPlan, variables: Fields): TestPlan {
  const launches = plan.start.launches.map((launch) => ({
    ...launch,
    configuration: {
      ...launch.configuration,
      env: { ...fields(launch.configuration['env']), ...variables },
    },
  }));
  return { ...plan, start: { ...plan.start, launches } };
}
