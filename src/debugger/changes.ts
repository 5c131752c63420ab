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

interface Seen {
  readonly stopId: number;
  readonly changes: readonly Change[] | undefined;
  readonly traits: FrameTraits;
  readonly values: ReadonlyMap<string, string>;
}

/** Remembers each thread's newest stop that was told, to tell what the next one changed in the same frame. */
export class Changes {
  private readonly seen = new Map<string, Map<number, Seen>>();

  /** How many sessions are remembered. */
  get size(): number {
    return this.seen.size;
  }

  /**
   * Undefined where the frame is another than before, or there was none. A name counts once: the innermost.
   * @param remember whether this is told, so that the next stop is compared with it
   */
  since(sessionKey: string, threadId: number, stopId: number, traits: FrameTraits, variables: readonly { readonly name: string; readonly value: string }[], remember = true): readonly Change[] | undefined {
    const values = new Map<string, string>();
    for (const { name, value } of variables) if (!values.has(name)) values.set(name, value);
    const threads = this.seen.get(sessionKey) ?? new Map<number, Seen>();
    const before = threads.get(threadId);
    // A stop may be told more than once, to one caller or to several.
    if (before?.stopId === stopId) return before.changes;
    const isComparable = before !== undefined && isSame(before.traits, traits);
    const changes = !isComparable
      ? undefined
      : [...values].flatMap(([name, now]) => {
          const old = before.values.get(name);
          return old === now ? [] : [{ name, before: old ?? null, now }];
        });
    if (remember) this.seen.set(sessionKey, threads.set(threadId, { stopId, changes, traits, values }));
    return changes;
  }

  /** Forgets sessions that are not among these. */
  prune(sessions: { has(key: string): boolean }): void {
    for (const key of this.seen.keys()) if (!sessions.has(key)) this.seen.delete(key);
  }
}

function isSame(one: FrameTraits, other: FrameTraits): boolean {
  return one.functionName === other.functionName && one.path === other.path && one.depth === other.depth;
}
