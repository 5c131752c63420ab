import { textOf } from '../../debugger/protocol';
import { LAUNCH_MARK } from '../../debugger/state/launchMark';
import type { SessionState } from '../../debugger/state/state';
import type { PlannedLaunch, StartPlan } from './launchPlan';

/** As many launches are remembered as ended sessions are (`retention.ts`), and those that run. */
const KEPT = 100;

/** What calls have launched, by their marks: what VS Code does not tell of a session when it is to be restarted. */
export class LaunchMemory {
  private readonly plans = new Map<string, StartPlan>();

  /** @param plan as it was before its tasks were run, which takes them out */
  remember(mark: string, plan: StartPlan): void {
    this.plans.set(mark, plan);
    const [oldest] = this.plans.keys();
    if (this.plans.size > KEPT && oldest !== undefined) this.plans.delete(oldest);
  }

  /** The configuration that a session was started with; undefined where no call started it. */
  of(root: SessionState): PlannedLaunch | undefined {
    const plan = this.plans.get(textOf(root.configuration[LAUNCH_MARK]) ?? '');
    return plan?.launches.find((launch) => launch.name === root.configuration['name']);
  }
}
