import * as l10n from '@vscode/l10n';
import type { LaunchOutcome, Launching } from '../../control/launching';
import type { LinePrinted, RunLimits } from '../../control/outcome';
import type { Trigger } from '../../control/triggers/triggers';
import { defined } from '../../util/defined';
import type { RunResult } from '../schemas';
import type { AgentPattern } from '../agentPattern';
import { isUp } from '../trigger/ready';
import { withTrigger } from '../trigger/triggered';
import type { ReadTrigger } from '../trigger/triggerInput';
import type { StartPlan } from '../launch/launchPlan';
import type { Call, ToolServices } from '../services';
import type { StartOutcome } from './startBreakpoints';
import { membersNow, startFailure } from '../launch/startFailure';
import { stopWhereTestsFail } from '../launch/testRun';
import {
  type AwaitedLine,
  interrupted,
  reportLine,
  reportRun,
  reportTimeout,
} from '../reports/runReport';

/** The program to launch, and the limits of the wait. */
export interface StartRequest {
  readonly plan: StartPlan;
  readonly launching: Launching;
  readonly noDebug: boolean;
  /** Matches an output line that ends the wait. */
  readonly pattern: AgentPattern | undefined;
  readonly trigger: ReadTrigger | undefined;
  readonly limits: RunLimits;
}

/** Launches the plan and returns its first outcome. @throws Failure if the start fails */
export async function launch(
  services: ToolServices,
  call: Call,
  request: StartRequest,
): Promise<StartOutcome> {
  const { launching, limits, pattern } = request;
  const trigger = armTrigger(services, request);
  return await withTrigger(services, {
    ...{ call, limits, trigger, waitsOn: pattern !== undefined },
    session: () => launching.roots()[0],
    run: async (within) => await launchAndWait(services, call, { ...request, limits: within }),
  });
}

/** Arms the trigger of the start. It is sent when the program runs and its breakpoints are bound. */
function armTrigger(
  { triggers }: ToolServices,
  { trigger, launching, noDebug }: StartRequest,
): Trigger | undefined {
  if (trigger === undefined) return undefined;
  return triggers.arm({
    ...trigger,
    sessions: () => launching.members(),
    isReady: () => isUp(launching.members(), noDebug),
  });
}

async function launchAndWait(
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
    ...defined({
      configuration: plan.shown,
      members: plan.isCompound ? membersNow(model.state, launching.roots()) : undefined,
    }),
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
      // For a start, `timeout` means that the program is still running.
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

function notStartedYet(): RunResult {
  return {
    status: 'timeout',
    message: l10n.t(
      'It has not started yet; VS Code may be asking the person something, or waiting for a task. Call get_debug_state to see whether it has.',
    ),
  };
}
