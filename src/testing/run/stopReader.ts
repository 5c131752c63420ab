import { samePath } from '../../debugger/sourcePath';
import type { ExceptionDetails } from '../../debugger/inspection/exceptionDetails';
import { isLive, type SessionState } from '../../debugger/state/state';
import { exceptionOf } from '../../results/views/stopException';
import type { ToolServices } from '../../tools/services';
import { stoppedFrames, type FailureFrame } from './failureFrames';
import type { TestPlan } from '../planTest';
import type { StoppedAt } from './runTest';

/** The maximum number of frames between a failure and the function of the runtime in which it ends. */
const MOST_FRAMES = 60;
/** The maximum number of frames that are read for the names of callers. */
const MOST_CALLERS = 20;
/** The time that a program may take to pause. */
const PAUSE_LIMIT_MS = 3000;

/** Reads the stops of a test: frames, exceptions and values. */
export class StopReader {
  constructor(
    private readonly services: ToolServices,
    private readonly plan: TestPlan,
    private readonly signal: AbortSignal,
  ) {}

  /** Returns the value of an expression in the top frame. Returns undefined if it cannot be evaluated. */
  async evaluate(
    { session, threadId }: StoppedAt,
    expression: string,
  ): Promise<string | undefined> {
    const { inspector } = this.services;
    const place = inspector.placeOf(session, threadId);
    const top = await inspector.top(session, place, this.signal);
    if (top === undefined) return undefined;
    return await inspector
      .evaluate(session, place, top.id, expression, 'hover', this.signal)
      .then(({ value }) => value)
      .catch(() => undefined);
  }

  /** Returns the names of the calling functions, nearest first. */
  async callers({ session, threadId }: StoppedAt): Promise<readonly string[]> {
    const { inspector } = this.services;
    const place = inspector.placeOf(session, threadId);
    const { frames } = await inspector.frames(session, place, 0, MOST_CALLERS, this.signal);
    return frames.slice(1).map(({ name }) => name);
  }

  /** Whether the place of a failure is on the stack. Without a place, any stack is accepted. */
  async isOnStack(
    { session, threadId }: StoppedAt,
    place: { readonly path: string; readonly line: number } | undefined,
  ): Promise<boolean> {
    if (place === undefined) return true;
    const { inspector } = this.services;
    const at = inspector.placeOf(session, threadId);
    const { frames } = await inspector.frames(session, at, 0, MOST_FRAMES, this.signal);
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
    const { frames } = await inspector.frames(session, at, 0, MOST_FRAMES, this.signal);
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

  /** Pauses the newest session that can be paused. */
  async pause(sessions: readonly SessionState[]): Promise<StoppedAt | undefined> {
    const { inspector, control, model } = this.services;
    const limits = { deadline: performance.now() + PAUSE_LIMIT_MS, signal: this.signal };
    for (const session of [...sessions].reverse().filter(isLive)) {
      const threads = await inspector.threads(session, this.signal).catch(() => []);
      const [thread] = threads;
      if (thread === undefined) continue;
      const outcome = await control.pause(session, thread.id, limits).catch(() => undefined);
      if (outcome?.kind !== 'stopped') continue;
      const paused = model.state.sessions.get(outcome.sessionKey);
      return paused === undefined
        ? undefined
        : { session: paused, threadId: outcome.stop.threadId ?? thread.id };
    }
    return undefined;
  }
}
