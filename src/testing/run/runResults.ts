import { reportStop } from '../../tools/reports/runReport';
import type { Call, ToolServices } from '../../tools/services';
import { defined } from '../../util/defined';
import { timeLimit } from '../../util/timeLimit';
import { unlessAborted } from '../../util/unlessAborted';
import type { TestPlan } from '../planTest';
import {
  stayed,
  stoppedElsewhere,
  testResult,
  timedOut,
  type TestResult,
} from '../report/testResult';
import { ownPlace } from '../report/testReport';
import { failedVerdict, type Verdict } from '../report/verdict';
import type { FailureFrame } from './failureFrames';
import type { RunEnd, StoppedAt, TestRun } from './runTest';
import type { StopReader } from './stopReader';

/** The time that looking at a run may take after its time limit, in milliseconds. Then its processes are ended. */
const LOOK_LIMIT_MS = 6000;

/** The place of a run that did not end in time. */
interface PausedAt {
  /** Undefined if the run could not be paused. */
  readonly paused?: StoppedAt;
  readonly frames: readonly FailureFrame[];
  readonly waitsFor?: string | undefined;
}

/** Starts the runs of a test, and makes the results for what ended them. It leaves or ends each run. */
export class RunResults {
  constructor(
    private readonly services: ToolServices,
    private readonly call: Call,
    private readonly plan: TestPlan,
    private readonly stops: StopReader,
    private readonly isStaying: boolean,
    /** The end of the call's time, by `performance.now()`. */
    private readonly deadline: number,
  ) {}

  /** Starts a run and waits for its end. If there is nothing to inspect afterwards, the run is removed completely. */
  async start(run: TestRun, deadline: number): Promise<RunEnd> {
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
  async inspect(run: TestRun, read: () => Promise<TestResult>): Promise<TestResult> {
    try {
      return await read();
    } catch (error) {
      await run.end();
      throw error;
    }
  }

  /** Returns the result for a stop that no report describes yet, such as a signal. */
  async atUnexpectedStop(run: TestRun, stopped: StoppedAt): Promise<TestResult> {
    const exception = await this.stops.exception(stopped);
    const verdict = failedVerdict(exception, this.plan);
    return await this.atFailure(run, stopped, verdict, run.printed());
  }

  async atFailure(
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
    if (!this.isStaying) {
      await run.finish(stopped, this.deadline);
      return result;
    }
    await run.release(true);
    await this.stops.preferOwnFrame(stopped, ownPlace(this.services, verdict.error));
    const { stop_event_data: stop } = await reportStop(
      this.services,
      this.call,
      session.key,
      threadId,
    );
    return stayed(result, session, stop);
  }

  /** Returns the result for a stop at one of the person's breakpoints. The program stays there. */
  async atOtherStop(run: TestRun, { session, threadId }: StoppedAt): Promise<TestResult> {
    await run.release();
    const stop = await reportStop(this.services, this.call, session.key, threadId);
    return stoppedElsewhere(this.plan, session, stop.stop_event_data);
  }

  /** Returns the result of a test that did not end in time, with its current place. */
  async atTimeout(run: TestRun): Promise<TestResult> {
    const { paused, frames, waitsFor } = await unlessAborted(
      this.pausedAt(run),
      timeLimit(LOOK_LIMIT_MS),
      (): PausedAt => ({ frames: [] }),
    );
    const printed = run.printed();
    if (paused === undefined || !this.isStaying) {
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

  /** Pauses a run that did not end in time. If a test blocks in a system call, its debugger may answer no request. */
  private async pausedAt(run: TestRun): Promise<PausedAt> {
    // The run's own lease would refuse the pause.
    await run.release();
    const paused = await this.stops.pause(run.members);
    if (paused === undefined) return { frames: [] };
    const frames = await this.stops.frames(paused);
    return { paused, frames, waitsFor: await this.stops.waitsFor(paused) };
  }

  async result(verdict: Verdict, printed: readonly string[]): Promise<TestResult> {
    return await testResult(this.services, this.plan, verdict, printed);
  }
}
