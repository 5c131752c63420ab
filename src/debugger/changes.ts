/** One value that differs from the stop before; `before` is null for a variable that was not there. */
export interface Change {
  readonly name: string;
  readonly before: string | null;
  readonly now: string;
}

/** What tells a frame from others as far as adapters let it be told: their frame ids hold for one stop only. */
export interface FrameTraits {
  readonly functionName: string;
  readonly path: string | undefined;
  /** How many frames there are; undefined where the adapter does not say. */
  readonly depth: number | undefined;
}

/** A stop as it is told: the innermost frame and its callers, the nearest first. */
export interface ToldStop {
  readonly stopId: number;
  readonly frame: FrameTraits;
  readonly callers: readonly { readonly name: string; readonly path: string | undefined; readonly line: number }[];
  readonly variables: readonly { readonly name: string; readonly value: string }[];
}

/** What differs from the newest stop in the same frame. */
export interface Difference {
  readonly changes: readonly Change[];
  /** Whether that stop's callers were the same, at the same lines. */
  readonly hasSameCallers: boolean;
}

interface Seen {
  readonly stopId: number;
  readonly difference: Difference | undefined;
  readonly frame: FrameTraits;
  readonly callers: string;
  readonly values: ReadonlyMap<string, string>;
}

/** Of a recursion, the innermost frames are remembered. */
const FRAMES_REMEMBERED = 50;

/**
 * Remembers the newest stop that was told of each frame that a thread is still in, to tell what the next one changed
 * there: a step into a function and out again comes back to values that are known.
 */
export class Changes {
  private readonly seen = new Map<string, Map<number, readonly Seen[]>>();

  /** How many sessions are remembered. */
  get size(): number {
    return this.seen.size;
  }

  /**
   * Undefined where no stop in this frame has been told. A name counts once: the innermost.
   * @param remember whether this is told, so that the next stop is compared with it
   */
  since(sessionKey: string, threadId: number, stop: ToldStop, remember = true): Difference | undefined {
    const threads = this.seen.get(sessionKey) ?? new Map<number, readonly Seen[]>();
    const told = threads.get(threadId) ?? [];
    // A stop may be told more than once, to one caller or to several.
    const again = told.find((each) => each.stopId === stop.stopId);
    if (again !== undefined) return again.difference;
    const values = new Map<string, string>();
    for (const { name, value } of stop.variables) if (!values.has(name)) values.set(name, value);
    const callers = stop.callers.map((frame) => `${frame.name}:${frame.path ?? ''}:${frame.line}`).join('\n');
    const before = told.find((each) => isSame(each.frame, stop.frame));
    const difference =
      before === undefined
        ? undefined
        : {
            changes: [...values].flatMap(([name, now]) => {
              const old = before.values.get(name);
              return old === now ? [] : [{ name, before: old ?? null, now }];
            }),
            hasSameCallers: before.callers === callers,
          };
    if (remember) {
      const around = told.filter((each) => isCaller(each.frame, stop)).slice(-FRAMES_REMEMBERED);
      this.seen.set(sessionKey, threads.set(threadId, [...around, { stopId: stop.stopId, difference, frame: stop.frame, callers, values }]));
    }
    return difference;
  }

  /** Forgets sessions that are not among these. */
  prune(sessions: { has(key: string): boolean }): void {
    for (const key of this.seen.keys()) if (!sessions.has(key)) this.seen.delete(key);
  }
}

function isSame(one: FrameTraits, other: FrameTraits): boolean {
  return one.functionName === other.functionName && one.path === other.path && one.depth === other.depth;
}

/** Whether a frame is still there, further out than a stop: found where it was, as far as the stop's callers are known. */
function isCaller(frame: FrameTraits, stop: ToldStop): boolean {
  if (frame.depth === undefined || stop.frame.depth === undefined || frame.depth >= stop.frame.depth) return false;
  const caller = stop.callers[stop.frame.depth - frame.depth - 1];
  return caller !== undefined && caller.name === frame.functionName && caller.path === frame.path;
}
