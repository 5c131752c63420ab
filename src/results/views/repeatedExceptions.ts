import type { Frame } from '../../debugger/inspection/stackAndVariables';

/** An exception at which a thread stopped. */
export interface ThrownAt {
  readonly stopId: number;
  readonly type: string;
  readonly message: string | undefined;
  /** The innermost frames. */
  readonly frames: readonly Frame[];
  /** How many frames there are; undefined where the adapter does not say. */
  readonly total: number | undefined;
}

/** debugpy shows the whole trace of an exception that is on its way out, and marks the frame that it is in. */
const CURRENT = / \(Current frame\)$/;

interface Remembered {
  readonly newest: ThrownAt;
  readonly before: ThrownAt | undefined;
}

/** Finds stops at which an exception is on its way out through frames that the stop before has shown. */
export class RepeatedExceptions {
  private readonly bySession = new Map<string, Map<number, Remembered>>();

  /**
   * The stop before, where the exception is most likely the same: of the same thread, with nothing between the two, of
   * the same type and message, in a frame further out, with the same callers.
   * @param isTold whether the next stop is compared with this one; a mere look is not remembered
   */
  before(key: string, threadId: number, thrown: ThrownAt, isTold: boolean): number | undefined {
    const known = this.bySession.get(key)?.get(threadId);
    // A stop may be told more than once.
    const before = known?.newest.stopId === thrown.stopId ? known.before : known?.newest;
    if (isTold) {
      const threads = this.bySession.get(key) ?? new Map<number, Remembered>();
      this.bySession.set(key, threads.set(threadId, { newest: thrown, before }));
    }
    return before !== undefined && isFurtherOut(before, thrown) ? before.stopId : undefined;
  }

  /** Forgets sessions that have ended. */
  prune(live: { has(key: string): boolean }): void {
    for (const key of this.bySession.keys()) if (!live.has(key)) this.bySession.delete(key);
  }
}

function isFurtherOut(before: ThrownAt, now: ThrownAt): boolean {
  if (
    now.stopId !== before.stopId + 1 ||
    now.type !== before.type ||
    now.message !== before.message ||
    now.total === undefined ||
    before.total === undefined
  )
    return false;
  const [from, to] = [currentOf(before.frames), currentOf(now.frames)];
  const unwound = before.total - now.total;
  if (unwound < 0 || to + unwound <= from) return false;
  return now.frames.every((frame, index) => {
    const then = before.frames[index + unwound];
    // Of a deep stack only the innermost frames are known.
    if (then === undefined) return index > to && before.frames.length < (before.total ?? 0);
    return (
      then.path === frame.path &&
      then.name.replace(CURRENT, '') === frame.name.replace(CURRENT, '') &&
      // It may be thrown again on another line.
      (index === to || then.line === frame.line)
    );
  });
}

/** The place in the stack of the frame that the program is in. */
function currentOf(frames: readonly Frame[]): number {
  return Math.max(
    0,
    frames.findIndex((frame) => CURRENT.test(frame.name)),
  );
}
