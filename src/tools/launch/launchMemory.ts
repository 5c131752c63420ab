import { textOf } from '../../debugger/protocol';
import { LAUNCH_MARK } from '../../debugger/state/launchMark';
import type { SessionState } from '../../debugger/state/state';
import type { PlannedLaunch, StartPlan } from './launchPlan';

/**
 * The maximum number of stored launches. It is sufficient for the ended sessions that are kept (`retention.ts`) and the
 * running sessions.
 */
const KEPT = 100;

/**
 * The plans that calls have launched, by their marks. A restart needs properties that VS Code does not report for a
 * session.
 */
export class LaunchMemory {
  private readonly plans = new Map<string, StartPlan>();

  /**
   * Stores a plan.
   * @param plan the plan before its tasks were run, because the run of a task removes it from the plan
   */
  remember(mark: string, plan: StartPlan): void {
    this.plans.set(mark, plan);
    const [oldest] = this.plans.keys();
    if (this.plans.size > KEPT && oldest !== undefined) this.plans.delete(oldest);
  }

  /** Returns the configuration with which a session was started. Returns undefined if no call started the session. */
  of(root: SessionState): PlannedLaunch | undefined {
    const plan = this.plans.get(textOf(root.configuration[LAUNCH_MARK]) ?? '');
    return plan?.launches.find((launch) => launch.name === root.configuration['name']);
  }
}
