import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { BoundedRun, type RunStep } from '../../control/boundedRun';
import type { Limits } from '../../control/outcome';
import type { SessionState } from '../../debugger/state/state';
import { Failure } from '../../results/failure';
import {
  checkInputs,
  checkTypes,
  checkVariables,
  planFor,
  startInput,
  type StartInput,
  type StartPlan,
} from '../launch/launchPlan';
import { planQuestion } from '../launch/launchQuestion';
import { runTasks } from '../launch/preLaunchTasks';
import { invalidInput } from '../checkInput';
import { plain } from '../question';
import { filePathText, lineNumber } from '../schemas';
import { defined } from '../../util/defined';
import type { Call, ToolServices } from '../services';
import { resolveSession } from '../target';
import {
  buildLines,
  builtTest,
  planTest,
  testInput,
  withTestFiles,
  type TestPlan,
} from './test/planTest';

/** The parameters by which a call says how its program gets to the code that it looks at. */
export const reachInput = {
  configuration_name: startInput.shape.configuration_name.describe('How to get there: start this,'),
  program: startInput.shape.program.describe('or this file or program,'),
  args: startInput.shape.args.describe('Arguments of it.'),
  test: z
    .strictObject({
      file_path: filePathText,
      test_name: z.string().min(1).max(2000).optional(),
      line: lineNumber.optional(),
      framework: z.string().max(40).optional(),
    })
    .optional()
    .describe('or this test, as in debug_test,'),
  session_id: z
    .string()
    .min(1)
    .max(40)
    .optional()
    .describe('or go on in this session. Default: the present one.'),
};

export interface ReachInput {
  readonly configuration_name?: string | undefined;
  readonly program?: string | undefined;
  readonly args?: string[] | undefined;
  readonly test?: z.output<typeof reachInput.test>;
  readonly session_id?: string | undefined;
}

/** How a program gets to the code: a configuration that is started, or a session that goes on. */
export type Reach =
  | {
      readonly kind: 'launch';
      readonly plan: StartPlan;
      readonly input: StartInput;
      /** The test that the plan starts. */
      readonly test?: TestPlan | undefined;
    }
  | { readonly kind: 'session'; readonly session: SessionState };

/** @throws Failure that says what to pass instead; nothing has been started */
export async function reachFor(services: ToolServices, input: ReachInput): Promise<Reach> {
  const { configuration_name: name, program, args, test, session_id: id } = input;
  const ways = [name, program, test, id].filter((each) => each !== undefined).length;
  if (ways > 1)
    throw new Failure(
      'invalid_input',
      l10n.t('At most one of configuration_name, program, test and session_id can be passed.'),
      'They are the ways to the code; leave out all but one. Nothing was started.',
    );
  if (test !== undefined) return await testReach(services, test, args);
  if (name === undefined && program === undefined)
    return { kind: 'session', session: resolveSession(services.model.state, id) };
  const start = startInput.parse({
    ...(name === undefined ? {} : { configuration_name: name }),
    ...(program === undefined ? {} : { program }),
    ...(args === undefined ? {} : { args }),
  });
  return launchReach(services, start, await planFor(services, start));
}

/** @throws Failure where there is no such test, or its runner is not known */
async function testReach(
  services: ToolServices,
  { framework, ...named }: NonNullable<ReachInput['test']>,
  args: readonly string[] | undefined,
): Promise<Reach> {
  const chosen = testInput.safeParse(defined({ ...named, framework, args }));
  if (!chosen.success)
    throw invalidInput('test', chosen.error.issues, Object.keys(testInput.shape));
  const test = await planTest(services, chosen.data);
  const input = startInput.parse({ program: test.file });
  return launchReach(services, input, test.start, test);
}

/** @throws Failure where the plan cannot be started */
function launchReach(
  services: ToolServices,
  input: StartInput,
  plan: StartPlan,
  test?: TestPlan,
): Reach {
  checkTypes(services, plan);
  if (plan.isCompound)
    throw new Failure(
      'invalid_input',
      l10n.t('“{0}” is a compound: pass one of its configurations.', plan.name),
      'Call get_debugger_configurations for its members. Nothing was started.',
      { configurations: plan.launches.map((each) => each.name) },
    );
  return { kind: 'launch', plan, input, test };
}

/** The debug type of the program. */
export function debugTypeOf(reach: Reach): string {
  return reach.kind === 'session' ? reach.session.type : (reach.plan.launches[0]?.type ?? '');
}

/** What a card says of it, in Markdown: what is started, or which session goes on. */
export async function reachLines(services: ToolServices, reach: Reach): Promise<readonly string[]> {
  if (reach.kind === 'session')
    return [
      l10n.t('In the session {0} ({1})', `**${plain(reach.session.name)}**`, reach.session.id),
    ];
  const { message } = await planQuestion(services, reach.input, reach.plan);
  return [message, ...(reach.test === undefined ? [] : buildLines(reach.test))];
}

export interface ReachLimits extends Limits {
  /** The tool that runs, for the refusal of other calls. */
  readonly holder: string;
  /** Whether the tool itself looks at a stop at the entry of a test's process. Default: it is passed. */
  readonly seesEntry?: boolean;
}

/**
 * Prepares the run and lets `use` make it: what only a running call can check is checked, and the tasks that come
 * before the program are run. Nothing of the program is started before `BoundedRun.begin`. The lease is given back
 * afterwards; where the program is then, is decided by `BoundedRun.finish`.
 * @throws Failure; DebuggerError `busy`; what `use` throws
 */
export async function withRun<T>(
  services: ToolServices,
  call: Call,
  reach: Reach,
  limits: ReachLimits,
  use: (run: BoundedRun) => Promise<T>,
): Promise<T> {
  const test = reach.kind === 'launch' ? reach.test : undefined;
  const whole = async (): Promise<T> => {
    const run = await prepareRun(services, call, reach, limits);
    try {
      return await use(run);
    } catch (error) {
      // Nobody would know of a program that the call has started.
      if (run.isLaunch) await run.finish('stopProgram');
      throw error;
    } finally {
      run.dispose();
    }
  };
  return test === undefined ? await whole() : await withTestFiles(services, test, whole);
}

async function prepareRun(
  services: ToolServices,
  call: Call,
  reach: Reach,
  { holder, deadline, signal, seesEntry = false }: ReachLimits,
): Promise<BoundedRun> {
  const { control } = services;
  const limits = { deadline, signal };
  if (reach.kind === 'session') return BoundedRun.of(control, reach.session, holder, limits);
  await checkInputs(services, reach.input);
  if (!call.personPresent) await checkVariables(services, reach.plan);
  const plan = reach.test === undefined ? reach.plan : (await builtTest(reach.test, signal)).start;
  const ready = await runTasks(services, plan, call, deadline);
  // A runner's process may wait for the debugger: nobody asked for that stop.
  const passesEntry = reach.test !== undefined && !seesEntry;
  return BoundedRun.starting(control, { ...ready, noDebug: false }, holder, {
    ...limits,
    passesEntry,
  });
}

/** @throws Failure where the program was not started; what else came of a step is returned */
export function checkStarted(
  services: ToolServices,
  reach: Reach,
  run: BoundedRun,
  step: RunStep,
): Exclude<RunStep, { kind: 'notStarted' }> {
  if (step.kind !== 'notStarted') return step;
  const roots = run.sessions.filter((each) => each.parentKey === undefined);
  const said = roots.map((root) => root.end?.message).find((each) => Boolean(each));
  const name = reach.kind === 'launch' ? reach.plan.name : reach.session.name;
  const { lines } = services.stops.output.takeUnreported(roots);
  throw new Failure(
    'launch_failed',
    l10n.t(
      '“{0}” could not be started: {1}',
      name,
      said ?? step.message ?? l10n.t('no reason given'),
    ),
    'Fix the cause, or change the configuration, then call again.',
    lines.length > 0 ? { output: lines } : {},
  );
}
