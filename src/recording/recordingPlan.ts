import path from 'node:path';
import { Script } from 'node:vm';
import { adapterOf } from '../debugger/adapters/registry';
import type { InjectedPoint } from '../control/injectedBreakpoints';
import { comparable } from '../debugger/sourcePath';
import type { SessionState } from '../debugger/state/state';
import {
  JAVASCRIPT_FILE,
  javaScriptChoice,
  javaScriptCondition,
  javaScriptFile,
  javaScriptRemoval,
  type JavaScriptPoint,
} from './javaScriptRecorder';
import {
  PYTHON_FILE,
  pythonChoice,
  pythonCondition,
  pythonFile,
  pythonRemoval,
} from './pythonRecorder';

/** A place at which values are recorded. */
export interface RecordingPoint {
  /** Unique in its recording. */
  readonly id: number;
  readonly path: string;
  readonly line: number;
  readonly column?: number | undefined;
  /** Expressions; or all locals, of which each hit tells what changed in its activation (Python only). */
  readonly values: readonly string[] | 'locals';
  /** Records only hits at which this holds. */
  readonly when?: string | undefined;
  /** The program stops at hits at which this holds. */
  readonly stopWhen?: string | undefined;
  /** What is claimed to hold at each hit. */
  readonly claim?: string | undefined;
}

export interface RecordingPlan {
  /** Which sessions record. */
  readonly isMeant: (session: SessionState) => boolean;
  readonly points: readonly RecordingPoint[];
  /** The most hits in all. */
  readonly maxHits: number;
  /** Whether the program stops where a process has recorded as much as it may. Default: it goes on unrecorded. */
  readonly stopAtLimit?: boolean;
  /** Whether the program stops where a claim is refuted for the first time. */
  readonly stopAtRefuted?: boolean;
  /** Whether each hit names its caller. */
  readonly callers?: boolean;
  /** Whether each hit tells its depth and activation. */
  readonly activations?: boolean;
  /** Whether only the call that `Recording.choose` names is recorded. */
  readonly oneCall?: boolean;
  /** Of one value: its length, how many members, and how deep. */
  readonly shown?: {
    readonly text?: number;
    readonly items?: number;
    readonly depth?: number;
  };
}

/** What a process may write: a program that is hit without end must not fill the disk. */
const MOST_BYTES = 64 * 1024 * 1024;

const SHOWN = { text: 300, items: 10, depth: 2 };

/** What differs between the languages of recorders. */
interface RecorderLanguage {
  /** Why a point cannot be recorded. */
  readonly refuses: (point: RecordingPoint) => string | undefined;
  readonly condition: (group: Group, place: RecorderPlace) => string;
  readonly choice: (point: RecordingPoint, place: RecorderPlace) => string;
  readonly removal: (name: string) => string;
}

const LANGUAGES: Readonly<Record<'python' | 'javascript', RecorderLanguage>> = {
  python: {
    // Its recorder compiles each expression for itself.
    refuses: () => undefined,
    condition: (group, { name, folder }) =>
      pythonCondition(
        name,
        folder,
        group.map((each) => each.id),
      ),
    choice: ({ id, path: file, line }, place) => pythonChoice(place, id, path.basename(file), line),
    removal: pythonRemoval,
  },
  javascript: {
    refuses: ({ values, when, stopWhen, claim }) => {
      if (values === 'locals') return 'the names of locals have to be given';
      return [when, stopWhen, claim, ...values]
        .map((each) => (each === undefined ? undefined : syntaxError(each)))
        .find((each) => each !== undefined);
    },
    condition: (group, { name, folder }) =>
      javaScriptCondition(name, folder, group.map(javaScriptPoint)),
    choice: (point, { name, folder }) => javaScriptChoice(name, folder, javaScriptPoint(point)),
    removal: javaScriptRemoval,
  },
};

function javaScriptPoint({ id, when, stopWhen, claim, values }: RecordingPoint): JavaScriptPoint {
  return { id, when, stopWhen, claim, values: values === 'locals' ? [] : values };
}

/** The expression that names the call in which a session is stopped at a point, and records it. */
export function choice(session: SessionState, point: RecordingPoint, place: RecorderPlace): string {
  return LANGUAGES[adapterOf(session.type).recorder ?? 'python'].choice(point, place);
}

/** Why a point cannot be recorded by a session's recorder; undefined where it can. */
export function unrecordable(session: SessionState, point: RecordingPoint): string | undefined {
  const { recorder } = adapterOf(session.type);
  return recorder === undefined
    ? 'this debugger cannot record'
    : LANGUAGES[recorder].refuses(point);
}

/** What is wrong with the syntax of a JavaScript expression; undefined where nothing is. Runs nothing. */
export function syntaxError(expression: string): string | undefined {
  try {
    // What closes a bracket of ours, or begins a comment, parses in none of these, or in one only.
    for (const text of [`(${expression}\n)`, `[${expression}\n]`]) new Script(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

export interface RecorderPlace {
  /** The recorder's name in the program. */
  readonly name: string;
  /** The folder that it writes to. */
  readonly folder: string;
}

/** The files that recorders are read from, by their names. */
export function recorderFiles(
  plan: RecordingPlan,
  { name, folder }: RecorderPlace,
): Readonly<Record<string, string>> {
  const settings = {
    name,
    folder,
    hits: plan.maxHits,
    bytes: MOST_BYTES,
    stopAtLimit: plan.stopAtLimit ?? false,
    stopAtRefuted: plan.stopAtRefuted ?? false,
    callers: plan.callers ?? false,
    activations: plan.activations ?? false,
    oneCall: plan.oneCall ?? false,
    ...SHOWN,
    ...plan.shown,
  };
  const points = plan.points.map(({ path: _, ...each }) => each);
  return {
    [PYTHON_FILE]: pythonFile(name, JSON.stringify({ ...settings, points })),
    [JAVASCRIPT_FILE]: javaScriptFile(name, JSON.stringify(settings)),
  };
}

/** The breakpoints that record a plan's points in a session: one for each place. */
export function recordingBreakpoints(
  session: SessionState,
  plan: RecordingPlan,
  place: RecorderPlace,
): readonly InjectedPoint[] {
  const write = LANGUAGES[adapterOf(session.type).recorder ?? 'python'].condition;
  return recordable(session, plan).map((group) => {
    const [{ path, line, column }] = group;
    return { path, line, column, condition: write(group, place) };
  });
}

/** The points of a plan that a session's recorder can record, by their places: of two breakpoints in one, adapters heed one. */
export function recordable(session: SessionState, plan: RecordingPlan): readonly Group[] {
  return grouped(plan.points.filter((each) => unrecordable(session, each) === undefined));
}

/** The expression that removes the recorder from a program. */
export function removal(session: SessionState, name: string): string {
  return LANGUAGES[adapterOf(session.type).recorder ?? 'python'].removal(name);
}

type Group = [RecordingPoint, ...RecordingPoint[]];

function grouped(points: readonly RecordingPoint[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const point of points) {
    const key = JSON.stringify([comparable(point.path), point.line, point.column]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [point]);
    else group.push(point);
  }
  return [...groups.values()];
}
