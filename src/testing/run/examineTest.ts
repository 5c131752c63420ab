import * as l10n from '@vscode/l10n';
import { adapterOf } from '../../debugger/adapters/registry';
import type { ExceptionChoice } from '../../debugger/breakpoints/exceptionBreakpoints';
import type { Fields } from '../../debugger/protocol';
import { Failure } from '../../results/failure';
import type { Call, ToolServices } from '../../tools/services';
import { checkRunnerInstalled } from '../report/missingRunner';
import { withVariables, type TestPlan } from '../planTest';
import { TestRun, type RunEnd, type StoppedAt } from './runTest';
import { reportedFrames } from './failureFrames';
import { runByEditor } from './editorRun';
import { informed } from './informed';
import { ObservedTest } from './observedRun';
import { RecordedTest } from './recordedRun';
import { RunResults } from './runResults';
import { StopReader } from './stopReader';
import { StopRules } from './stopRules';
import type { LibraryObserver } from '../libraryObserver';
import type { RunRecorder } from '../testFramework';
import {
  finishedVerdict,
  isBad,
  isThrown,
  verdictOf,
  withExit,
  withSkipped,
  type Verdict,
} from '../report/verdict';
import {
  interrupted,
  notBuilt,
  testResult,
  timedOut,
  withoutEnd,
  type TestResult,
} from '../report/testResult';

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
  private readonly runs: RunResults;

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
    const isStaying = options.on_failure === 'stay';
    this.runs = new RunResults(services, call, plan, this.stops, isStaying, this.deadline);
  }

  async run(): Promise<TestResult> {
    const { observer, runsOnce, staysBy, staysWhere, startsByEditor } = this.plan.framework;
    const { recorder } = this.plan;
    if (startsByEditor === true)
      return await runByEditor(this.services, this.call, this.plan, this.runs, this.deadline);
    if (recorder !== undefined) return await this.recorded(recorder).run();
    if (observer !== undefined) return await this.runObserved(observer);
    if (runsOnce === true && this.options.on_failure === 'report') return await this.runOnce();
    if (staysBy !== undefined) return await this.runToStay({ filters: staysBy, conditions: {} });
    if (staysWhere !== undefined) return await this.runThenStay(staysWhere);
    this.call.progress?.(l10n.t('Running the test'));
    const first = new TestRun(this.services, this.call, this.plan);
    const end = await this.runs.start(first, this.quickDeadline);
    if (end.kind === 'elsewhere') return await this.runs.atOtherStop(first, end);
    if (end.kind === 'failure')
      return await this.runs.inspect(first, () => this.runs.atUnexpectedStop(first, end));
    if (end.kind === 'cancelled' || end.kind === 'lost') return interrupted();
    if (end.kind !== 'ended') {
      const output = first.printed();
      const verdict = finishedVerdict(await first.report(output), this.plan);
      if (verdict === undefined || isThrown(verdict))
        return await this.runDebugged(verdict, verdict === undefined ? [] : output, true);
      return withoutEnd(await this.runs.result(verdict, output));
    }
    if (end.isAborted) return interrupted();
    const reported = withExit(verdictOf(end.report, this.plan), end.exitCode);
    checkRunnerInstalled(reported, end.output);
    const verdict = withSkipped(reported, this.plan.test);
    if (isThrown(verdict) || (verdict.outcome === 'passed' && this.hasBreakpoints()))
      return await this.runDebugged(verdict, end.output);
    return await this.runs.result(verdict, end.output);
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
    const end = await this.runs.start(run, this.deadline);
    switch (end.kind) {
      case 'failure':
        return await this.runs.inspect(run, () => this.runs.atFailure(run, end, before, printed));
      case 'elsewhere':
        return await this.runs.atOtherStop(run, end);
      case 'timeout':
        if (before === undefined || !isOpen)
          return await this.runs.inspect(run, () => this.runs.atTimeout(run));
        await run.end();
        return withoutEnd(await this.runs.result(before, printed));
      case 'ended': {
        if (end.isAborted) return interrupted();
        const now = verdictOf(end.report, this.plan);
        if (before === undefined || now.outcome === before.outcome)
          return await this.runs.result(now, end.output);
        const first = await this.runs.result(before, printed);
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
    const end = await this.runs.start(run, this.deadline);
    switch (end.kind) {
      case 'ended':
        return end.isAborted ? interrupted() : await this.ended(end);
      case 'timeout': {
        const output = run.printed();
        const report = await run.report(output);
        await run.end();
        const verdict = finishedVerdict(report, this.plan);
        if (verdict !== undefined) return withoutEnd(await this.runs.result(verdict, output));
        const frames = await reportedFrames(this.services, report.hanging ?? []);
        return timedOut(this.plan, frames, output, undefined);
      }
      case 'failure':
      case 'elsewhere':
        return await this.runs.atOtherStop(run, end);
      default:
        return interrupted();
    }
  }

  /**
   * Creates a run without the debugger. Its reporter knows the time limit.
   * @param isForStay whether a second run is to stop at the failure, so that no exception may be passed over
   */
  private plainRun(deadline: number, isForStay = false): TestRun {
    const seconds = (deadline - performance.now()) / 1000;
    const plan = informed(this.plan, seconds);
    const variables = isForStay ? { AGENT_DEBUGGER_STAY: '1' } : {};
    return new TestRun(this.services, this.call, withVariables(plan, variables));
  }

  /** Returns the result of a run that ended by itself. */
  private async ended(end: RunEnd & { readonly kind: 'ended' }): Promise<TestResult> {
    const verdict = this.endedVerdict(end);
    return await this.runs.result(verdict, end.output);
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
    const run = this.plainRun(this.quickDeadline, true);
    const end = await this.runs.start(run, this.quickDeadline);
    if (end.kind === 'timeout') return await this.runDebugged(undefined, [], true);
    if (end.kind !== 'ended' || end.isAborted) return interrupted();
    const verdict = this.endedVerdict(end);
    const { stopAt } = verdict.error ?? {};
    const result = await this.runs.result(verdict, end.output);
    if (!isBad(verdict)) return result;
    if (stopAt === undefined) return { ...result, not_stayed: reasonNotStayed(verdict) };
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
    const end = await this.runs.start(run, this.deadline);
    switch (end.kind) {
      case 'failure':
        return await this.runs.inspect(run, async () => {
          const verdict = known ?? verdictOf(await run.report([]), this.plan);
          return await this.runs.atFailure(run, end, verdict, run.printed());
        });
      case 'elsewhere':
        return await this.runs.atOtherStop(run, end);
      case 'timeout':
        return await this.runs.inspect(run, () => this.runs.atTimeout(run));
      case 'ended':
        return end.isAborted ? interrupted() : await this.notStayed(end, known);
      default:
        return interrupted();
    }
  }

  /** Returns the result of a run that has ended, although it was to stop at the failure. */
  private async notStayed(
    end: RunEnd & { readonly kind: 'ended' },
    known: Verdict | undefined,
  ): Promise<TestResult> {
    const verdict = this.endedVerdict(end);
    const result = await this.runs.result(verdict, end.output);
    if (!isBad(verdict) || known !== undefined) return result;
    return { ...result, not_stayed: reasonNotStayed(verdict) };
  }

  /** Runs the test once, under the debugger, and observes it by stops in the functions of its test library. */
  private async runObserved(observer: LibraryObserver): Promise<TestResult> {
    this.call.progress?.(l10n.t('Running the test under the debugger'));
    const observed = new ObservedTest(this.services, this.plan, this.stops, observer);
    const run = new TestRun(this.services, this.call, this.plan, observed.rule);
    let end: RunEnd;
    try {
      end = await this.runs.start(run, this.deadline);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'launch_failed') throw error;
      return notBuilt(this.plan, error);
    }
    switch (end.kind) {
      case 'failure':
        return await this.runs.inspect(run, () => this.atObserved(run, end, observed));
      case 'ended':
        if (end.isAborted) return interrupted();
        return await this.runs.result(observed.verdict(end.output, end.exitCode), end.output);
      case 'elsewhere':
        return await this.runs.atOtherStop(run, end);
      case 'timeout':
        return await this.runs.inspect(run, async () => {
          if (!observed.hasEnded) return await this.runs.atTimeout(run);
          const output = run.printed();
          await run.end();
          return withoutEnd(await this.runs.result(observed.verdict(output, undefined), output));
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
      return await this.runs.atFailure(run, at, observed.verdict([], undefined), run.printed());
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

/** Why a run under the debugger does not stop at a failure that the reporter has not seen thrown. */
function reasonNotStayed({ error, test, toolFailure }: Verdict): string {
  if (toolFailure !== undefined) return 'tool_failure';
  if (error?.isExit === true) return 'process_ended';
  return error?.withoutValues ?? (test === undefined ? 'outside_test' : 'never_thrown');
}
