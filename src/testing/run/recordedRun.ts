import * as l10n from '@vscode/l10n';
import { isOwnFrame } from '../../debugger/inspection/foldedFrames';
import type { Frame } from '../../debugger/inspection/stackAndVariables';
import { samePath } from '../../debugger/sourcePath';
import { threadOfStop } from '../../debugger/state/state';
import { reportStop } from '../../tools/reports/runReport';
import type { Call, ToolServices } from '../../tools/services';
import { defined } from '../../util/defined';
import type { TestPlan } from '../planTest';
import { interrupted, stayed, stoppedElsewhere, testResult, timedOut } from '../report/testResult';
import type { TestResult } from '../report/testResult';
import { isThrown, verdictOf, withExit, withSkipped, type Verdict } from '../report/verdict';
import type { RunRecorder } from '../testFramework';
import type { FailureFrame } from './failureFrames';
import { TestRun, type RunEnd, type StoppedAt } from './runTest';
import { StopReader } from './stopReader';

/** The maximum number of frames among which the place of a failure is searched. */
const MAX_FRAMES = 60;
/** The maximum number of threads that are searched for the test. */
const MAX_THREADS = 64;

type Stay = Parameters<RunRecorder['configure']>[2];

/**
 * Runs a test once under the debugger. A script in the debugger records its failures, and the report of the runner says
 * which of them is the failure of the test. A test that is to stay stopped at a failure that is known only afterwards,
 * such as an exception that nothing caught, runs a second time.
 */
export class RecordedTest {
  private readonly stops: StopReader;

  constructor(
    private readonly services: ToolServices,
    private readonly call: Call,
    private readonly plan: TestPlan,
    private readonly recorder: RunRecorder,
    private readonly isStaying: boolean,
    private readonly deadline: number,
  ) {
    this.stops = new StopReader(services, plan, call.signal);
  }

  async run(): Promise<TestResult> {
    if (!this.isStaying) return await this.once(undefined);
    let known: Verdict | undefined;
    const first = await this.once('first', (verdict) => (known = verdict));
    if (first.status !== 'completed' || known === undefined || !isThrown(known)) return first;
    const { stopAt } = known.error ?? {};
    if (stopAt === undefined) return { ...first, not_stayed: 'no_place_known' };
    return await this.again(stopAt, known);
  }

  /** Runs the test again, up to the place of the failure that a run before has shown. */
  private async again(stopAt: string, known: Verdict): Promise<TestResult> {
    let now: Verdict | undefined;
    const result = await this.once({ stopAt }, (verdict) => (now = verdict), known);
    if (result.status !== 'completed') return result;
    const isFlaky = now !== undefined && now.outcome !== known.outcome;
    return {
      ...(await testResult(this.services, this.plan, known, [])),
      ...(isFlaky ? { flaky: true, second_outcome: result.outcome } : {}),
      not_stayed: 'not_reached_again',
    };
  }

  /**
   * @param onVerdict receives the verdict of a run that ended
   * @param known the verdict of an earlier run
   */
  private async once(
    stay: Stay,
    onVerdict?: (verdict: Verdict) => void,
    known?: Verdict,
  ): Promise<TestResult> {
    this.call.progress?.(l10n.t('Running the test under the debugger'));
    const run: TestRun = new TestRun(this.services, this.call, this.recorded(stay), {
      exceptions: { filters: [], conditions: {} },
      functions: [],
      isReported: true,
      isFailure: async () => (await run.report([])).isStopping === true,
    });
    let isKept = false;
    try {
      const end = await run.start({ deadline: this.deadline, signal: this.call.signal });
      if (end.kind === 'ended' && !end.isAborted) return await this.ended(end, onVerdict);
      const result = await this.stopped(run, end, known);
      isKept = result.status === 'stopped' || end.kind === 'lost';
      return result;
    } finally {
      if (isKept) await run.release();
      else await run.end();
    }
  }

  private async stopped(
    run: TestRun,
    end: RunEnd,
    known: Verdict | undefined,
  ): Promise<TestResult> {
    switch (end.kind) {
      case 'failure':
        return await this.atFailure(run, end, known);
      case 'elsewhere':
        return await this.atOtherStop(run, end);
      case 'timeout':
        return await this.atTimeout(run);
      default:
        return interrupted();
    }
  }

  /** Returns the plan whose debugger records the failures. */
  private recorded(stay: Stay): TestPlan {
    const { start, test } = this.plan;
    const launches = start.launches.map((launch) => ({
      ...launch,
      configuration: this.recorder.configure(launch.configuration, test, stay),
    }));
    return { ...this.plan, start: { ...start, launches } };
  }

  private async ended(
    { report, exitCode, output }: RunEnd & { readonly kind: 'ended' },
    onVerdict?: (verdict: Verdict) => void,
  ): Promise<TestResult> {
    const reported = withExit(verdictOf(report, this.plan), exitCode);
    const verdict = this.placed(withSkipped(reported, this.plan.test));
    onVerdict?.(verdict);
    const result = await testResult(this.services, this.plan, verdict, output);
    return { ...result, ...defined({ tool_failure: report.toolFailure }) };
  }

  /** A failure without a place, such as an error that a test returned, is at least one of the test. */
  private placed(verdict: Verdict): Verdict {
    const { file, test } = this.plan;
    const { error } = verdict;
    const isPlaced = error?.place !== undefined || (error?.frames ?? []).length > 0;
    if (error === undefined || isPlaced || !isThrown(verdict) || test.line === undefined)
      return verdict;
    const place = { path: file, line: test.line };
    const note = 'The origin of this error is unknown: at is the test itself.';
    return { ...verdict, error: { ...error, place, notes: [...(error.notes ?? []), note] } };
  }

  /** Returns the result for the failure at which the program stays. */
  private async atFailure(
    run: TestRun,
    stopped: StoppedAt,
    known: Verdict | undefined,
  ): Promise<TestResult> {
    const printed = run.printed();
    const report = await run.report(printed);
    const verdict = known ?? verdictOf(report, this.plan);
    const { stopAt } = verdict.error ?? {};
    if (known === undefined && stopAt !== undefined && stopAt !== report.stoppingAt) {
      // The origin of the failure was elsewhere, such as in another thread.
      await run.end();
      return await this.again(stopAt, verdict);
    }
    const result = await testResult(this.services, this.plan, verdict, printed);
    await run.release();
    await this.prefer(stopped, result['at']);
    const { session, threadId } = stopped;
    const stop = await reportStop(this.services, this.call, session.key, threadId);
    return stayed(result, session, stop.stop_event_data);
  }

  /** Lets calls without a frame act on the frame that the answer names. */
  private async prefer({ session, threadId }: StoppedAt, at: unknown): Promise<void> {
    const { inspector, stops } = this.services;
    const { file_path: file, line_number: line } = (at ?? {}) as Partial<Record<string, unknown>>;
    const place = inspector.placeOf(session, threadId);
    const { frames } = await inspector.frames(session, place, 0, MAX_FRAMES, this.call.signal);
    const named = frames.find(
      (frame) =>
        typeof file === 'string' && samePath(frame.path ?? '', file) && frame.line === line,
    );
    const isOfPerson = (each: Frame): boolean =>
      isOwnFrame(each, stops.isOwn) &&
      !this.recorder.isRunner({ name: each.name, path: each.path ?? '' });
    const frame = named ?? frames.find(isOfPerson);
    if (frame !== undefined) inspector.prefer(place, frame);
  }

  /** Returns the result for a stop at one of the person's breakpoints. The program stays there. */
  private async atOtherStop(run: TestRun, { session, threadId }: StoppedAt): Promise<TestResult> {
    await run.release();
    const stop = await reportStop(this.services, this.call, session.key, threadId);
    return stoppedElsewhere(this.plan, session, stop.stop_event_data);
  }

  /** Returns the result of a test that did not end in time, with its current place. */
  private async atTimeout(run: TestRun): Promise<TestResult> {
    // The lease of the run would refuse the pause.
    await run.release();
    const paused = await this.stops.pause(run.members);
    const frames = paused === undefined ? [] : await this.framesOfTest(paused);
    const printed = run.printed();
    return timedOut(this.plan, frames, printed, this.isStaying ? paused?.session : undefined);
  }

  /** Returns the frames of the thread that runs the test. The paused one may be that of the runner, which waits for it. */
  private async framesOfTest({ session, threadId }: StoppedAt): Promise<readonly FailureFrame[]> {
    const { inspector, model, stops } = this.services;
    // The threads that were reported before are those of the start.
    await inspector.send(session, 'threads', {}, this.call.signal).catch(() => undefined);
    const now = model.state.sessions.get(session.key) ?? session;
    const ids = [threadId, threadOfStop(now) ?? threadId, ...now.threads.keys()];
    for (const id of [...new Set(ids)].slice(0, MAX_THREADS)) {
      const frames = await this.stops.frames({ session: now, threadId: id }).catch(() => []);
      const isOfTest = frames.some(
        ({ file_path: file, function_name: name }) =>
          file !== undefined && stops.isOwn(file) && !/(?:^|::)main(?:\(|$)/.test(name),
      );
      if (isOfTest) return frames;
    }
    return [];
  }
}
