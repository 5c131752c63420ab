import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { LaunchOutcome, Launching } from '../../control/launching';
import type { LinePrinted, RunLimits } from '../../control/outcome';
import { asFailure } from '../../results/debuggerFailures';
import { Failure } from '../../results/failure';
import { treeOf, type DebugState, type SessionState } from '../../debugger/state/state';
import type { RunResult } from '../schemas';
import { readPattern, type AgentPattern } from '../agentPattern';
import { consentOf } from './setBreakpoint';
import { defineTool } from '../defineTool';
import {
  checkInputs,
  checkTypes,
  checkVariables,
  planFor,
  programNotFound,
  startInput,
  type StartPlan,
  type StartInput,
} from '../launch/launchPlan';
import { isAskedAbout, launchQuestion } from '../launch/launchQuestion';
import { movedMeanwhile } from '../preparedCalls';
import { absolute, outsideOf } from '../files/files';
import { oneLine } from '../question';
import { replacedSessions } from '../launch/replacedSessions';
import { runTasks } from '../launch/preLaunchTasks';
import { runnerHint } from '../launch/runnerHint';
import type { Call, ToolServices } from '../services';
import {
  breakpointsFor,
  setAll,
  startedBreakpoints,
  startOutcome,
  type StartOutcome,
} from './startBreakpoints';
import { stopWhereTestsFail } from '../launch/testRun';
import {
  type AwaitedLine,
  interrupted,
  limitsOf,
  reportLine,
  reportRun,
  reportTimeout,
} from '../reports/runReport';

export const startDebugging = defineTool({
  name: 'start_debugging',
  set: 'core',
  effect: 'control',
  title: 'Start Debugging',
  userDescription: 'Starts a program under the debugger',
  modelDescription:
    'Start a debug configuration by name (or program or module, without launch.json) and wait until it first stops or ends. Returns where it stopped with stack, local variables and output, or the exit code. A server or an attached program runs on: pass output_pattern or a short timeout_seconds.',
  icon: 'debug-start',
  input: startInput,
  output: startOutcome,
  needs: 'nothing',
  doing: ({ configuration_name: name, program, module }) =>
    l10n.t('Starting {0}', oneLine(name ?? program ?? module ?? '')),
  consent: ({ input: { breakpoints = [] }, services }) =>
    breakpoints.some((breakpoint) => consentOf(services, breakpoint) === 'change')
      ? 'change'
      : 'control',
  files: ({ breakpoints = [] }) => breakpoints.map((breakpoint) => breakpoint.file_path),
  question: ({ input, services }) => launchQuestion(services, input),
  run: async ({ input, services, call }) => {
    const pattern =
      input.output_pattern === undefined ? undefined : await readPattern(input.output_pattern);
    const plan = await planFor(services, input);
    checkTypes(services, plan);
    const wanted = await breakpointsFor(services, input.breakpoints ?? []);
    const replaced = input.replace === true ? replacedSessions(services, plan) : [];
    await checkAsked(services, input, plan, call);
    await checkProgram(services, input, call);
    await checkInputs(services, input);
    if (!call.personPresent) await checkVariables(services, plan);
    const limits = limitsOf(input.timeout_seconds, call);
    await services.control.endAll(replaced, call.signal);
    const ready = await runTasks(services, plan, call, limits.deadline);
    const set = setAll(services, wanted);
    const launching = services.control.launching({ ...ready, noDebug: input.no_debug });
    const outcome = await launch(services, call, {
      plan: ready,
      launching,
      noDebug: input.no_debug,
      pattern,
      limits,
    }).catch((error: unknown) => {
      const failure = asFailure(error);
      throw failure !== undefined && set.length > 0
        ? withData(failure, {
            breakpoints_set: set.map((breakpoint) => services.breakpoints.idOf(breakpoint)),
          })
        : error;
    });
    const hint = (await runnerHint(services, input.program, outcome)) ?? outcome.hint;
    return {
      ...outcome,
      ...(hint === undefined ? {} : { hint }),
      ...(set.length === 0
        ? {}
        : {
            breakpoints: await startedBreakpoints(services, wanted, set, launching.members(), call),
          }),
    };
  },
});

/** The very plan that is started is the one that the person was asked about: launch.json may change at any moment. */
async function checkAsked(
  services: ToolServices,
  wanted: StartInput,
  plan: StartPlan,
  { prepared }: Call,
): Promise<void> {
  if (
    prepared?.kind === 'asked' &&
    !(await isAskedAbout(services, wanted, plan, prepared.question))
  )
    throw movedMeanwhile();
}

/** Outside the workspace it is looked for only after a yes to the question that named it; else its debugger says. */
async function checkProgram(
  services: ToolServices,
  { program }: StartInput,
  { prepared }: Call,
): Promise<void> {
  if (program === undefined || !path.isAbsolute(program) || prepared?.kind !== 'asked') return;
  const approved = services.workspace.approving(await outsideOf(services, [program]));
  const file = await absolute(services, program);
  if ((await approved.exists(file)) === false) throw programNotFound(file);
}

function withData(
  { code, message, hint, data }: Failure,
  more: Readonly<Record<string, unknown>>,
): Failure {
  return new Failure(code, message, hint, { ...data, ...more });
}

interface StartRequest {
  readonly plan: StartPlan;
  readonly launching: Launching;
  readonly noDebug: boolean;
  /** Of a line that ends the wait. */
  readonly pattern: AgentPattern | undefined;
  readonly limits: RunLimits;
}

async function launch(
  services: ToolServices,
  call: Call,
  { plan, launching, noDebug, pattern, limits }: StartRequest,
): Promise<StartOutcome> {
  const { model, stops } = services;
  const find =
    pattern === undefined ? undefined : stops.output.watch(() => launching.members(), pattern);
  const testStops = noDebug ? {} : stopWhereTestsFail(services, plan, launching.mark);
  const outcome = await launching.run(limits, find);
  if (outcome.kind === 'notStarted')
    throw startFailure(services, plan, launching.roots(), outcome.message);
  const result = await reportLaunch(services, call, launching, outcome, limits);
  return {
    ...result,
    ...testStops,
    ...(plan.shown === undefined ? {} : { configuration: plan.shown }),
    ...(plan.isCompound ? { members: membersNow(model.state, launching.roots()) } : {}),
  };
}

async function reportLaunch(
  services: ToolServices,
  call: Call,
  launching: Launching,
  outcome: Exclude<LaunchOutcome, { kind: 'notStarted' }> | LinePrinted<AwaitedLine>,
  limits: RunLimits,
): Promise<StartOutcome> {
  const [root] = launching.roots();
  switch (outcome.kind) {
    case 'printed':
      // The program still runs: that is what `timeout` says of every start.
      return { ...reportLine(root?.id ?? '', outcome.line), status: 'timeout' };
    case 'timeout':
      return root === undefined ? notStartedYet() : await reportTimeout(services, root.key);
    case 'cancelled':
      return interrupted();
    case 'ended':
      return await reportRun(services, call, outcome.rootKey, outcome, limits);
    case 'stopped':
      return await reportRun(services, call, outcome.sessionKey, outcome, limits);
  }
}

function membersNow(
  state: DebugState,
  roots: readonly SessionState[],
): { session_id: string; name: string; state: string }[] {
  return roots.map((each) => ({
    session_id: each.id,
    name: each.name,
    state: treeLifecycle(state, each),
  }));
}

/** What a member of a compound does, its children included: a parent of js-debug runs while its child is stopped. */
function treeLifecycle(state: DebugState, root: SessionState): string {
  return treeOf(state, root).some((each) => each.lifecycle === 'stopped')
    ? 'stopped'
    : root.lifecycle;
}

function notStartedYet(): RunResult {
  return {
    status: 'timeout',
    message: l10n.t(
      'It has not started yet; VS Code may be asking the person something, or waiting for a task. Call get_debug_state to see whether it has.',
    ),
  };
}

/** What VS Code, the adapter or the program said. Of a compound, the members that did start go on, and are named. */
function startFailure(
  { stops, model }: ToolServices,
  plan: StartPlan,
  roots: readonly SessionState[],
  message: string | undefined,
): Failure {
  const reported = roots.map((root) => root.end?.message).find((each) => Boolean(each));
  const output = stops.output.takeUnreported(roots).lines;
  const reason = reported ?? message;
  const data = {
    ...(output.length > 0 ? { output } : {}),
    ...(plan.isCompound && roots.length > 0 ? { members: membersNow(model.state, roots) } : {}),
  };
  if (reason === undefined || reason === '') {
    return new Failure(
      'start_cancelled',
      l10n.t(
        'VS Code did not start “{0}” and gave no reason; a person may have cancelled it.',
        plan.name,
      ),
      /\$\{command:/.test(JSON.stringify(plan.launches))
        ? 'Ask the person. A command of the configuration (${command:…}) may have failed or not exist: inputs can give its value.'
        : 'Ask the person, or check the configuration and call start_debugging again.',
      data,
    );
  }
  const hint =
    plan.isCompound && roots.length > 1
      ? 'The other members may run: see members, and call stop_debugging for those. Fix the cause, then start again.'
      : 'Fix the cause, or change the configuration, then call start_debugging again.';
  return new Failure(
    'launch_failed',
    l10n.t('“{0}” could not be started: {1}', plan.name, reason),
    hint,
    data,
  );
}
