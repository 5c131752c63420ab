import path from 'node:path';
import { Script } from 'node:vm';
import { adapterOf } from '../debugger/adapters/registry';
import type { InjectedPoint } from '../control/injectedLists';
import { fileKey } from '../debugger/sourcePath';
import type { SessionState } from '../debugger/state/state';
import {
  JAVASCRIPT_FILE,
  javaScriptChoice,
  javaScriptCondition,
  javaScriptFile,
  javaScriptLast,
  javaScriptRemoval,
  type JavaScriptPoint,
} from './javaScriptConditions';
import { PYTHON_FILE } from './pythonModule';
import {
  pythonChoice,
  pythonCondition,
  pythonFile,
  pythonLast,
  pythonRemoval,
} from './pythonRecorder';

/** A location at which values are recorded. */
export interface RecordingPoint {
  /** The point's id, unique in its recording. */
  readonly id: number;
  readonly path: string;
  readonly line: number;
  readonly column?: number | undefined;
  /**
   * The recorded expressions, or `locals` for all locals. Each hit then reports the locals that changed in its
   * activation (Python only).
   */
  readonly values: readonly string[] | 'locals';
  /** The recorded names that do not belong to the call. They can also be read after it has ended (JavaScript only). */
  readonly captured?: readonly string[] | undefined;
  /** The condition for recording a hit: only hits at which this expression is true are recorded. */
  readonly when?: string | undefined;
  /** Whether only the beginning of a call is recorded, if a loop reaches its first line again (Python only). */
  readonly atEntry?: boolean | undefined;
  /** Whether the point only stops the program there, if the chosen call has been left (JavaScript only). */
  readonly whenLeft?: boolean | undefined;
  /** The program stops at hits at which this expression is true. */
  readonly stopWhen?: string | undefined;
  /**
   * Code that reads the value that the call returns there, with the reader `g` (JavaScript only). It follows the other
   * values of a hit. If the code fails, the program stops.
   */
  readonly returns?: string | undefined;
  /** The line of the `return` at whose end the place is, if a source map shows that end elsewhere (JavaScript only). */
  readonly returnLine?: number | undefined;
  /** Whether the place is a later part of its line, at which a statement leaves the call. It is no line of its own. */
  readonly isPartOfLine?: boolean | undefined;
  /** Whether the point is only for its stop: its place is no line of the call. */
  readonly isOnlyStop?: boolean | undefined;
  /** An expression that is claimed to be true at each hit. */
  readonly claim?: string | undefined;
  /** Set if the point is in a function that the chosen call may call (JavaScript only). */
  readonly callee?: CalleePoint | undefined;
}

/** The place at which a function begins, returns, or is left. Calls by the chosen call are reported there. */
export type CalleePoint =
  | {
      readonly kind: 'begin';
      /** The name of the function, and those of its parameters. */
      readonly name: string;
      readonly args: readonly string[];
      /** Whether the call ends for its caller with a promise. */
      readonly returnsPromise: boolean;
      /** Whether each end of the function has a point, except for exceptions of other functions. */
      readonly hasEnds: boolean;
    }
  /** A `return` begins. At its end, V8 does not show all variables. */
  | {
      readonly kind: 'return';
      /** The number of the `return` in the function. */
      readonly exit: number;
      readonly read: string;
      /** Whether the end is no place at which the debugger can stop, as with some source maps. */
      readonly isEnd: boolean;
    }
  | {
      readonly kind: 'end';
      readonly exit: number;
      /** Code that reads the returned value, with the reader `g`. Undefined if no code can read it. */
      readonly read?: string | undefined;
      /** Whether the program stops there if the value could not be read, so that the debugger shows it. */
      readonly stops?: boolean;
    }
  /** An exception is thrown, which the function may catch itself. */
  | {
      readonly kind: 'throw';
      /** The source of the exception. */
      readonly throws: string;
    };

export interface RecordingPlan {
  /** Whether a session takes part in the recording. */
  readonly isIncluded: (session: SessionState) => boolean;
  readonly points: readonly RecordingPoint[];
  /** Whether the points are only read at the stop of the program, with `Recording.choose`, and need no breakpoints. */
  readonly atStop?: boolean;
  /** The maximum number of hits of all points together. */
  readonly maxHits: number;
  /** Whether the program stops when a process has reached its limit. Default: it continues without recording. */
  readonly stopAtLimit?: boolean;
  /** Whether the program stops when a claim is refuted for the first time. */
  readonly stopAtRefuted?: boolean;
  /** Whether each hit names its caller. */
  readonly callers?: boolean;
  /** Whether each hit reports its depth and activation. */
  readonly activations?: boolean;
  /** Whether only the call that `Recording.choose` selects is recorded. */
  readonly oneCall?: boolean;
  /** Whether that call is one of an asynchronous function, which is suspended and resumes (JavaScript only). */
  readonly suspends?: boolean;
  /** Whether the points cover all callees that were found. Default: they do. */
  readonly hasAllCallees?: boolean;
  /** The limits for one value, as in `CallLimits`. */
  readonly shown?: {
    readonly text?: number;
    readonly items?: number;
    readonly depth?: number;
    readonly telling?: number;
  };
}

/** The maximum number of bytes that a process may write, so that an endless loop does not fill the disk. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The maximum number of stops that show the values of calls. Each one takes about as long as a step. */
export const MAX_VALUE_STOPS = 20;

const DEFAULT_LIMITS = { text: 300, items: 10, depth: 2 };

/** The code that differs between the recorders' languages. */
interface RecorderLanguage {
  /** Returns the reason why a point cannot be recorded; undefined if it can. */
  readonly refuses: (point: RecordingPoint) => string | undefined;
  readonly condition: (group: Group, place: RecorderPlace) => string;
  readonly choice: (point: RecordingPoint, place: RecorderPlace) => string;
  readonly removal: (name: string) => string;
  /** Records the locals of the chosen call again, directly after it has ended. */
  readonly last?: (name: string) => string;
  /** Whether the recorder records the calls that the chosen call makes. */
  readonly recordsCalls?: boolean;
}

const LANGUAGES: Readonly<Record<'python' | 'javascript', RecorderLanguage>> = {
  python: {
    // The Python recorder compiles each expression separately, and records an error for an expression that does not
    // compile.
    refuses: () => undefined,
    condition: (group, { name, folder }) =>
      pythonCondition(
        name,
        folder,
        group.map(({ id }) => id),
      ),
    choice: ({ id, path: file, line }, place) => pythonChoice(place, id, path.basename(file), line),
    removal: pythonRemoval,
    last: pythonLast,
    recordsCalls: true,
  },
  javascript: {
    refuses: ({ values, captured, when, stopWhen, claim }) => {
      if (values === 'locals') return 'the names of locals are required';
      // Private fields are no valid expressions outside of their class.
      const expressions = values.filter((value) => captured?.includes(value) !== true);
      return [when, stopWhen, claim, ...expressions]
        .map((expression) => (expression === undefined ? undefined : syntaxError(expression)))
        .find((error) => error !== undefined);
    },
    condition: (group, { name, folder, isOneCall }) => {
      const points = group.filter((point) => !isCallee(point) && point.whenLeft !== true);
      return javaScriptCondition(name, folder, {
        points: points.map(javaScriptPoint),
        callees: group.flatMap(({ callee }) => callee ?? []),
        stopsWhenLeft: group.some(({ whenLeft }) => whenLeft === true),
        isOneCall,
      });
    },
    recordsCalls: true,
    choice: (point, { name, folder }) => javaScriptChoice(name, folder, javaScriptPoint(point)),
    removal: javaScriptRemoval,
    last: javaScriptLast,
  },
};

function javaScriptPoint({ values, ...point }: RecordingPoint): JavaScriptPoint {
  const { id, when, stopWhen, claim, returns, captured } = point;
  const names = values === 'locals' ? [] : values;
  return { id, when, stopWhen, claim, returns, captured, values: names };
}

/** Whether a point is in a function that the chosen call may call. */
export function isCallee({ callee }: RecordingPoint): boolean {
  return callee !== undefined;
}

/** The expression that selects the call in which a session is stopped at a point, and records the point. */
export function choice(session: SessionState, point: RecordingPoint, place: RecorderPlace): string {
  return LANGUAGES[adapterOf(session.type).recorder ?? 'python'].choice(point, place);
}

/** The reason why a session's recorder cannot record a point; undefined if it can. */
export function unrecordable(session: SessionState, point: RecordingPoint): string | undefined {
  const { recorder } = adapterOf(session.type);
  return recorder === undefined
    ? 'this debugger cannot record'
    : LANGUAGES[recorder].refuses(point);
}

/** The syntax error of a JavaScript expression; undefined if there is none. No code is run. */
export function syntaxError(expression: string): string | undefined {
  try {
    // An expression that closes one of these brackets, or begins a comment, does not parse in both.
    for (const text of [`(${expression}\n)`, `[${expression}\n]`]) new Script(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

export interface RecorderPlace {
  /** The recorder's name in the program. */
  readonly name: string;
  /** The folder to which the recorder writes. */
  readonly folder: string;
  /** Whether one call is recorded. Default: no. */
  readonly isOneCall?: boolean | undefined;
}

/** The folder of the extension's recorders, which run in debugged programs (`recorders/`). */
export type RecordersFolder = string;

/** The files from which conditions read the recorders, by file name. */
export function recorderFiles(
  plan: RecordingPlan,
  { name, folder }: RecorderPlace,
  recorders: RecordersFolder,
): Readonly<Record<string, string>> {
  const settings = {
    name,
    folder,
    hits: plan.maxHits,
    bytes: MAX_BYTES,
    stopAtLimit: plan.stopAtLimit ?? false,
    stopAtRefuted: plan.stopAtRefuted ?? false,
    callers: plan.callers ?? false,
    activations: plan.activations ?? false,
    oneCall: plan.oneCall ?? false,
    suspends: plan.suspends ?? false,
    valueStops: MAX_VALUE_STOPS,
    ...DEFAULT_LIMITS,
    ...plan.shown,
  };
  const points = plan.points
    .filter((point) => !isCallee(point))
    .map(({ path: _, ...point }) => point);
  return {
    [PYTHON_FILE]: pythonFile(
      name,
      JSON.stringify({ ...settings, points }),
      path.join(recorders, 'python'),
    ),
    [JAVASCRIPT_FILE]: javaScriptFile(name, JSON.stringify(settings)),
  };
}

/** The breakpoints that record groups of points in a session, one for each group. */
export function recordingBreakpoints(
  session: SessionState,
  groups: readonly Group[],
  place: RecorderPlace,
): readonly InjectedPoint[] {
  const write = LANGUAGES[adapterOf(session.type).recorder ?? 'python'].condition;
  return groups.map((group) => {
    const [{ path, line, column }] = group;
    return { path, line, column, condition: write(group, place) };
  });
}

/**
 * The points of a plan that a session's recorder can record, grouped by location. Adapters use only one breakpoint per
 * location.
 */
export function recordable(session: SessionState, plan: RecordingPlan): readonly Group[] {
  return grouped(plan.points.filter((point) => unrecordable(session, point) === undefined));
}

/** The expression that records the last locals of the chosen call. Undefined if the recorder cannot do that. */
export function lastLocals({ type }: SessionState, name: string): string | undefined {
  return LANGUAGES[adapterOf(type).recorder ?? 'javascript'].last?.(name);
}

/** Whether a session's recorder records the calls that the chosen call makes. */
export function recordsCalls({ type }: SessionState): boolean {
  const { recorder } = adapterOf(type);
  return recorder !== undefined && LANGUAGES[recorder].recordsCalls === true;
}

/** The expression that removes the recorder from a program. */
export function removal(session: SessionState, name: string): string {
  return LANGUAGES[adapterOf(session.type).recorder ?? 'python'].removal(name);
}

type Group = [RecordingPoint, ...RecordingPoint[]];

function grouped(points: readonly RecordingPoint[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const point of points) {
    const key = JSON.stringify([fileKey(point.path), point.line, point.column]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [point]);
    else group.push(point);
  }
  return [...groups.values()];
}
