import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { HostBreakpoint } from '../../debugger/host';
import { asFailure } from '../../results/debuggerFailures';
import { Failure } from '../../results/failure';
import { readPattern } from '../agentPattern';
import { consentOf } from './setBreakpoint';
import { defineTool } from '../defineTool';
import { planFor, type StartPlan } from '../launch/launchPlan';
import { checkInputs, checkTypes, checkVariables } from '../launch/planChecks';
import { startInput, type StartInput } from '../launch/startInput';
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
import { launch, type StartRequest } from './startProgram';
import type { Launching } from '../../control/launching';
import { withStandardInput } from '../launch/inputOfStart';
import { programNotFound } from '../launch/madeConfiguration';
import { mayChange, readTrigger } from '../trigger/triggerInput';
import { limitsOf } from '../reports/runReport';
import { defined } from '../../util/defined';

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
  doing: ({ configuration_name: name, program, module, attach }) =>
    attach === undefined
      ? l10n.t('Starting {0}', oneLine(name ?? program ?? module ?? ''))
      : l10n.t('Attaching to {0}', attach.process_id ?? attach.port ?? ''),
  consent: ({ input: { breakpoints = [], trigger }, services }) =>
    mayChange(services, trigger) ||
    breakpoints.some((breakpoint) => consentOf(services, breakpoint) === 'change')
      ? 'change'
      : 'control',
  files: ({ breakpoints = [], stdin_file: file }) => [
    ...breakpoints.map((breakpoint) => breakpoint.file_path),
    file,
  ],
  question: ({ input, services }) => launchQuestion(services, input),
  run: async ({ input, services, call }) => {
    const pattern =
      input.output_pattern === undefined ? undefined : await readPattern(input.output_pattern);
    const trigger =
      input.trigger === undefined ? undefined : await readTrigger(services, input.trigger);
    const plan = await planFor(services, input);
    checkTypes(services, plan);
    const requested = await breakpointsFor(services, input.breakpoints ?? []);
    const replaced = input.replace === true ? replacedSessions(services, plan) : [];
    await checkAsked(services, input, plan, call);
    await checkProgram(services, input, call);
    await checkInputs(services, input);
    if (!call.personPresent) await checkVariables(services, plan);
    const limits = limitsOf(input.timeout_seconds, call);
    await services.control.endAll(replaced, call.signal);
    const ready = await runTasks(services, plan, call, limits.deadline);
    const set = setAll(services, requested);
    const { launching, run } = await prepared(services, input, ready);
    services.launches.remember(launching.mark, plan);
    services.starts.add({ launching, name: plan.name });
    const outcome = await run(call, { pattern, trigger, limits }).catch((error: unknown) => {
      throw withBreakpoints(services, error, set);
    });
    const hint = (await runnerHint(services, input.program, outcome)) ?? outcome.hint;
    const started = { ...outcome, ...defined({ hint }) };
    if (set.length === 0) return started;
    const members = launching.members();
    const breakpoints = await startedBreakpoints(services, requested, set, members, call);
    return { ...started, breakpoints };
  },
});

/** A launch with the standard input that the call passes, which is removed if nothing is started. */
async function prepared(
  services: ToolServices,
  { no_debug: noDebug, ...requested }: StartInput,
  ready: StartPlan,
): Promise<{
  readonly launching: Launching;
  readonly run: (
    call: Call,
    more: Pick<StartRequest, 'pattern' | 'trigger' | 'limits'>,
  ) => Promise<StartOutcome>;
}> {
  const { plan, input } = await withStandardInput(services, requested, ready);
  const launching = services.control.launching({ ...plan, noDebug, endsSurely: true });
  services.inputs.keep(input, launching);
  return {
    launching,
    run: async (call, more) => {
      try {
        return await launch(services, call, { plan: ready, launching, noDebug, ...more });
      } finally {
        services.inputs.release(input);
      }
    },
  };
}

/** Adds the breakpoints that were set to the error of a failed start. They remain set. */
function withBreakpoints(
  services: ToolServices,
  error: unknown,
  set: readonly HostBreakpoint[],
): unknown {
  const failure = asFailure(error);
  if (failure === undefined || set.length === 0) return error;
  const ids = set.map((breakpoint) => services.breakpoints.idOf(breakpoint));
  return withData(failure, { breakpoints_set: ids });
}

/** Checks that the plan is the one that the person was asked about, because launch.json may change at any time. */
async function checkAsked(
  services: ToolServices,
  requested: StartInput,
  plan: StartPlan,
  { prepared }: Call,
): Promise<void> {
  if (
    prepared?.kind === 'asked' &&
    !(await isAskedAbout(services, requested, plan, prepared.question))
  )
    throw movedMeanwhile();
}

/**
 * Checks whether a program outside the workspace exists. This happens only after approval. Otherwise, the debugger
 * reports a missing program.
 */
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
