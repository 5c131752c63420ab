import * as l10n from '@vscode/l10n';
import { Failure } from '../../results/failure';
import { defined } from '../../util/defined';
import { reportStop } from '../../tools/reports/runReport';
import type { Call, ToolServices } from '../../tools/services';
import { checkRunnerInstalled } from '../report/missingRunner';
import type { TestPlan } from '../planTest';
import { TestRun, type RunEnd, type StoppedAt } from './runTest';
import { reportedFrames } from './failureFrames';
import { StopReader } from './stopReader';
import { StopRules } from './stopRules';
import type { SessionState } from '../../debugger/state/state';
import type { LibraryObserver, Observation } from '../testFramework';
import {
  endVerdict,
  failedVerdict,
  finishedVerdict,
  observedVerdict,
  isThrown,
  verdictOf,
  withExit,
  withObservedExit,
  withSkipped,
  type Verdict,
} from '../report/verdict';
import {
  interrupted,
  notBuilt,
  notStarted,
  stoppedElsewhere,
  testResult,
  timedOut,
  withoutEnd,
  type TestResult,
} from '../report/testResult';

/** The names of filters for exceptions that leave the program, or the code of the person. */
const UNCAUGHT_FILTERS: readonly string[] = ['uncaught', 'unhandled', 'userUnhandled'];

/** The options of a call. */
interface ExamineOptions {
  readonly on_failure: 'report' | 'stay';
  readonly timeout_seconds: number;
}

/**
 * Runs a test without the debugger, which is fast. If the test fails or hangs, it is run again with the debugger.
 * @throws Failure
 */
export async function examine(
  services: ToolServices,
  call: Call,
  plan: TestPlan,
  options: ExamineOptions,
): Promise<TestResult> {
  return await new Examination(services, call, plan, options).run();
}

class Examination {
  private readonly deadline: number;
  private readonly quickDeadline: number;
  private readonly stops: StopReader;
  private readonly rules: StopRules;

  constructor(
    private readonly services: ToolServices,
    private readonly call: Call,
    private readonly plan: TestPlan,
    private readonly options: ExamineOptions,
  ) {
    const limitMs = Math.min(options.timeout_seconds, call.maxWaitSeconds) * 1000;
    this.deadline = performance.now() + limitMs;
    this.quickDeadline = performance.now() + limitMs / 2;
    this.stops = new StopReader(services, plan, call.signal);
    this.rules = new StopRules(services, plan, this.stops);
  }

  async run(): Promise<TestResult> {
    const { observer, runsOnce, staysBy, startsByEditor } = this.plan.framework;
    if (startsByEditor === true) return await this.runByEditor();
    if (observer !== undefined) return await this.runObserved(observer);
    if (runsOnce === true && this.options.on_failure === 'report') return await this.runOnce();
    if (staysBy !== undefined) return await this.runToStay(staysBy);
    this.call.progress?.(l10n.t('Running the test'));
    const first = new TestRun(this.services, this.call, this.plan);
    const end = await this.start(first, this.quickDeadline);
    if (end.kind === 'elsewhere') return await this.atOtherStop(first, end);
    if (end.kind === 'failure')
      return await this.inspect(first, () => this.atUnexpectedStop(first, end));
    if (end.kind === 'cancelled' || end.kind === 'lost') return interrupted();
    if (end.kind !== 'ended') {
      const output = first.printed();
      const verdict = finishedVerdict(await first.report(output), this.plan);
      if (verdict === undefined || isThrown(verdict))
        return await this.runDebugged(verdict, verdict === undefined ? [] : output, true);
      return withoutEnd(await this.result(verdict, output));
    }
    if (end.isAborted) return interrupted();
    const reported = withExit(verdictOf(end.report, this.plan), end.exitCode);
    checkRunnerInstalled(reported, end.output);
    const verdict = withSkipped(reported, this.plan.test);
    if (isThrown(verdict) || (verdict.outcome === 'passed' && this.hasBreakpoints()))
      return await this.runDebugged(verdict, end.output);
    return await this.result(verdict, end.output);
  }

  /**
   * Runs the test under the debugger.
   * @param before the verdict of the run without the debugger
   * @param isOpen whether the process of that run did not end in time, although the test ended
   * @param stopsAtOnce whether exceptions stop the program from its beginning on
   */
  private async runDebugged(
    before: Verdict | undefined,
    printed: readonly string[],
    isOpen = false,
    stopsAtOnce = false,
  ): Promise<TestResult> {
    this.call.progress?.(l10n.t('Running the test under the debugger'));
    const run = new TestRun(this.services, this.call, this.plan, {
      ...(await this.rules.forError(before?.error)),
      beginsAtOnce: stopsAtOnce,
    });
    const end = await this.start(run, this.deadline);
    switch (end.kind) {
      case 'failure':
        return await this.inspect(run, () => this.atFailure(run, end, before, printed));
      case 'elsewhere':
        return await this.atOtherStop(run, end);
      case 'timeout':
        if (before === undefined || !isOpen)
          return await this.inspect(run, () => this.atTimeout(run));
        await run.end();
        return withoutEnd(await this.result(before, printed));
      case 'ended': {
        if (end.isAborted) return interrupted();
        const now = verdictOf(end.report, this.plan);
        if (!stopsAtOnce && run.beginsAtLine && now.outcome === before?.outcome)
          return await this.runDebugged(before, printed, isOpen, true);
        if (before === undefined || now.outcome === before.outcome)
          return await this.result(now, end.output);
        const first = await this.result(before, printed);
        return { ...first, flaky: true, second_outcome: now.outcome };
      }
      default:
        return interrupted();
    }
  }

  /** Runs the test once, without the debugger. The reporter in the program reads the failure with its values. */
  private async runOnce(): Promise<TestResult> {
    this.call.progress?.(l10n.t('Running the test'));
    const run = new TestRun(this.services, this.call, this.plan);
    const end = await this.start(run, this.deadline);
    switch (end.kind) {
      case 'ended':
        return end.isAborted ? interrupted() : await this.ended(end);
      case 'timeout': {
        const output = run.printed();
        const report = await run.report(output);
        await run.end();
        const verdict = finishedVerdict(report, this.plan);
        if (verdict !== undefined) return withoutEnd(await this.result(verdict, output));
        const frames = await reportedFrames(this.services, report.hanging ?? []);
        return timedOut(this.plan, frames, output, undefined);
      }
      case 'failure':
      case 'elsewhere':
        return await this.atOtherStop(run, end);
      default:
        return interrupted();
    }
  }

  /** Returns the result of a run that ended by itself. */
  private async ended(end: RunEnd & { readonly kind: 'ended' }): Promise<TestResult> {
    const reported = withExit(verdictOf(end.report, this.plan), end.exitCode);
    checkRunnerInstalled(reported, end.output);
    return await this.result(withSkipped(reported, this.plan.test), end.output);
  }

  /** Runs the test once, under the debugger. The reporter in the program stops it at the failure itself. */
  private async runToStay(filters: readonly string[]): Promise<TestResult> {
    this.call.progress?.(l10n.t('Running the test under the debugger'));
    const run: TestRun = new TestRun(this.services, this.call, this.plan, {
      exceptions: { filters, conditions: {} },
      functions: [],
      isFailure: async () => (await run.report([])).isStopping === true,
    });
    const end = await this.start(run, this.deadline);
    switch (end.kind) {
      case 'failure':
        return await this.inspect(run, async () => {
          const verdict = verdictOf(await run.report([]), this.plan);
          return await this.atFailure(run, end, verdict, run.printed());
        });
      case 'elsewhere':
        return await this.atOtherStop(run, end);
      case 'timeout':
        return await this.inspect(run, () => this.atTimeout(run));
      case 'ended':
        return end.isAborted ? interrupted() : await this.ended(end);
      default:
        return interrupted();
    }
  }

  /** Lets VS Code's testing UI run the test. Its sessions stop at exceptions that nothing catches. */
  private async runByEditor(): Promise<TestResult> {
    this.call.progress?.(l10n.t('Running the test under the debugger'));
    const run = new TestRun(this.services, this.call, this.plan, {
      exceptions: { filters: UNCAUGHT_FILTERS, conditions: {} },
      functions: [],
      isFailure: ({ session }) => Promise.resolve(!this.hasOtherFilters(session)),
    });
    const end = await this.start(run, this.deadline).catch((error: unknown) => {
      throw error instanceof Failure && error.code === 'start_cancelled'
        ? notStarted(this.plan)
        : error;
    });
    switch (end.kind) {
      case 'failure':
        return await this.inspect(run, () => this.atUnexpectedStop(run, end));
      case 'elsewhere':
        return await this.atOtherStop(run, end);
      case 'timeout':
        return await this.inspect(run, () => this.atTimeout(run));
      case 'ended':
        return end.isAborted
          ? interrupted()
          : await this.result(endVerdict(end.exitCode), end.output);
      default:
        return interrupted();
    }
  }

  /** Whether the person's exception filters may also stop a session at exceptions that are caught. */
  private hasOtherFilters(session: SessionState): boolean {
    return this.services.exceptions
      .active(session)
      .some(({ filter }) => !UNCAUGHT_FILTERS.includes(filter));
  }

  /** Runs the test once, under the debugger, and observes the arguments of the functions of its test library. */
  private async runObserved(observer: LibraryObserver): Promise<TestResult> {
    this.call.progress?.(l10n.t('Running the test under the debugger'));
    const observations: Observation[] = [];
    const rule = this.rules.observing(observer, observations);
    const run = new TestRun(this.services, this.call, this.plan, rule);
    let end: RunEnd;
    try {
      end = await this.start(run, this.deadline);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'launch_failed') throw error;
      return notBuilt(this.plan, error);
    }
    switch (end.kind) {
      case 'failure': {
        const failed = observations.findLast(({ kind }) => kind === 'failed');
        return await this.inspect(run, () => this.atUnexpectedStop(run, end, failed));
      }
      case 'ended':
        return end.isAborted
          ? interrupted()
          : await this.result(
              withObservedExit(observedVerdict(observations, this.plan), end.exitCode),
              end.output,
            );
      case 'elsewhere':
        return await this.atOtherStop(run, end);
      case 'timeout':
        return await this.inspect(run, () => this.atTimeout(run));
      default:
        return interrupted();
    }
  }

  /** Starts a run and waits for its end. If there is nothing to inspect afterwards, the run is removed completely. */
  private async start(run: TestRun, deadline: number): Promise<RunEnd> {
    let end: RunEnd | undefined;
    try {
      end = await run.start({ deadline, signal: this.call.signal });
      return end;
    } finally {
      const isKept = end?.kind === 'failure' || end?.kind === 'elsewhere' || end?.kind === 'lost';
      const isInspected = end?.kind === 'timeout' && deadline === this.deadline;
      if (!isKept && !isInspected) await run.end();
      if (end?.kind === 'lost') await run.release();
    }
  }

  /** Inspects a run that was kept for this purpose. An error, such as a cancellation, ends the run. */
  private async inspect(run: TestRun, read: () => Promise<TestResult>): Promise<TestResult> {
    try {
      return await read();
    } catch (error) {
      await run.end();
      throw error;
    }
  }

  /** Returns the result for a stop that no report describes yet: a signal, or an observed failure. */
  private async atUnexpectedStop(
    run: TestRun,
    stopped: StoppedAt,
    failed?: Observation,
  ): Promise<TestResult> {
    const exception = await this.stops.exception(stopped);
    const verdict = failedVerdict(failed, exception, this.plan);
    return await this.atFailure(run, stopped, verdict, run.printed());
  }

  private async atFailure(
    run: TestRun,
    stopped: StoppedAt,
    before: Verdict | undefined,
    printed: readonly string[],
  ): Promise<TestResult> {
    const { session, threadId } = stopped;
    const [frames, exception] = await Promise.all([
      this.stops.frames(stopped),
      this.stops.exception(stopped),
    ]);
    const verdict = before ?? { outcome: 'failed', test: undefined, error: undefined, others: {} };
    // The signal with which the runner stops itself contains no information about the failure.
    const isSignal = before?.error !== undefined && this.plan.framework.stopsItself === true;
    const result = await testResult(
      this.services,
      this.plan,
      verdict,
      printed,
      defined({ frames, exception: isSignal ? undefined : exception }),
    );
    if (this.options.on_failure === 'report') {
      await run.finish(stopped, this.deadline);
      return result;
    }
    await run.release();
    const { stop_event_data: stop } = await reportStop(
      this.services,
      this.call,
      session.key,
      threadId,
    );
    return {
      ...result,
      status: 'stopped',
      program: 'stopped',
      session_id: session.id,
      ...defined({ stop_event_data: stop }),
    };
  }

  /** Returns the result for a stop at one of the person's breakpoints. The program stays there. */
  private async atOtherStop(run: TestRun, { session, threadId }: StoppedAt): Promise<TestResult> {
    await run.release();
    const stop = await reportStop(this.services, this.call, session.key, threadId);
    return stoppedElsewhere(this.plan, session, stop.stop_event_data);
  }

  /** Returns the result of a test that did not end in time, with its current place. */
  private async atTimeout(run: TestRun): Promise<TestResult> {
    const paused = await this.stops.pause(run.members);
    const frames = paused === undefined ? [] : await this.stops.frames(paused);
    const printed = run.printed();
    const isKept = paused !== undefined && this.options.on_failure === 'stay';
    if (isKept) await run.release();
    else await run.end();
    return timedOut(this.plan, frames, printed, isKept ? paused.session : undefined);
  }

  private async result(verdict: Verdict, printed: readonly string[]): Promise<TestResult> {
    return await testResult(this.services, this.plan, verdict, printed);
  }

  private hasBreakpoints(): boolean {
    return this.services.host
      .breakpoints()
      .some(
        (breakpoint) =>
          breakpoint.enabled &&
          (breakpoint.logMessage ?? '') === '' &&
          (breakpoint.kind === 'function' || this.plan.framework.files.test(breakpoint.path)),
      );
  }
}
