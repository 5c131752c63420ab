import { adapterOf } from '../../debugger/adapters/registry';
import { samePath } from '../../debugger/sourcePath';
import type { ToolServices } from '../../tools/services';
import type { TestPlan } from '../planTest';
import type { StopRule, StoppedAt } from './runTest';
import type { StopReader } from './stopReader';
import type { LibraryObserver, Observation, ReportedError } from '../testFramework';
import { ownPlace } from '../report/testReport';
import { isSame } from '../report/verdict';

/** Determines what stops the run of a test, and which stop is its failure. */
export class StopRules {
  constructor(
    private readonly services: ToolServices,
    private readonly plan: TestPlan,
    private readonly stops: StopReader,
  ) {}

  /** Returns the rule for a run in which the functions of a test library are observed. */
  observing(observer: LibraryObserver, observations: Observation[]): StopRule {
    return {
      exceptions: { filters: [], conditions: {} },
      functions: observer.functions,
      isFailure: async (at, functionName) => {
        if (functionName === undefined) return true;
        const evaluate = (expression: string): Promise<string | undefined> =>
          this.stops.evaluate(at, expression);
        const callers = await this.stops.callers(at);
        const observation = await observer.observe(functionName, evaluate, callers);
        if (observation !== undefined) observations.push(observation);
        return observation?.kind === 'failed';
      },
    };
  }

  /**
   * Returns the rule for a run whose failure is already known from a run without the debugger.
   * @param error undefined if the test did not end
   */
  async forError(error: ReportedError | undefined): Promise<StopRule> {
    const [launch] = this.plan.start.launches;
    const { stopsAt, testStops } = adapterOf(launch?.type ?? '');
    const place = ownPlace(this.services, error);
    const rawPlace =
      error?.isRaw === true && place?.column !== undefined
        ? `${place.path.split(/[\\/]/).at(-1) ?? ''}:${place.line}:${place.column}`
        : undefined;
    const { stopsItself = false, failsIn } = this.plan.framework;
    const stops =
      error === undefined || stopsItself || failsIn !== undefined
        ? { filters: [] }
        : (stopsAt?.({ message: error.message, rawPlace }) ?? testStops ?? { filters: [] });
    const whereCaught =
      error !== undefined && (await this.runsOnAfter(error))
        ? (testStops?.filtersWhereCaught ?? [])
        : [];
    const condition = stops.conditions?.['all'];
    const isKept = error?.keptAt !== undefined && condition !== undefined;
    let calls = 0;
    return {
      exceptions: {
        filters: [...(stops.filters ?? []), ...whereCaught],
        conditions: stops.conditions ?? {},
      },
      functions: error === undefined || failsIn === undefined ? [] : [failsIn],
      kept: isKept ? { ...error.keptAt, condition } : undefined,
      begin: this.beginOf(error, whereCaught.length > 0),
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

  /**
   * Whether a function that an error passed through has run code after it, so that its variables may have changed. An
   * error that a function may catch is left out: the same error may have been thrown and caught before.
   */
  private async runsOnAfter({ frames }: ReportedError): Promise<boolean> {
    const { afterException } = this.plan.framework;
    if (afterException === undefined) return false;
    const { workspace, stops } = this.services;
    let runs = false;
    for (const { path, line } of frames) {
      if (!stops.isOwn(path)) continue;
      const after = afterException((await workspace.readSource(path))?.lines ?? [], line);
      if (after.catches) return false;
      runs ||= after.runs;
    }
    return runs;
  }

  /**
   * Returns the line at which the stops at exceptions begin, if many exceptions may be thrown before the failure.
   * @param isRaised whether the run also stops at exceptions that the test catches
   */
  private beginOf(error: ReportedError | undefined, isRaised: boolean): StopRule['begin'] {
    const { file, test, pausesFirst } = this.plan;
    const isCounted = error?.occurrence !== undefined;
    const place = isRaised || isCounted ? ownPlace(this.services, error) : undefined;
    if (place !== undefined) return { path: place.path, line: place.line };
    if (!pausesFirst) return undefined;
    const frame = error?.frames.findLast(({ path }) => samePath(path, file));
    const line = frame?.line ?? test.line;
    return line === undefined ? undefined : { path: file, line };
  }
}
