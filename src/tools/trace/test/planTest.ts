import { createHash } from 'node:crypto';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { Failure } from '../../../results/failure';
import type { Fields } from '../../../debugger/protocol';
import { absolute } from '../../files/files';
import { refuseVariables } from '../../launch/launchVariables';
import { plain, wholeCode } from '../../question';
import { filePathText, lineNumber } from '../../schemas';
import { madeUpPlan, type StartPlan } from '../../launch/launchPlan';
import type { ToolServices } from '../../services';
import { chooseTest, nameOf } from './chooseTest';
import { findFramework } from './findFramework';
import {
  type ChosenTest,
  type RunnerPlan,
  type TestBuild,
  type TestFramework,
  type TestProject,
} from './testFramework';

/** Which test is meant; shared by all tools that run one. */
export const testInput = z.strictObject({
  file_path: filePathText,
  test_name: z.string().min(1).max(2000).optional().describe('Full or last name.'),
  line: lineNumber.optional().describe('Or a line in it.'),
  framework: z.string().max(40).optional().describe('Default: found out.'),
  args: z.array(z.string().max(10_000)).max(1000).optional(),
});

export type TestInput = z.output<typeof testInput>;

/** How exactly one test is started. */
export interface TestPlan {
  readonly framework: TestFramework;
  readonly file: string;
  /** The folder in which its runner starts. */
  readonly folder: string;
  readonly test: ChosenTest;
  /** What has to be built first. */
  readonly build: TestBuild | undefined;
  /** Starts it; with a debugger unless the start says otherwise. */
  readonly start: StartPlan;
  /** What the start without a debugger has in its place. */
  readonly quick: Fields;
  /** Whether its process pauses before anything else runs: that stop is passed. */
  readonly pausesFirst: boolean;
  /** The function from which on exceptions stop it; undefined where they do from the beginning. */
  readonly stopsFrom: string | undefined;
  /** The scratch folder (`services.scratch`), the files that have to be in it, and the one that the runner writes. */
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
export async function planTest(services: ToolServices, input: TestInput): Promise<TestPlan> {
  refuseVariables([input.file_path, input.test_name, input.args]);
  const file = await absolute(services, input.file_path);
  const text = await services.workspace.readText(file);
  const { framework, project } = await findFramework(services, file, text, input.framework);
  const wanted = { name: input.test_name, line: input.line };
  const test = chooseTest(framework.list(text), wanted, file);
  const name = scratchName([framework.id, file, ...test.path, ...(input.args ?? [])]);
  const plan = await framework.configuration({
    project,
    test,
    args: input.args ?? [],
    scratch: services.scratch.pathOf(name),
  });
  return {
    framework,
    file,
    folder: project.folder,
    test,
    build: plan.build,
    start: startOf(services, project, test, plan),
    quick: plan.quick ?? {},
    pausesFirst: plan.pausesFirst === true,
    stopsFrom: plan.stopsFrom,
    scratch: { name, files: plan.files, report: plan.report },
  };
}

/** The same call has the same folder, because the person is asked about it before the call runs. */
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
    workspace.folders.find((each) => file.startsWith(`${each.path}${path.sep}`))?.path ??
    workspace.folders[0]?.path;
  const configuration = { request: 'launch', name, cwd: folder, ...plan.configuration };
  return madeUpPlan(name, folderPath, configuration);
}

/** Builds what a plan needs. @throws Failure `build_failed`, `runner_not_installed`; Interrupted */
export async function builtTest(plan: TestPlan, signal: AbortSignal): Promise<TestPlan> {
  if (plan.build === undefined) return plan;
  const built = await plan.build.run(signal);
  const launches = plan.start.launches.map((each) => ({
    ...each,
    configuration: { ...each.configuration, ...built },
  }));
  return { ...plan, start: { ...plan.start, launches }, build: undefined };
}

/** What a card says of a build. */
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

/**
 * Runs with the files of a plan in place, and removes them afterwards: what starts a plan goes through this.
 * @throws Failure `session_busy` where the same test is being run
 */
export async function withTestFiles<T>(
  { scratch }: Pick<ToolServices, 'scratch'>,
  { scratch: { name, files }, test }: TestPlan,
  run: () => Promise<T>,
): Promise<T> {
  if (running.has(name))
    throw new Failure(
      'session_busy',
      l10n.t('Another call is running the test {0}.', nameOf(test)),
      'Wait for that call, then try again.',
    );
  running.add(name);
  try {
    await scratch.make(name, files);
    return await run();
  } finally {
    await scratch.remove(name);
    running.delete(name);
  }
}

/** The scratch folders that are in use. */
const running = new Set<string>();
