import * as l10n from '@vscode/l10n';
import type { LaunchOutcome, Launching } from '../../control/launching';
import type { LinePrinted, RunLimits } from '../../control/outcome';
import { Failure } from '../../results/failure';
import { treeOf, type DebugState, type SessionState } from '../../debugger/state/state';
import { defined } from '../../util/defined';
import type { RunResult } from '../schemas';
import type { AgentPattern } from '../agentPattern';
import type { StartPlan } from '../launch/launchPlan';
import type { Call, ToolServices } from '../services';
import type { StartOutcome } from './startBreakpoints';
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
  readonly limits: RunLimits;
}

/** Launches the plan and returns its first outcome. @throws Failure if the start fails */
export async function launch(
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

function membersNow(
  state: DebugState,
  roots: readonly SessionState[],
): { session_id: string; name: string; state: string }[] {
  return roots.map((session) => ({
    session_id: session.id,
    name: session.name,
    state: treeLifecycle(state, session),
  }));
}

/**
 * Returns the lifecycle of a compound's member, including its children. A parent session of js-debug runs while its
 * child is stopped.
 */
function treeLifecycle(state: DebugState, root: SessionState): string {
  return treeOf(state, root).some((session) => session.lifecycle === 'stopped')
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

/**
 * Returns the error of a failed start, as VS Code, the adapter or the program reported it. Started members of a
 * compound continue to run, and are listed.
 */
export function startFailure(
  { stops, model }: Pick<ToolServices, 'stops' | 'model'>,
  plan: StartPlan,
  roots: readonly SessionState[],
  message: string | undefined,
): Failure {
  const reported = roots.map((root) => root.end?.message).find(Boolean);
  const output = stops.output.takeUnreported(roots).lines;
  const reason = reported ?? message;
  const data = defined({
    output: output.length > 0 ? output : undefined,
    members: plan.isCompound && roots.length > 0 ? membersNow(model.state, roots) : undefined,
  });
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
