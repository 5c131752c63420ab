import { randomBytes } from 'node:crypto';
import type { Injection } from '../../control/injectedBreakpoints';
import { injectedMessage, isInjectedLine } from '../../debugger/breakpoints/injectedLines';
import type { Subscription } from '../../util/listeners';
import type { ToolServices } from '../../tools/services';
import type { TestPlan } from '../planTest';
import { verdictOf, withObservedExit, type Verdict } from '../report/verdict';
import type { LibraryObserver, Observation } from '../libraryObserver';
import type { StoppedAt, StopRule } from './runTest';
import type { StopReader } from './stopReader';

/** One run of a test under the debugger, which is observed by stops in the functions of its library. */
export class ObservedTest {
  private readonly observations: Observation[] = [];
  private readonly later: (readonly string[])[] = [];
  private injection: Injection | undefined;
  private subscription: Subscription | undefined;

  constructor(
    private readonly services: ToolServices,
    private readonly plan: TestPlan,
    private readonly stops: StopReader,
    private readonly observer: LibraryObserver,
  ) {}

  /** What stops the run. A failure counts only before the end of the requested test. */
  get rule(): StopRule {
    const functions = this.observer.stops(this.plan.test);
    return {
      exceptions: { filters: this.observer.filters, conditions: {} },
      functions: functions.map(({ functionName }) => functionName),
      conditions: Object.fromEntries(
        functions.map(({ functionName, condition }) => [functionName, condition]),
      ),
      isFailure: async (at, functionName) => {
        const stop = await this.stops.observed(at, functionName);
        const seen = await this.observer.observe(stop, this.plan.test, this.plan.file);
        if (seen === undefined) return false;
        const { hasEnded } = this;
        this.observations.push(seen);
        return seen.isFailure && !hasEnded;
      },
    };
  }

  /** Whether the requested test has ended. */
  get hasEnded(): boolean {
    return this.observations.some(({ isFailure }) => !isFailure);
  }

  /** Counts the failures after the first one, at which the program is stopped, without further stops. */
  async countLater({ session, threadId }: StoppedAt, signal: AbortSignal): Promise<void> {
    const { inspector, injected } = this.services;
    const place = inspector.placeOf(session, threadId);
    const top = await inspector.top(session, place, signal);
    const counted = top && this.observer.later?.(top);
    if (counted === undefined) return;
    const nonce = randomBytes(8).toString('hex');
    const { path, line, expressions } = counted;
    const point = { path, line, logMessage: injectedMessage(nonce, 0, expressions) };
    const points = [point];
    this.subscription = injected.output.onLine(nonce, ({ values }) => this.later.push(values));
    this.injection = injected.inject(({ key }) => (key === session.key ? points : []));
    await this.injection.placed;
  }

  /** Ends the counting. */
  async dispose(): Promise<void> {
    await this.injection?.dispose();
    this.subscription?.dispose();
  }

  /** The verdict about the test, as far as the run was observed. */
  verdict(output: readonly string[], exitCode: number | undefined): Verdict {
    const { observations, later, plan } = this;
    const printed = output.filter((line) => !isInjectedLine(line));
    const run = { observations, later, printed };
    const report = this.observer.report(run, plan.test, plan.file);
    const isFailed = report.tests.some(({ outcome }) => outcome === 'failed');
    const verdict = verdictOf(report, plan);
    return isFailed ? verdict : withObservedExit(verdict, exitCode);
  }
}
