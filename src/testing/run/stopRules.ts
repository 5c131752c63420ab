import { adapterOf } from '../../debugger/adapters/registry';
import type { ToolServices } from '../../tools/services';
import type { TestPlan } from '../planTest';
import type { StopRule, StoppedAt } from './runTest';
import type { StopReader } from './stopReader';
import type { ReportedError } from '../runReport';
import { ownPlace } from '../report/testReport';
import { isSame } from '../report/verdict';

/** Determines what stops the run of a test, and which stop is its failure. */
export class StopRules {
  constructor(
    private readonly services: ToolServices,
    private readonly plan: TestPlan,
    private readonly stops: StopReader,
  ) {}

  /**
   * Returns the rule for a run whose failure is already known from a run without the debugger.
   * @param error undefined if the test did not end
   */
  forError(error: ReportedError | undefined): StopRule {
    const [launch] = this.plan.start.launches;
    const { stopsAt, testStops } = adapterOf(launch?.type ?? '');
    const place = ownPlace(this.services, error);
    const { stopsItself = false, failsIn } = this.plan.framework;
    const stops =
      error === undefined || stopsItself || failsIn !== undefined
        ? { filters: [] }
        : (stopsAt ?? testStops ?? { filters: [] });
    let calls = 0;
    return {
      exceptions: {
        filters: stops.filters ?? [],
        conditions: stops.conditions ?? {},
      },
      functions: error === undefined || failsIn === undefined ? [] : [failsIn],
      isFailure: async (at, functionName) => {
        if (stopsItself) return true;
        if (functionName === undefined && error?.occurrence === undefined)
          return error !== undefined && isSame(await this.stops.exception(at), error);
        if (functionName === undefined && !(await this.isAlike(at, error, place))) return false;
        calls += 1;
        if (calls < (error?.occurrence ?? 1)) return false;
        return await this.stops.isOnStack(at, place);
      },
    };
  }

  /** Whether a stop is at an exception of an error's type, at its place. The runner counts only these. */
  private async isAlike(
    at: StoppedAt,
    error: ReportedError | undefined,
    place: ReturnType<typeof ownPlace>,
  ): Promise<boolean> {
    const type = (await this.stops.exception(at))?.type.split('.').at(-1) ?? 'unknown';
    return (
      (type === 'unknown' || type === error?.type) && (await this.stops.isInnermost(at, place))
    );
  }
}
