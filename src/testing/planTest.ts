import { createHash } from 'node:crypto';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import type { Fields } from '../debugger/protocol';
import { absolute } from '../tools/files/files';
import { refuseVariables } from '../tools/launch/launchVariables';
import { plain, wholeCode } from '../tools/question';
import { filePathText, lineNumber } from '../tools/schemas';
import { madeUpPlan, type StartPlan } from '../tools/launch/launchPlan';
import type { ToolServices } from '../tools/services';
import { chooseTest, nameOf } from './chooseTest';
import { findFramework } from './findFramework';
import {
  type ChosenTest,
  type ScannedTest,
  type RunnerPlan,
  type TestBuild,
  type TestFramework,
  type TestProject,
} from './testFramework';

/** The parameters that select a test. All tools that run a test share them. */
export const testInput = z.strictObject({
  file_path: filePathText,
  test_name: z.string().min(1).max(2000).optional().describe('Full or last name.'),
  line: lineNumber.optional().describe('Or a line in it.'),
  framework: z.string().max(40).optional().describe('Default: found out.'),
  args: z.array(z.string().max(10_000)).max(1000).optional(),
});

export type TestInput = z.output<typeof testInput>;

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
  /** The start of the test. It uses a debugger unless the start requests otherwise. */
  readonly start: StartPlan;
  /** The properties that replace properties of the configuration in the run without a debugger. */
  readonly quick: Fields;
  /** Whether the test's process pauses before anything else runs. The run continues from that stop. */
  readonly pausesFirst: boolean;
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
  refuseVariables([input.file_path, input.test_name, input.args]);
  const file = await absolute(services, input.file_path);
  const text = await services.workspace.readText(file);
  const { framework, project } = await findFramework(services, file, text, input.framework);
  const requested = { name: input.test_name, line: input.line };
  const listed = await framework.list(text, file);
  const named =
    input.test_name === undefined || input.line !== undefined
      ? undefined
      : framework.named?.(input.test_name, listed, project);
  const test =
    framework.chosen?.(requested, project) ?? named ?? chooseTest(listed, requested, file);
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
    start: startOf(services, project, test, plan),
    quick: plan.quick ?? {},
    pausesFirst: plan.pausesFirst === true,
    stopsFrom: plan.stopsFrom,
    scratch: { name, files: plan.files, report: plan.report },
  };
}

/**
 * Returns the name of the scratch folder. It is derived from the call, because the question to the person shows the
 * folder before the call runs.
 */
function scratchName(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
}

function startOf(
  { workspace }: ToolServices,
  { file, folder }: TestProject,
  test: ChosenTest,
  plan: RunnerPlan,
): StartPlan {
  const name = nameOf(test);
  const folderPath =
    workspace.folders.find((candidate) => file.startsWith(`${candidate.path}${path.sep}`))?.path ??
    workspace.folders[0]?.path;
  const configuration = { request: 'launch', name, cwd: folder, ...plan.configuration };
  return madeUpPlan(name, folderPath, configuration);
}

/** Runs the build that a plan needs. @throws Failure `build_failed` or `runner_not_installed`, Interrupted */
export async function builtTest(plan: TestPlan, signal: AbortSignal): Promise<TestPlan> {
  if (plan.build === undefined) return plan;
  const built = await plan.build.run(signal);
  const launches = plan.start.launches.map((launch) => ({
    ...launch,
    configuration: { ...launch.configuration, ...built },
  }));
  return { ...plan, start: { ...plan.start, launches }, build: undefined };
}

/** Returns the lines of the confirmation card about a build. */
export function buildLines({ build }: Pick<TestPlan, 'build'>): readonly string[] {
  if (build === undefined) return [];
  return [
    l10n.t(
      'First builds it with {0} in {1}, which runs build scripts of the project',
      wholeCode(build.command),
      `*${plain(path.basename(build.folder))}*`,
    ),
  ];
}
