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

/** A variable; the fields are those of an object whose text does not show them. */
export interface ReportedVariable {
  readonly name: string;
  readonly value: string;
  readonly fields?: readonly (readonly [name: string, value: string])[] | undefined;
}

/** A stop as it is reported: the innermost frame and its callers, the nearest first. */
export interface ReportedStop {
  readonly stopId: number;
  readonly frame: FrameTraits;
  readonly callers: readonly {
    readonly name: string;
    readonly path: string | undefined;
    readonly line: number;
  }[];
  readonly variables: readonly ReportedVariable[];
  /** Some could not be read, or are too many: what is not among them may be there. */
  readonly isPart?: boolean;
}

/** What differs from the newest stop in the same frame. */
export interface Difference {
  readonly changes: readonly Change[];
  /** What differs from what was shown of the frame last; undefined where nothing was, because it was only stepped through. */
  readonly shown: ShownDifference | undefined;
}

export interface ShownDifference {
  readonly names: ReadonlySet<string>;
  /** Those that are not there any more: a block was left. */
  readonly gone: readonly string[];
  /** Whether the callers were the same, at the same lines. */
  readonly hasSameCallers: boolean;
}

/**
 * What is made of a stop: it is shown, so that the next one is compared with it; or a call of several steps passes it,
 * of which only the changes are told; or it is glanced at, and nothing is remembered.
 */
export type Telling = 'shown' | 'passed' | 'glanced';

interface Values {
  readonly callers: string;
  readonly values: ReadonlyMap<string, string>;
  /** By the names of their objects. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

interface Seen extends Values {
  readonly stopId: number;
  readonly difference: Difference | undefined;
  readonly frame: FrameTraits;
  /** As it was shown last. */
  readonly shown: Values | undefined;
}

/** Of a recursion, the innermost frames are remembered. */
const FRAMES_REMEMBERED = 50;

/**
 * Remembers the newest stop that was reported of each frame that a thread is still in, to know what the next one changed
 * there: a step into a function and out again comes back to values that are known.
 */
export class Changes {
  private readonly seen = new Map<string, Map<number, readonly Seen[]>>();

  /** How many sessions are remembered. */
  get size(): number {
    return this.seen.size;
  }

  /** Undefined where no stop in this frame is remembered. A name counts once: the innermost. */
  since(
    sessionKey: string,
    threadId: number,
    stop: ReportedStop,
    telling: Telling = 'shown',
  ): Difference | undefined {
    const threads = this.seen.get(sessionKey) ?? new Map<number, readonly Seen[]>();
    const remembered = threads.get(threadId) ?? [];
    // A stop may be reported more than once, to one caller or to several.
    const again = remembered.find((each) => each.stopId === stop.stopId);
    if (again !== undefined) {
      if (telling === 'shown') this.show(sessionKey, threadId, stop.stopId);
      return again.difference;
    }
    const now = valuesOf(stop);
    const before = remembered.find((each) => isSame(each.frame, stop.frame));
    const difference = before === undefined ? undefined : differenceOf(before, now, stop);
    if (telling === 'glanced') return difference;
    const around = remembered.filter((each) => isCaller(each.frame, stop));
    const seen: Seen = {
      ...now,
      stopId: stop.stopId,
      difference,
      frame: stop.frame,
      shown: telling === 'shown' ? now : before?.shown,
    };
    threads.set(threadId, [...around.slice(-FRAMES_REMEMBERED), seen]);
    this.seen.set(sessionKey, threads);
    return difference;
  }

  /** A stop that was passed is shown after all. @returns what differs from what was shown of its frame before */
  show(sessionKey: string, threadId: number, stopId: number): ShownDifference | undefined {
    const threads = this.seen.get(sessionKey);
    const remembered = threads?.get(threadId) ?? [];
    threads?.set(
      threadId,
      remembered.map((each) =>
        each.stopId === stopId
          ? { ...each, shown: { callers: each.callers, values: each.values, fields: each.fields } }
          : each,
      ),
    );
    return remembered.find((each) => each.stopId === stopId)?.difference?.shown;
  }

  /** Forgets sessions that are not among these. */
  prune(sessions: { has(key: string): boolean }): void {
    for (const key of this.seen.keys()) if (!sessions.has(key)) this.seen.delete(key);
  }
}

/** The values of a stop, of each name the innermost one. */
function valuesOf(stop: ReportedStop): Values {
  const values = new Map<string, string>();
  const fields = new Map<string, ReadonlyMap<string, string>>();
  for (const variable of stop.variables) {
    if (values.has(variable.name)) continue;
    values.set(variable.name, variable.value);
    if (variable.fields !== undefined) fields.set(variable.name, new Map(variable.fields));
  }
  const callers = stop.callers.map((frame) => `${frame.name}:${frame.path ?? ''}:${frame.line}`);
  return { callers: callers.join('\n'), values, fields };
}

function differenceOf(before: Seen, now: Values, { isPart }: ReportedStop): Difference {
  const changes = different(before, now);
  const { shown } = before;
  if (shown === undefined) return { changes, shown: undefined };
  const left = [...shown.values.keys()].filter((name) => !now.values.has(name));
  return {
    changes,
    shown: {
      names: new Set(different(shown, now).map(({ name }) => name)),
      gone: isPart === true ? [] : left,
      hasSameCallers: shown.callers === now.callers,
    },
  };
}

/** The values that are not as they were, and the fields of objects that are the same. */
function different(before: Values, now: Values): readonly Change[] {
  return [...now.values].flatMap(([name, value]): readonly Change[] => {
    const earlier = before.values.get(name);
    if (earlier !== value) return [{ name, before: earlier ?? null, now: value }];
    const [fields, known] = [now.fields.get(name), before.fields.get(name)];
    if (fields === undefined || known === undefined) return [];
    return [...fields].flatMap(([field, now]) =>
      known.get(field) === now
        ? []
        : { name: fieldName(name, field), before: known.get(field) ?? null, now },
    );
  });
}

/** What a field is called beside its object: `self.total`. */
export function fieldName(object: string, field: string): string {
  return field.startsWith('[') ? `${object}${field}` : `${object}.${field}`;
}

function isSame(one: FrameTraits, other: FrameTraits): boolean {
  return (
    one.functionName === other.functionName && one.path === other.path && one.depth === other.depth
  );
}

/** Whether a frame is still there, further out than a stop: found where it was, as far as the stop's callers are known. */
function isCaller(frame: FrameTraits, stop: ReportedStop): boolean {
  if (
    frame.depth === undefined ||
    stop.frame.depth === undefined ||
    frame.depth >= stop.frame.depth
  )
    return false;
  const caller = stop.callers[stop.frame.depth - frame.depth - 1];
  return caller !== undefined && caller.name === frame.functionName && caller.path === frame.path;
}
