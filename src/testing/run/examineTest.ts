import * as l10n from '@vscode/l10n';
import { adapterOf } from '../../debugger/adapters/registry';
import type { ExceptionChoice } from '../../debugger/breakpoints/exceptionBreakpoints';
import type { Fields } from '../../debugger/protocol';
import { Failure } from '../../results/failure';
import { defined } from '../../util/defined';
import { reportStop } from '../../tools/reports/runReport';
import type { Call, ToolServices } from '../../tools/services';
import { checkRunnerInstalled } from '../report/missingRunner';
import { withVariables, type TestPlan } from '../planTest';
import { TestRun, type RunEnd, type StoppedAt } from './runTest';
import { reportedFrames } from './failureFrames';
import { informed } from './informed';
import { ObservedTest } from './observedRun';
import { RecordedTest } from './recordedRun';
import { StopReader } from './stopReader';
import { StopRules } from './stopRules';
import type { SessionState } from '../../debugger/state/state';
import type { LibraryObserver, RunRecorder } from '../testFramework';
import {
  endVerdict,
  failedVerdict,
  finishedVerdict,
  isThrown,
  verdictOf,
  withExit,
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
    const { observer, runsOnce, staysBy, staysWhere, startsByEditor } = this.plan.framework;
    const { recorder } = this.plan;
    if (startsByEditor === true) return await this.runByEditor();
    if (recorder !== undefined) return await this.recorded(recorder).run();
    if (observer !== undefined) return await this.runObserved(observer);
    if (runsOnce === true && this.options.on_failure === 'report') return await this.runOnce();
    if (staysBy !== undefined) return await this.runToStay({ filters: staysBy, conditions: {} });
    if (staysWhere !== undefined) return await this.runThenStay(staysWhere);
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
   */
  private async runDebugged(
    before: Verdict | undefined,
    printed: readonly string[],
    isOpen = false,
  ): Promise<TestResult> {
    this.call.progress?.(l10n.t('Running the test under the debugger'));
    const rule = this.rules.forError(before?.error);
    const run = new TestRun(this.services, this.call, this.plan, rule);
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
        if (before === undefined || now.outcome === before.outcome)
          return await this.result(now, end.output);
        const first = await this.result(before, printed);
        return { ...first, flaky: true, second_outcome: now.outcome };
      }
      default:
        return interrupted();
    }
  }

  private recorded(recorder: RunRecorder): RecordedTest {
    const isStaying = this.options.on_failure === 'stay';
    const { services, call, plan, deadline } = this;
    return new RecordedTest(services, call, plan, recorder, isStaying, deadline);
  }

  /** Runs the test once, without the debugger. The reporter in the program reads the failure with its values. */
  private async runOnce(): Promise<TestResult> {
    this.call.progress?.(l10n.t('Running the test'));
    const run = this.plainRun(this.deadline);
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

  /** Creates a run without the debugger. Its reporter knows the time limit. */
  private plainRun(deadline: number): TestRun {
    const seconds = (deadline - performance.now()) / 1000;
    return new TestRun(this.services, this.call, informed(this.plan, seconds));
  }

  /** Returns the result of a run that ended by itself. */
  private async ended(end: RunEnd & { readonly kind: 'ended' }): Promise<TestResult> {
    const verdict = this.endedVerdict(end);
    return await this.result(verdict, end.output);
  }

  private endedVerdict(end: RunEnd & { readonly kind: 'ended' }): Verdict {
    const reported = withExit(verdictOf(end.report, this.plan), end.exitCode);
    checkRunnerInstalled(reported, end.output);
    return withSkipped(reported, this.plan.test);
  }

  /**
   * Runs the test without the debugger, so that it is known which exception is the failure, and then again to stop at
   * that exception.
   */
  private async runThenStay(condition: string): Promise<TestResult> {
    this.call.progress?.(l10n.t('Running the test'));
    const end = await this.start(this.plainRun(this.quickDeadline), this.quickDeadline);
    if (end.kind === 'timeout') return await this.runDebugged(undefined, [], true);
    if (end.kind !== 'ended' || end.isAborted) return interrupted();
    const verdict = this.endedVerdict(end);
    const { stopAt, withoutValues } = verdict.error ?? {};
    const result = await this.result(verdict, end.output);
    if (!isThrown(verdict)) return result;
    if (stopAt === undefined) return { ...result, not_stayed: withoutValues ?? 'never_thrown' };
    const variables = { AGENT_DEBUGGER_STOP: stopAt };
    const again = await this.runToStay(this.exceptionsWhere(condition), variables, verdict);
    if (again.status !== 'completed') return again;
    const isFlaky = again.outcome !== result.outcome;
    return {
      ...result,
      ...(isFlaky ? { flaky: true, second_outcome: again.outcome } : {}),
      not_stayed: 'not_thrown_again',
    };
  }

  private exceptionsWhere(condition: string): ExceptionChoice {
    const [launch] = this.plan.start.launches;
    const stops = adapterOf(launch?.type ?? '').stopsWhere?.(condition);
    return { filters: stops?.filters ?? [], conditions: stops?.conditions ?? {} };
  }

  /**
   * Runs the test once, under the debugger. The reporter in the program stops it at the failure itself.
   * @param variables further variables of the environment
   * @param known the verdict about the test. Default: the reporter tells it before it stops the program.
   */
  private async runToStay(
    exceptions: ExceptionChoice,
    variables: Fields = {},
    known?: Verdict,
  ): Promise<TestResult> {
    this.call.progress?.(l10n.t('Running the test under the debugger'));
    const plan = withVariables(informed(this.plan, 0, true), variables);
    const run: TestRun = new TestRun(this.services, this.call, plan, {
      exceptions,
      functions: [],
      isFailure: async () => (await run.report([])).isStopping === true,
    });
    const end = await this.start(run, this.deadline);
    switch (end.kind) {
      case 'failure':
        return await this.inspect(run, async () => {
          const verdict = known ?? verdictOf(await run.report([]), this.plan);
          return await this.atFailure(run, end, verdict, run.printed());
        });
      case 'elsewhere':
        return await this.atOtherStop(run, end);
      case 'timeout':
        return await this.inspect(run, () => this.atTimeout(run));
      case 'ended':
        return end.isAborted ? interrupted() : await this.notStayed(end, known);
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

  /** Returns the result of a run that has ended, although it was to stop at the failure. */
  private async notStayed(
    end: RunEnd & { readonly kind: 'ended' },
    known: Verdict | undefined,
  ): Promise<TestResult> {
    const verdict = this.endedVerdict(end);
    const result = await this.result(verdict, end.output);
    const isBad = verdict.outcome === 'failed' || verdict.outcome === 'errored';
    if (!isBad || known !== undefined) return result;
    const { error, toolFailure } = verdict;
    const reason = error?.isExit === true ? 'process_ended' : 'never_thrown';
    return { ...result, not_stayed: toolFailure === undefined ? reason : 'tool_failure' };
  }

  /** Runs the test once, under the debugger, and observes it by stops in the functions of its test library. */
  private async runObserved(observer: LibraryObserver): Promise<TestResult> {
    this.call.progress?.(l10n.t('Running the test under the debugger'));
    const observed = new ObservedTest(this.services, this.plan, this.stops, observer);
    const run = new TestRun(this.services, this.call, this.plan, observed.rule);
    let end: RunEnd;
    try {
      end = await this.start(run, this.deadline);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'launch_failed') throw error;
      return notBuilt(this.plan, error);
    }
    switch (end.kind) {
      case 'failure':
        return await this.inspect(run, () => this.atObserved(run, end, observed));
      case 'ended':
        if (end.isAborted) return interrupted();
        return await this.result(observed.verdict(end.output, end.exitCode), end.output);
      case 'elsewhere':
        return await this.atOtherStop(run, end);
      case 'timeout':
        return await this.inspect(run, async () => {
          if (!observed.hasEnded) return await this.atTimeout(run);
          const output = run.printed();
          await run.end();
          return withoutEnd(await this.result(observed.verdict(output, undefined), output));
        });
      default:
        return interrupted();
    }
  }

  /** Returns the result for an observed failure. Unless the program is to stay there, the run goes on to its end. */
  private async atObserved(
    run: TestRun,
    stopped: StoppedAt,
    observed: ObservedTest,
  ): Promise<TestResult> {
    const at = await this.stops.whereOwn(stopped);
    if (this.options.on_failure === 'stay')
      return await this.atFailure(run, at, observed.verdict([], undefined), run.printed());
    const frames = await this.stops.frames(at);
    try {
      await observed.countLater(at, this.call.signal);
      const end = await run.goOn(at, { deadline: this.deadline, signal: this.call.signal });
      const printed = end?.kind === 'ended' ? end.output : run.printed();
      const verdict = observed.verdict(printed, undefined);
      return await testResult(this.services, this.plan, verdict, printed, { frames });
    } finally {
      await observed.dispose();
      await run.end();
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

  /** Returns the result for a stop that no report describes yet, such as a signal. */
  private async atUnexpectedStop(run: TestRun, stopped: StoppedAt): Promise<TestResult> {
    const exception = await this.stops.exception(stopped);
    const verdict = failedVerdict(exception, this.plan);
    return await this.atFailure(run, stopped, verdict, run.printed());
  }

  private async atFailure(
    run: TestRun,
    stopped: StoppedAt,
    before: Verdict | undefined,
    printed: readonly string[],
  ): Promise<TestResult> {
    const { session, threadId } = stopped;
    const isRead = before?.error?.frames.some(({ variables }) => variables !== undefined) === true;
    const [frames, exception] = await Promise.all([
      // The reporter in the program has read the values already, at the exception.
      isRead ? [] : this.stops.frames(stopped),
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
    await this.stops.preferOwnFrame(stopped);
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
    // The run's own lease would refuse the pause.
    await run.release();
    const paused = await this.stops.pause(run.members);
    const frames = paused === undefined ? [] : await this.stops.frames(paused);
    const waitsFor = paused === undefined ? undefined : await this.stops.waitsFor(paused);
    const printed = run.printed();
    if (paused === undefined || this.options.on_failure !== 'stay') {
      await run.end();
      return {
        ...timedOut(this.plan, frames, printed, undefined),
        ...defined({ waits_for: waitsFor }),
      };
    }
    await this.stops.preferOwnFrame(paused);
    const { session, threadId } = paused;
    const { stop_event_data: stop } = await reportStop(
      this.services,
      this.call,
      session.key,
      threadId,
    );
    const result = timedOut(this.plan, frames, printed, session);
    return { ...result, ...defined({ waits_for: waitsFor, stop_event_data: stop }) };
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
