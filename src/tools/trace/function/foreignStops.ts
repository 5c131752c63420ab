import path from 'node:path';
import type { BoundedRun, RunStep } from '../../../control/boundedRun';
import type { Stopped } from '../../../control/outcome';
import { PassedStops } from '../../../control/passedStops';
import { restOfStackRequested } from '../../../control/wholeStack';
import { adapterOf } from '../../../debugger/adapters/registry';
import type { Prefetched } from '../../../debugger/inspection/prefetch';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import { type SessionState, stoppedThread } from '../../../debugger/state/state';
import { inThread } from '../../../syntax/reading';
import type { ToolServices } from '../../services';
import { isSameFrame, type ThreadStack } from './threadStack';
import type { ExceptionAt, exceptionAt } from './source/javascriptRejections';

type Services = Pick<ToolServices, 'inspector' | 'model' | 'workspace'>;

/** The move that led to a stop. */
export interface Move {
  readonly command: 'continue' | 'next' | 'stepIn' | 'stepOut';
  readonly deadline?: number | undefined;
  readonly detail?: Prefetched | undefined;
  readonly signal: AbortSignal;
  /** Ends the wait for the program, which goes on. */
  readonly until?: AbortSignal | undefined;
  /** The beginning of the traced call. Undefined if the call has not begun, or if its recorder sees what leaves it. */
  readonly call?: ThreadStack | undefined;
  /** The stop from which a step was made. */
  readonly from?: ThreadStack | undefined;
  /** Stops the program in the function that made a call. */
  readonly stopBehind?: ((call: ThreadStack) => Promise<{ dispose(): Promise<void> }>) | undefined;
}

/** The maximum number of frames that are read to see what becomes of a rejection. */
const MAX_FRAMES = 200;

/**
 * The stops of a trace's program that are no end of the call, no return and no exception that has left it: signals that
 * are no fault, and rejections of promises that the program may handle. They are counted, and the program goes on.
 */
export class ForeignStops {
  readonly passed = new PassedStops();

  constructor(
    private readonly services: Services,
    private readonly run: BoundedRun,
  ) {}

  /**
   * Follows a move past such stops. V8 and LLDB complete a step that they have interrupted when the program continues.
   */
  async past(first: RunStep, move: Move): Promise<RunStep> {
    let step = first;
    while (step.kind === 'stopped') {
      const there = stoppedThread(this.services.model.state, step.sessionKey);
      if (there === undefined) return step;
      const { session, threadId: thread } = there;
      const name = this.passed.nameOf(session, step.stop);
      const isForeign = name !== undefined && areAllForeign(this.passed, session);
      const kept = isForeign ? await this.keptAt(session, thread, move) : 'leaves';
      if (name === undefined || kept === 'leaves')
        return step === first ? step : asEnd(step, session, move);
      this.passed.count(name);
      await restOfStackRequested(this.services.model, session, thread, move.signal);
      const behind = kept === undefined ? undefined : await move.stopBehind?.(kept);
      const { deadline, detail, until } = move;
      step = await this.run.move('continue', session, thread, deadline, detail, until);
      await behind?.dispose();
    }
    return step;
  }

  /**
   * Whether the exception of a rejection leaves a JavaScript call. Returns the call whose promise keeps the exception, if
   * that is the stepped one or has called it: V8 does not complete a step whose call an exception ends.
   */
  private async keptAt(
    session: SessionState,
    threadId: number,
    { call, from, signal }: Move,
  ): Promise<'leaves' | ThreadStack | undefined> {
    if (session.key !== call?.session.key || threadId !== call.threadId) return undefined;
    if (adapterOf(session.type).recorder !== 'javascript') return undefined;
    const { inspector } = this.services;
    const place = inspector.placeOf(session, threadId);
    const page = await inspector
      .frames(session, place, 0, MAX_FRAMES, signal)
      .catch(() => undefined);
    if (page === undefined) return 'leaves';
    const label = page.frames.findIndex(({ isLabel }) => isLabel);
    const frames = label < 0 ? page.frames : page.frames.slice(0, label);
    const at = placeOf(call, frames, page.total);
    const stepped = from === undefined ? at : placeOf(from, frames, page.total);
    for (const [index, top] of frames.slice(0, at + 1).entries()) {
      const becomes = await this.becomesAt(top);
      if (becomes === 'rejects' && index === 0) return undefined;
      if (becomes !== 'kept' || index === at) continue;
      if (index < stepped) return undefined;
      const rest = { callers: frames.slice(index + 1), values: new Map(), returned: [] };
      return { session, threadId, top, total: undefined, ...rest };
    }
    return at < 0 ? undefined : 'leaves';
  }

  private async becomesAt({ path: file, line, column }: Frame): Promise<ExceptionAt | undefined> {
    if (file === undefined || !path.isAbsolute(file)) return undefined;
    const source = await this.services.workspace.readSource(file);
    if (source === undefined) return undefined;
    const text = source.lines.join('\n');
    return await inThread<typeof exceptionAt>('exceptionAt', text, file, { line, column });
  }
}

/** Returns the index of the frame of a call. -1 if there is none. A call that was suspended has other callers now. */
function placeOf(
  { top, total }: ThreadStack,
  frames: readonly Frame[],
  now: number | undefined,
): number {
  const isCall = (frame: Frame | undefined): boolean =>
    frame !== undefined && isSameFrame(frame, top);
  const at = total === undefined || now === undefined ? -1 : now - total;
  return isCall(frames[at]) ? at : frames.findLastIndex(isCall);
}

/** Whether all threads that have stopped together have such a stop. Another one is not passed. */
function areAllForeign(passed: PassedStops, session: SessionState): boolean {
  if (adapterOf(session.type).reportsEachThread !== true) return true;
  const { isAtLostBreakpoint } = adapterOf(session.type);
  return [...session.threads.values()].every(
    ({ own }) =>
      own === undefined ||
      passed.nameOf(session, own) !== undefined ||
      isAtLostBreakpoint?.(own) === true,
  );
}

/** The stop at the end of a move that was interrupted. js-debug gives it the reason of a pause. */
function asEnd(step: Stopped, { type }: SessionState, { command }: Move): Stopped {
  const { stop } = step;
  if (command === 'continue' || adapterOf(type).endsMove?.(stop) !== true) return step;
  return { ...step, stop: { ...stop, reason: 'step' } };
}
