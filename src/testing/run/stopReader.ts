import { FRAMES_OF_A_STOP } from '../../debugger/inspection/framePage';
import type { Frame } from '../../debugger/inspection/stackAndVariables';
import { samePath } from '../../debugger/sourcePath';
import { isOwnFrame } from '../../debugger/inspection/foldedFrames';
import type { ExceptionDetails } from '../../debugger/inspection/exceptionDetails';
import { isLive, threadOfStop, type SessionState } from '../../debugger/state/state';
import { exceptionOf } from '../../results/views/stopException';
import type { ToolServices } from '../../tools/services';
import { stoppedFrames, type FailureFrame } from './failureFrames';
import type { TestPlan } from '../planTest';
import type { ObservedStop } from '../libraryObserver';
import type { StoppedAt } from './runTest';
import { timeLimit } from '../../util/timeLimit';

/** The maximum number of frames between a failure and the function of the runtime in which it ends. */
const MAX_FRAMES = 60;
/** The time that a program may take to pause, also on a busy machine. A program in native code may not pause at all. */
const PAUSE_LIMIT_MS = 8000;

/** Reads the stops of a test: frames, exceptions and values. */
export class StopReader {
  constructor(
    private readonly services: ToolServices,
    private readonly plan: TestPlan,
    private readonly signal: AbortSignal,
  ) {}

  private async evaluateIn(
    { session, threadId }: StoppedAt,
    frameId: number | undefined,
    expression: string,
  ): Promise<string | undefined> {
    const { inspector } = this.services;
    const place = inspector.placeOf(session, threadId);
    if (frameId === undefined) return undefined;
    return await inspector
      .evaluate(session, place, frameId, expression, 'hover', this.signal)
      .then(({ value }) => value)
      .catch(() => undefined);
  }

  /** Returns a stop as an observer reads it. */
  async observed(at: StoppedAt, functionName: string | undefined): Promise<ObservedStop> {
    const { session } = at;
    // The frames that the report of a stop reads are already cached. At an exception, the test may be far below.
    const count = functionName === undefined ? MAX_FRAMES : FRAMES_OF_A_STOP;
    const [frames, exception] = await Promise.all([
      this.framesOf(session, at.threadId, count),
      functionName === undefined ? this.exception(at) : undefined,
    ]);
    const [top] = frames;
    return {
      functionName,
      frames,
      exception,
      evaluate: async (expression, frame = top) => await this.evaluateIn(at, frame?.id, expression),
      framesOf: async (threadId) => await this.framesOf(session, threadId, MAX_FRAMES),
      threads: async () => [
        ...(await withThreads(this.services, session, this.signal)).threads.keys(),
      ],
    };
  }

  private async framesOf(
    session: SessionState,
    threadId: number,
    count: number,
  ): Promise<readonly Frame[]> {
    const { inspector, model } = this.services;
    const known = model.state.sessions.get(session.key) ?? session;
    const now = known.threads.has(threadId)
      ? known
      : await withThreads(this.services, known, this.signal);
    const place = inspector.placeOf(now, threadId);
    const { frames } = await inspector.frames(now, place, 0, count, this.signal);
    return frames.filter(({ isLabel }) => !isLabel);
  }

  /** Whether the place of a failure is on the stack. Without a place, any stack is accepted. */
  async isOnStack(
    { session, threadId }: StoppedAt,
    place: { readonly path: string; readonly line: number } | undefined,
  ): Promise<boolean> {
    if (place === undefined) return true;
    const { inspector } = this.services;
    const at = inspector.placeOf(session, threadId);
    const { frames } = await inspector.frames(session, at, 0, MAX_FRAMES, this.signal);
    return frames.some(
      ({ path, line }) => path !== undefined && samePath(path, place.path) && line === place.line,
    );
  }

  /** Whether the innermost frame in the person's own code is at a place. */
  async isInnermost(
    { session, threadId }: StoppedAt,
    place: { readonly path: string; readonly line: number } | undefined,
  ): Promise<boolean> {
    const { inspector, stops } = this.services;
    const at = inspector.placeOf(session, threadId);
    const { frames } = await inspector.frames(session, at, 0, MAX_FRAMES, this.signal);
    const own = frames.find(({ path }) => path !== undefined && stops.isOwn(path));
    return samePath(own?.path ?? '', place?.path ?? '') && own?.line === place?.line;
  }

  async exception({ session, threadId }: StoppedAt): Promise<ExceptionDetails | undefined> {
    const { inspector } = this.services;
    const place = inspector.placeOf(session, threadId);
    const reported = await inspector.exception(session, place, this.signal).catch(() => undefined);
    return exceptionOf(place.stop, reported, true);
  }

  /** Returns the person's own frames from the stop to the test, with their variables. */
  async frames({ session, threadId }: StoppedAt): Promise<readonly FailureFrame[]> {
    const { file, test } = this.plan;
    const { line: from = Infinity, endLine: to = 0 } = test;
    const isTest = (path: string, line: number): boolean =>
      samePath(path, file) && from <= line && line <= to;
    return await stoppedFrames(this.services, session, threadId, isTest, this.signal);
  }

  /** Returns what the thread of a test that hangs waits for, if its runtime tells it. */
  async waitsFor(at: StoppedAt): Promise<string | undefined> {
    const { observer } = this.plan.framework;
    return await observer?.waitsFor?.(await this.observed(at, 'threads'));
  }

  /** Lets calls without a frame act on the person's innermost frame, which `at` of the answer names. */
  async preferOwnFrame(
    { session, threadId }: StoppedAt,
    at?: { readonly path: string; readonly line: number },
  ): Promise<void> {
    const { inspector, stops } = this.services;
    const place = inspector.placeOf(session, threadId);
    const { frames } = await inspector.frames(session, place, 0, MAX_FRAMES, this.signal);
    const owns = frames.filter((frame) => isOwnFrame(frame, stops.isOwn));
    const named = owns.find(
      ({ path, line }) => at !== undefined && line === at.line && samePath(path ?? '', at.path),
    );
    const own = named ?? owns[0];
    if (own !== undefined) inspector.prefer(place, own);
  }

  /** Pauses the newest session that can be paused. */
  async pause(sessions: readonly SessionState[]): Promise<StoppedAt | undefined> {
    const { inspector, control, model } = this.services;
    const signal = AbortSignal.any([this.signal, timeLimit(PAUSE_LIMIT_MS)]);
    const limits = { deadline: performance.now() + PAUSE_LIMIT_MS, signal };
    for (const session of [...sessions].reverse().filter(isLive)) {
      const threads = await inspector.threads(session, signal).catch(() => []);
      const [thread] = threads;
      if (thread === undefined) continue;
      const outcome = await control.pause(session, thread.id, limits).catch(() => undefined);
      if (outcome?.kind === 'timeout') await control.giveUpPause(session, thread.id);
      if (outcome?.kind !== 'stopped') continue;
      const paused = model.state.sessions.get(outcome.sessionKey);
      return paused === undefined
        ? undefined
        : await this.ofTest({ session: paused, threadId: outcome.stop.threadId ?? thread.id });
    }
    return undefined;
  }

  /** Returns the stopped thread, or the one that runs the test if the stopped one has no frame of the person's. */
  async whereOwn(at: StoppedAt): Promise<StoppedAt> {
    // If a stop names no thread, the given one is any of the stopped ones.
    if (at.session.lastStop?.threadId === undefined) return await this.ofTest(at);
    const frames = await this.framesOf(at.session, at.threadId, MAX_FRAMES).catch(() => []);
    const hasOwn = frames.some((frame) => isOwnFrame(frame, this.services.stops.isOwn));
    return hasOwn ? at : await this.ofTest(at);
  }

  /** Returns the thread that runs the test, in a stopped program. By default, it is the given one. */
  async ofTest(at: StoppedAt): Promise<StoppedAt> {
    const { observer } = this.plan.framework;
    if (observer === undefined) return at;
    const session = await withThreads(this.services, at.session, this.signal);
    const threadId = session.threads.has(at.threadId) ? at.threadId : threadOfStop(session);
    if (threadId === undefined) return at;
    const stop = await this.observed({ session, threadId }, 'threads');
    const found = await observer.threadOf(stop, this.plan.test);
    return { session, threadId: found ?? threadId };
  }
}

/**
 * Returns a stopped session with the threads that its adapter lists now. An adapter may have listed none, or others,
 * while the program ran, and a stop of all threads may name none.
 */
export async function withThreads(
  { inspector, model }: Pick<ToolServices, 'inspector' | 'model'>,
  session: SessionState,
  signal: AbortSignal,
): Promise<SessionState> {
  await inspector.send(session, 'threads', {}, signal).catch(() => undefined);
  return model.state.sessions.get(session.key) ?? session;
}
