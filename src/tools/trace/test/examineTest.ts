import * as l10n from '@vscode/l10n';
import { samePath } from '../../../debugger/sourcePath';
import { adapterOf } from '../../../debugger/adapters/registry';
import type { ExceptionDetails } from '../../../debugger/inspection/exceptionDetails';
import { isLive, type SessionState } from '../../../debugger/state/state';
import { Failure } from '../../../results/failure';
import { exceptionOf } from '../../../results/views/stopException';
import type { StopEventData } from '../../../results/views/stopEventData';
import { reportStop } from '../../reports/runReport';
import type { Call, ToolServices } from '../../services';
import { stoppedFrames, type FailureFrame } from './failureFrames';
import type { TestPlan } from './planTest';
import { TestRun, type RunEnd, type StoppedAt, type StopRule } from './runTest';
import type { ReportedError, Seen, Watch } from './testFramework';
import {
  failedVerdict,
  failureView,
  isSame,
  outputView,
  ownPlace,
  testView,
  verdictOf,
  verdictSeen,
  type Verdict,
} from './testReport';

/** What a call says about how it runs. */
interface Wanted {
  readonly on_failure: 'report' | 'stay';
  readonly timeout_seconds: number;
}

export interface TestResult {
  readonly status: 'completed' | 'stopped' | 'timeout' | 'interrupted';
  readonly outcome?: string;
  readonly stop_event_data?: StopEventData;
  readonly [property: string]: unknown;
}

/**
 * Runs a test without the debugger, which tells at once how it ends; and, where it fails or hangs, again with it.
 * @throws Failure
 */
export async function examine(
  services: ToolServices,
  call: Call,
  plan: TestPlan,
  wanted: Wanted,
): Promise<TestResult> {
  return await new Examination(services, call, plan, wanted).run();
}

/** The answer where a test was not even built. */
export function notBuilt(plan: TestPlan, { message, data }: Failure): TestResult {
  return {
    status: 'completed',
    outcome: 'errored',
    ...testView(plan),
    message,
    ...('output' in data ? { output: data['output'] } : {}),
    program: 'ended',
  };
}

class Examination {
  private readonly deadline: number;
  private readonly half: number;

  constructor(
    private readonly services: ToolServices,
    private readonly call: Call,
    private readonly plan: TestPlan,
    private readonly wanted: Wanted,
  ) {
    const limitMs = Math.min(wanted.timeout_seconds, call.maxWaitSeconds) * 1000;
    this.deadline = performance.now() + limitMs;
    this.half = performance.now() + limitMs / 2;
  }

  async run(): Promise<TestResult> {
    const { watch } = this.plan.framework;
    if (watch !== undefined) return await this.watched(watch);
    this.call.progress?.(l10n.t('Running the test'));
    const first = new TestRun(this.services, this.call, this.plan);
    const end = await this.limited(first, this.half);
    if (end.kind === 'elsewhere') return await this.elsewhere(first, end);
    if (end.kind === 'failure') return await this.looking(first, () => this.crashed(first, end));
    if (end.kind === 'cancelled' || end.kind === 'lost') return interrupted();
    if (end.kind !== 'ended') return await this.again(undefined, []);
    if (end.isAborted) return interrupted();
    const verdict = verdictOf(end.report, this.plan);
    this.refuseMissing(verdict, end.output);
    const { outcome, test } = verdict;
    const isThrown = (outcome === 'failed' || outcome === 'errored') && test !== undefined;
    if (isThrown || (outcome === 'passed' && this.hasBreakpoints()))
      return await this.again(verdict, end.output);
    return await this.result(verdict, end.output);
  }

  /** It stopped by itself, though nothing was to stop it: a signal. */
  private async crashed(run: TestRun, at: StoppedAt): Promise<TestResult> {
    const exception = await this.exceptionAt(at.session, at.threadId);
    const verdict = failedVerdict(undefined, exception, this.plan);
    return await this.atFailure(run, at, verdict, run.printed());
  }

  /** Under the debugger. */
  private async again(
    before: Verdict | undefined,
    printed: readonly string[],
  ): Promise<TestResult> {
    this.call.progress?.(l10n.t('Running the test under the debugger'));
    const run = new TestRun(this.services, this.call, this.plan, this.ruleFor(before?.error));
    const end = await this.limited(run, this.deadline);
    switch (end.kind) {
      case 'failure':
        return await this.looking(run, () => this.atFailure(run, end, before, printed));
      case 'elsewhere':
        return await this.elsewhere(run, end);
      case 'timeout':
        return await this.looking(run, () => this.hanging(run));
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

  /** Once, under the debugger, by what the functions of the runner's library are called with. */
  private async watched(watch: Watch): Promise<TestResult> {
    this.call.progress?.(l10n.t('Running the test under the debugger'));
    const seen: Seen[] = [];
    const run = new TestRun(this.services, this.call, this.plan, {
      exceptions: { filters: [], conditions: {} },
      functions: watch.functions,
      isFailure: async (at, functionName) => {
        if (functionName === undefined) return true;
        const look = (expression: string): Promise<string | undefined> =>
          this.evaluate(at, expression);
        const now = await watch.see(functionName, look, await this.callersAt(at));
        if (now !== undefined) seen.push(now);
        return now?.kind === 'failed';
      },
    });
    let end: RunEnd;
    try {
      end = await this.limited(run, this.deadline);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'launch_failed') throw error;
      return notBuilt(this.plan, error);
    }
    switch (end.kind) {
      case 'failure':
        return await this.looking(run, async () => {
          const failed = seen.findLast((each) => each.kind === 'failed');
          const exception = await this.exceptionAt(end.session, end.threadId);
          const verdict = failedVerdict(failed, exception, this.plan);
          return await this.atFailure(run, end, verdict, run.printed());
        });
      case 'ended':
        return end.isAborted
          ? interrupted()
          : await this.result(verdictSeen(seen, this.plan), end.output);
      case 'elsewhere':
        return await this.elsewhere(run, end);
      case 'timeout':
        return await this.looking(run, () => this.hanging(run));
      default:
        return interrupted();
    }
  }

  private async evaluate(
    { session, threadId }: StoppedAt,
    expression: string,
  ): Promise<string | undefined> {
    const { inspector } = this.services;
    const place = inspector.placeOf(session, threadId);
    const { signal } = this.call;
    const top = await inspector.top(session, place, signal);
    if (top === undefined) return undefined;
    return await inspector
      .evaluate(session, place, top.id, expression, 'hover', signal)
      .then(({ value }) => value)
      .catch(() => undefined);
  }

  private async callersAt({ session, threadId }: StoppedAt): Promise<readonly string[]> {
    const { inspector } = this.services;
    const place = inspector.placeOf(session, threadId);
    const { frames } = await inspector.frames(session, place, 0, 20, this.call.signal);
    return frames.slice(1).map(({ name }) => name);
  }

  /** Whatever happens, a run that is over or failed leaves nothing behind. */
  private async limited(run: TestRun, deadline: number): Promise<RunEnd> {
    let end: RunEnd | undefined;
    try {
      end = await run.start({ deadline, signal: this.call.signal });
      return end;
    } finally {
      const isKept = end?.kind === 'failure' || end?.kind === 'elsewhere' || end?.kind === 'lost';
      const isLooking = end?.kind === 'timeout' && deadline === this.deadline;
      if (!isKept && !isLooking) await run.end();
      if (end?.kind === 'lost') await run.release();
    }
  }

  /** Looks at a run that has been kept for that. What goes wrong, such as a cancellation, ends it. */
  private async looking(run: TestRun, look: () => Promise<TestResult>): Promise<TestResult> {
    try {
      return await look();
    } catch (error) {
      await run.end();
      throw error;
    }
  }

  private ruleFor(error: ReportedError | undefined): StopRule {
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
    let calls = 0;
    return {
      exceptions: { filters: stops.filters ?? [], conditions: stops.conditions ?? {} },
      functions: error === undefined || failsIn === undefined ? [] : [failsIn],
      isFailure: async ({ session, threadId }, functionName) =>
        stopsItself ||
        (functionName !== undefined &&
          (calls += 1) >= (error?.occurrence ?? 1) &&
          (await this.isOnStack({ session, threadId }, place))) ||
        (functionName === undefined &&
          error !== undefined &&
          isSame(await this.exceptionAt(session, threadId), error)),
    };
  }

  /** Whether the place of a failure is on the stack; where none is known, any stack will do. */
  private async isOnStack(
    { session, threadId }: StoppedAt,
    place: { readonly path: string; readonly line: number } | undefined,
  ): Promise<boolean> {
    if (place === undefined) return true;
    const { inspector } = this.services;
    const at = inspector.placeOf(session, threadId);
    const { frames } = await inspector.frames(session, at, 0, MOST_FRAMES, this.call.signal);
    return frames.some(
      ({ path, line }) => path !== undefined && samePath(path, place.path) && line === place.line,
    );
  }

  private async exceptionAt(
    session: SessionState,
    threadId: number,
  ): Promise<ExceptionDetails | undefined> {
    const { inspector } = this.services;
    const place = inspector.placeOf(session, threadId);
    const told = await inspector.exception(session, place, this.call.signal).catch(() => undefined);
    return exceptionOf(place.stop, told, true);
  }

  private async atFailure(
    run: TestRun,
    stopped: StoppedAt,
    before: Verdict | undefined,
    printed: readonly string[],
  ): Promise<TestResult> {
    const { session, threadId } = stopped;
    const [frames, exception] = await Promise.all([
      this.framesAt(stopped),
      this.exceptionAt(session, threadId),
    ]);
    const verdict = before ?? { outcome: 'failed', test: undefined, error: undefined, others: {} };
    // The signal by which the runner stops itself says nothing of the failure.
    const isSignal = before?.error !== undefined && this.plan.framework.stopsItself === true;
    const result = await this.result(verdict, printed, frames, isSignal ? undefined : exception);
    if (this.wanted.on_failure === 'report') {
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
      ...(stop === undefined ? {} : { stop_event_data: stop }),
    };
  }

  private async framesAt({ session, threadId }: StoppedAt): Promise<readonly FailureFrame[]> {
    const { file, test } = this.plan;
    const { line: from = Infinity, endLine: to = 0 } = test;
    const isTest = (path: string, line: number): boolean =>
      samePath(path, file) && from <= line && line <= to;
    return await stoppedFrames(this.services, session, threadId, isTest, this.call.signal);
  }

  /** A stop that is the person's: the program stays there. */
  private async elsewhere(run: TestRun, { session, threadId }: StoppedAt): Promise<TestResult> {
    await run.release();
    const stop = await reportStop(this.services, this.call, session.key, threadId);
    return {
      status: 'stopped',
      ...testView(this.plan),
      ended_by: stop.stop_event_data?.reason === 'exception' ? 'exception' : 'breakpoint',
      program: 'stopped',
      session_id: session.id,
      message: l10n.t('The test is stopped at something else than its failure; it has not ended.'),
      ...(stop.stop_event_data === undefined ? {} : { stop_event_data: stop.stop_event_data }),
    };
  }

  /** The test has not ended in time: where it is. */
  private async hanging(run: TestRun): Promise<TestResult> {
    const paused = await this.pause(run);
    const frames = paused === undefined ? [] : await this.framesAt(paused);
    const output = outputView(undefined, this.own(run.printed()));
    const isKept = paused !== undefined && this.wanted.on_failure === 'stay';
    if (isKept) await run.release();
    else await run.end();
    return {
      status: isKept ? 'stopped' : 'timeout',
      outcome: 'timeout',
      ...testView(this.plan),
      ended_by: 'max_seconds',
      message:
        frames.length > 0
          ? l10n.t('The test has not ended in time; frames say where it is.')
          : l10n.t('The test has not ended in time. It runs no code: it waits for something.'),
      ...(frames.length === 0 ? {} : { frames }),
      ...output,
      program: isKept ? 'stopped' : 'ended',
      ...(isKept ? { session_id: paused.session.id } : {}),
      hint: 'Pass a longer timeout_seconds if the test takes long: half of it is for the run without the debugger.',
    };
  }

  private async pause(run: TestRun): Promise<StoppedAt | undefined> {
    const { inspector, control } = this.services;
    const limits = { deadline: performance.now() + MOST_OF_A_PAUSE_MS, signal: this.call.signal };
    for (const session of [...run.members].reverse().filter(isLive)) {
      const threads = await inspector.threads(session, this.call.signal).catch(() => []);
      const [thread] = threads;
      if (thread === undefined) continue;
      const outcome = await control.pause(session, thread.id, limits).catch(() => undefined);
      if (outcome?.kind !== 'stopped') continue;
      const now = this.services.model.state.sessions.get(outcome.sessionKey);
      return now === undefined
        ? undefined
        : { session: now, threadId: outcome.stop.threadId ?? thread.id };
    }
    return undefined;
  }

  private async result(
    verdict: Verdict,
    printed: readonly string[],
    frames?: readonly FailureFrame[],
    exception?: ExceptionDetails,
  ): Promise<TestResult> {
    const { outcome, test, error, others } = verdict;
    const isBad = outcome === 'failed' || outcome === 'errored';
    return {
      status: 'completed',
      outcome,
      ...testView(this.plan, test),
      ...(isBad ? await failureView(this.services, error, frames, exception) : {}),
      ...(test?.reason === undefined ? {} : { reason: test.reason }),
      // A file that does not load printed what the error says.
      ...outputView(test, error !== undefined && test === undefined ? [] : this.own(printed)),
      ...(test?.durationMs === undefined ? {} : { duration_ms: Math.round(test.durationMs) }),
      ...(Object.keys(others).length === 0 ? {} : { others }),
      program: 'ended',
    };
  }

  /** What a run printed, without what its runner did. */
  private own(printed: readonly string[]): readonly string[] {
    const { keepsOutput, ownOutput } = this.plan.framework;
    if (keepsOutput === true) return [];
    return ownOutput?.(printed) ?? printed;
  }

  private hasBreakpoints(): boolean {
    return this.services.host
      .breakpoints()
      .some(
        (each) =>
          each.enabled &&
          (each.logMessage ?? '') === '' &&
          (each.kind === 'function' || this.plan.framework.files.test(each.path)),
      );
  }

  /** @throws Failure `runner_not_installed` */
  private refuseMissing({ test }: Verdict, output: readonly string[]): void {
    if (test !== undefined) return;
    const missing = MISSING.map((each) => output.map((line) => each.exec(line)?.[1])).flat();
    const name = missing.find((each) => each !== undefined);
    if (name === undefined || !RUNNERS.has(name)) return;
    throw new Failure(
      'runner_not_installed',
      l10n.t('{0} is not installed in the environment that the debugger uses.', name),
      'Let the person choose the interpreter or install it there, or pass another framework.',
      { package: name },
    );
  }
}

/** How many frames lie between a failure and the function of the runtime at most. */
const MOST_FRAMES = 60;

/** How long a program may take to pause. */
const MOST_OF_A_PAUSE_MS = 3000;

const MISSING: readonly RegExp[] = [/No module named ['"]?([\w.]+)/];
const RUNNERS: ReadonlySet<string> = new Set(['pytest']);

function interrupted(): TestResult {
  return {
    status: 'interrupted',
    ended_by: 'person',
    message: l10n.t('The test was interrupted.'),
  };
}
