/** A value that differs from the previous stop; `before` is null for a new variable. */
export interface Change {
  readonly name: string;
  readonly before: string | null;
  readonly now: string;
}

/**
 * The traits that identify a frame across stops, as far as adapters allow. The adapters' frame ids are valid for one
 * stop only.
 */
export interface FrameTraits {
  readonly functionName: string;
  readonly path: string | undefined;
  /** The number of frames; undefined if the adapter does not report it. */
  readonly depth: number | undefined;
}

/** A variable. It has `fields` if it is an object whose value does not show its fields. */
export interface ReportedVariable {
  readonly name: string;
  readonly value: string;
  readonly fields?: readonly (readonly [name: string, value: string])[] | undefined;
}

/** A stop as it is reported: the innermost frame and its callers, nearest first. */
export interface ReportedStop {
  readonly stopId: number;
  readonly frame: FrameTraits;
  readonly callers: readonly {
    readonly name: string;
    readonly path: string | undefined;
    readonly line: number;
  }[];
  readonly variables: readonly ReportedVariable[];
  /** Whether some variables are missing because they could not be read or there are too many. */
  readonly isPart?: boolean;
}

/** The difference between a stop and the newest earlier stop in the same frame. */
export interface Difference {
  readonly changes: readonly Change[];
  /** The difference from the last shown values of the frame; undefined if the frame was only stepped through. */
  readonly shown: ShownDifference | undefined;
}

export interface ShownDifference {
  readonly names: ReadonlySet<string>;
  /** The names that no longer exist because a block was left. */
  readonly gone: readonly string[];
  /** Whether the callers were the same and at the same lines. */
  readonly hasSameCallers: boolean;
}

/**
 * How a stop is reported. `shown`: the next stop is compared with it. `passed`: the stop is an intermediate one of a
 * call with several steps, and only its changes are reported. `readOnly`: the stop is not remembered.
 */
export type ReportMode = 'shown' | 'passed' | 'readOnly';

interface Values {
  readonly callers: string;
  readonly values: ReadonlyMap<string, string>;
  /** The fields, by the names of their objects. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

interface RememberedStop extends Values {
  readonly stopId: number;
  readonly difference: Difference | undefined;
  readonly frame: FrameTraits;
  /** The values as they were last shown. */
  readonly shown: Values | undefined;
}

/** The maximum number of remembered frames. In a recursion, the innermost frames are remembered. */
const FRAMES_REMEMBERED = 50;

/**
 * Remembers the newest reported stop of each frame that is still on a thread's stack, to find the changes at the next
 * stop in that frame. After a step into a function and out of it again, the frame's earlier values are still known.
 */
export class Changes {
  private readonly stops = new Map<string, Map<number, readonly RememberedStop[]>>();

  /** The number of remembered sessions. */
  get size(): number {
    return this.stops.size;
  }

  /**
   * The changes since the last stop in the frame; undefined if no stop in this frame is remembered. If several
   * variables have the same name, only the innermost one counts.
   */
  since(
    sessionKey: string,
    threadId: number,
    stop: ReportedStop,
    mode: ReportMode = 'shown',
  ): Difference | undefined {
    const threads = this.stops.get(sessionKey) ?? new Map<number, readonly RememberedStop[]>();
    const remembered = threads.get(threadId) ?? [];
    // A stop may be reported more than once, to one caller or to several.
    const same = remembered.find(({ stopId }) => stopId === stop.stopId);
    if (same !== undefined) {
      if (mode === 'shown') this.show(sessionKey, threadId, stop.stopId);
      return same.difference;
    }
    const now = valuesOf(stop);
    const before = remembered.find(({ frame }) => isSame(frame, stop.frame));
    const difference = before === undefined ? undefined : differenceOf(before, now, stop);
    if (mode === 'readOnly') return difference;
    const callers = remembered.filter(({ frame }) => isCaller(frame, stop));
    const newest: RememberedStop = {
      ...now,
      stopId: stop.stopId,
      difference,
      frame: stop.frame,
      shown: mode === 'shown' ? now : before?.shown,
    };
    threads.set(threadId, [...callers.slice(-FRAMES_REMEMBERED), newest]);
    this.stops.set(sessionKey, threads);
    return difference;
  }

  /** Marks a passed stop as shown. @returns the difference from the values of its frame that were shown before */
  show(sessionKey: string, threadId: number, stopId: number): ShownDifference | undefined {
    const threads = this.stops.get(sessionKey);
    const remembered = threads?.get(threadId) ?? [];
    threads?.set(
      threadId,
      remembered.map((stop) => {
        const { callers, values, fields } = stop;
        return stop.stopId === stopId ? { ...stop, shown: { callers, values, fields } } : stop;
      }),
    );
    return remembered.find((stop) => stop.stopId === stopId)?.difference?.shown;
  }

  /** Removes all other sessions. */
  prune(sessions: { has(key: string): boolean }): void {
    for (const key of this.stops.keys()) if (!sessions.has(key)) this.stops.delete(key);
  }
}

/** The values of a stop by name. If several variables have the same name, the innermost one counts. */
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

function differenceOf(before: RememberedStop, now: Values, { isPart }: ReportedStop): Difference {
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

/** The changed values, and the changed fields of objects whose value is unchanged. */
function different(before: Values, now: Values): readonly Change[] {
  return [...now.values].flatMap(([name, value]): readonly Change[] => {
    const earlier = before.values.get(name);
    if (earlier !== value) return [{ name, before: earlier ?? null, now: value }];
    const [fields, earlierFields] = [now.fields.get(name), before.fields.get(name)];
    if (fields === undefined || earlierFields === undefined) return [];
    return [...fields].flatMap(([field, fieldValue]) => {
      const earlierValue = earlierFields.get(field);
      if (earlierValue === fieldValue) return [];
      return [{ name: fieldName(name, field), before: earlierValue ?? null, now: fieldValue }];
    });
  });
}

/** The name of a field, including its object: `self.total`. */
export function fieldName(object: string, field: string): string {
  return field.startsWith('[') ? `${object}${field}` : `${object}.${field}`;
}

function isSame(one: FrameTraits, other: FrameTraits): boolean {
  return (
    one.functionName === other.functionName && one.path === other.path && one.depth === other.depth
  );
}

/** Whether a frame is among the callers of a stop, at the same depth as before. */
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
