import type { Frame } from '../../debugger/inspection/stackAndVariables';

/** An exception at which a thread stopped. */
export interface ThrownAt {
  readonly stopId: number;
  readonly type: string;
  readonly message: string | undefined;
  /** The innermost frames. */
  readonly frames: readonly Frame[];
  /** The total number of frames; undefined if the adapter does not report it. */
  readonly total: number | undefined;
}

/**
 * The mark of the current frame. While an exception propagates, debugpy shows the whole trace and marks the frame that
 * the exception has reached.
 */
const CURRENT = / \(Current frame\)$/;

interface Remembered {
  readonly newest: ThrownAt;
  readonly before: ThrownAt | undefined;
}

/** Finds stops at which an exception propagates through frames that the previous stop has shown. */
export class RepeatedExceptions {
  private readonly bySession = new Map<string, Map<number, Remembered>>();

  /**
   * The previous stop, if its exception is most likely the same: the same thread, type and message, in a frame further
   * out, with the same callers, and no stop in between.
   * @param isReported whether the next stop is compared with this one; false for a read-only request
   */
  before(key: string, threadId: number, thrown: ThrownAt, isReported: boolean): number | undefined {
    const remembered = this.bySession.get(key)?.get(threadId);
    // A stop may be reported more than once.
    const before =
      remembered?.newest.stopId === thrown.stopId ? remembered.before : remembered?.newest;
    if (isReported) {
      const threads = this.bySession.get(key) ?? new Map<number, Remembered>();
      this.bySession.set(key, threads.set(threadId, { newest: thrown, before }));
    }
    return before !== undefined && isFurtherOut(before, thrown) ? before.stopId : undefined;
  }

  /** Removes sessions that have ended. */
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
    // If the stack is deep, only its innermost frames were read.
    if (then === undefined) return index > to && before.frames.length < (before.total ?? 0);
    return (
      then.path === frame.path &&
      then.name.replace(CURRENT, '') === frame.name.replace(CURRENT, '') &&
      // The exception may be rethrown on another line.
      (index === to || then.line === frame.line)
    );
  });
}

/** The index of the frame that the program is in. */
function currentOf(frames: readonly Frame[]): number {
  return Math.max(
    0,
    frames.findIndex((frame) => CURRENT.test(frame.name)),
  );
}
