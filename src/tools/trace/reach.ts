import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { BoundedRun, type RunStep } from '../../control/boundedRun';
import type { Limits } from '../../control/outcome';
import type { Fields } from '../../debugger/protocol';
import { LAUNCH_MARK } from '../../debugger/state/launchMark';
import { rootOf, treeOf, type DebugState, type SessionState } from '../../debugger/state/state';
import { Failure } from '../../results/failure';
import { planFor, type StartPlan } from '../launch/launchPlan';
import { checkInputs, checkTypes, checkVariables } from '../launch/planChecks';
import { startInput, type StartInput } from '../launch/startInput';
import { planQuestion } from '../launch/launchQuestion';
import { runTasks } from '../launch/preLaunchTasks';
import { invalidInput } from '../checkInput';
import { plain } from '../question';
import { filePathText, lineNumber } from '../schemas';
import { defined } from '../../util/defined';
import type { Call, ToolServices } from '../services';
import { resolveSession } from '../targetSession';
import { buildLines, builtTest, planTest, testInput, type TestPlan } from '../../testing/planTest';
import { withTestFiles } from '../../testing/scratchOfRun';

/** The parameters that define how the program of a call gets to the relevant code. */
export const reachInput = {
  configuration_name: startInput.shape.configuration_name.describe('How to reach it: start this,'),
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
    .describe('or continue in this session. Default: the current one.'),
};

export interface ReachInput {
  readonly configuration_name?: string | undefined;
  readonly program?: string | undefined;
  readonly args?: string[] | undefined;
  readonly test?: z.output<typeof reachInput.test>;
  readonly session_id?: string | undefined;
}

/** The way in which a program gets to the code: the start of a configuration, or an existing session. */
export type Reach =
  | {
      readonly kind: 'launch';
      readonly plan: StartPlan;
      readonly input: StartInput;
      /** The test that the plan starts. */
      readonly test?: TestPlan | undefined;
    }
  | {
      readonly kind: 'session';
      readonly session: SessionState;
      /** Whether the caller has named the session. */
      readonly isNamed: boolean;
    };

/**
 * Determines the way to the code.
 * @throws Failure whose hint says what to pass instead. Nothing has been started.
 */
export async function reachFor(services: ToolServices, input: ReachInput): Promise<Reach> {
  const { configuration_name: name, program, args, test, session_id: id } = input;
  const ways = [name, program, test, id].filter((way) => way !== undefined).length;
  if (ways > 1)
    throw new Failure(
      'invalid_input',
      l10n.t('At most one of configuration_name, program, test and session_id can be passed.'),
      'They are alternative ways to select the code. Pass only one. Nothing was started.',
    );
  if (test !== undefined) return await testReach(services, test, args);
  if (name === undefined && program === undefined && args !== undefined)
    throw new Failure(
      'invalid_input',
      l10n.t('args can only be passed to a program that is started.'),
      'Pass configuration_name, program or test with args. A running session keeps its arguments. Nothing was started.',
    );
  if (name === undefined && program === undefined)
    return {
      kind: 'session',
      session: resolveSession(services.model.state, id),
      isNamed: id !== undefined,
    };
  const start = startInput.parse(defined({ configuration_name: name, program, args }));
  return launchReach(services, start, await planFor(services, start));
}

/** Plans the run of a test. @throws Failure if the test does not exist, or if its runner is unknown */
async function testReach(
  services: ToolServices,
  { framework, ...named }: NonNullable<ReachInput['test']>,
  args: readonly string[] | undefined,
): Promise<Reach> {
  const chosen = testInput.safeParse(defined({ ...named, framework, args }));
  if (!chosen.success)
    throw invalidInput('test', chosen.error.issues, Object.keys(testInput.shape));
  const test = await planTest(services, chosen.data);
  if (test.framework.startsByEditor === true)
    throw new Failure(
      'not_supported',
      l10n.t('VS Code starts this test itself, so only debug_test can run it.'),
      'Set breakpoints, or call debug_test with on_failure: stay, then pass the session_id. Nothing was started.',
    );
  const input = startInput.parse({ program: test.file });
  return launchReach(services, input, test.start, test);
}

/** Checks a plan. @throws Failure if the plan cannot be started */
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
      { configurations: plan.launches.map((launch) => launch.name) },
    );
  return { kind: 'launch', plan, input, test };
}

/** Returns the session that the call acts on. Undefined if the call starts its program. */
export function sessionOf(reach: Reach): SessionState | undefined {
  return reach.kind === 'session' ? reach.session : undefined;
}

/** Returns the debug type of the program. */
export function debugTypeOf(reach: Reach): string {
  return reach.kind === 'session' ? reach.session.type : (reach.plan.launches[0]?.type ?? '');
}

/**
 * Returns the session that the card names. The call may be in any process of a program, and the one that is the current
 * session may be another one when the person has approved. So the card names the session that has started them all.
 */
function shownSession(
  state: DebugState,
  { session, isNamed }: Extract<Reach, { kind: 'session' }>,
): SessionState {
  const root = rootOf(state, session);
  const processes = treeOf(state, root).filter(
    ({ lifecycle, threads }) => lifecycle !== 'terminated' && threads.size > 0,
  );
  return isNamed || processes.length < 2 ? session : root;
}

/**
 * Returns the lines of the confirmation card about the way to the code, in Markdown: the started configuration, or the
 * session that continues.
 */
export async function reachLines(services: ToolServices, reach: Reach): Promise<readonly string[]> {
  if (reach.kind === 'session') {
    const { name, id } = shownSession(services.model.state, reach);
    return [l10n.t('In the session {0} ({1})', `**${plain(name)}**`, id)];
  }
  const { message } = await planQuestion(services, reach.input, reach.plan);
  return [message, ...(reach.test === undefined ? [] : buildLines(reach.test))];
}

export interface ReachLimits extends Limits {
  /** The name of the running tool, for the errors of other calls in the meantime. */
  readonly holder: string;
  /**
   * Whether the tool itself handles a stop at the entry of a test's process. By default, the run continues from that
   * stop.
   */
  readonly seesEntry?: boolean;
  /** Changes the configuration that is started. */
  readonly configure?: ((configuration: Fields) => Fields) | undefined;
}

/**
 * Prepares the run and passes it to `use`. It first makes the checks that only a running call can make, and runs the
 * tasks that precede the program. The program is not started before `BoundedRun.begin`. The lease is released
 * afterwards. `BoundedRun.finish` determines the state of the program at that time.
 * @throws Failure, DebuggerError `busy`, and the errors of `use`
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
      // The caller would not know about a program that this call has started.
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
  { holder, deadline, signal, seesEntry = false, configure = (same) => same }: ReachLimits,
): Promise<BoundedRun> {
  const { control } = services;
  const limits = { deadline, signal };
  if (reach.kind === 'session') return BoundedRun.of(control, reach.session, holder, limits);
  await checkInputs(services, reach.input);
  if (!call.personPresent) await checkVariables(services, reach.plan);
  const plan = reach.test === undefined ? reach.plan : (await builtTest(reach.test, signal)).start;
  const ready = await runTasks(services, plan, call, deadline);
  // The process of a test runner may wait for the debugger at its entry. The call did not request that stop.
  const passesEntry = reach.test !== undefined && !seesEntry;
  const launches = ready.launches.map((launch) => ({
    ...launch,
    configuration: configure(launch.configuration),
  }));
  return BoundedRun.starting(control, { ...ready, launches, noDebug: false }, holder, {
    ...limits,
    passesEntry,
  });
}

/** Returns any outcome other than a failed start. @throws Failure if the program was not started */
export function checkStarted(
  services: ToolServices,
  reach: Reach,
  run: BoundedRun,
  step: RunStep,
): Exclude<RunStep, { kind: 'notStarted' }> {
  if (step.kind !== 'notStarted') return step;
  const roots = run.sessions.filter((session) => session.parentKey === undefined);
  const message = roots.map((root) => root.end?.message).find((text) => Boolean(text));
  const name = reach.kind === 'launch' ? reach.plan.name : reach.session.name;
  const { lines } = services.stops.output.takeUnreported(roots);
  throw new Failure(
    'launch_failed',
    l10n.t(
      '“{0}” could not be started: {1}',
      name,
      message ?? step.message ?? l10n.t('no reason given'),
    ),
    'Fix the cause, or change the configuration, then call again.',
    defined({ output: lines.length > 0 ? lines : undefined }),
  );
}

/** Whether a session belongs to the program of a run, even if the run does not list the session yet. */
export function isOfRun(
  { services, run }: { readonly services: Pick<ToolServices, 'model'>; readonly run: BoundedRun },
  session: SessionState,
): boolean {
  const root = rootOf(services.model.state, session);
  return run.mark === undefined
    ? run.includes(session)
    : root.configuration[LAUNCH_MARK] === run.mark || run.includes(session);
}
