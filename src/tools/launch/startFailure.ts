import * as l10n from '@vscode/l10n';
import { treeOf, type DebugState, type SessionState } from '../../debugger/state/state';
import { Failure } from '../../results/failure';
import { defined } from '../../util/defined';
import type { ToolServices } from '../services';
import type { StartPlan } from './launchPlan';

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

export function membersNow(
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
