import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import { cutText } from '../../../debugger/texts';
import { defined } from '../../../util/defined';

/** One exception at the place where it was thrown. */
export interface Throw {
  readonly type: string;
  readonly message: string | undefined;
  /** The stack, innermost frame first. */
  readonly frames: readonly Frame[];
}

/** How a throw concerns the person's own code. */
type Kind =
  /** Own code has thrown it, or a call of its language without a frame. */
  | 'own'
  /** A library has thrown it, and own code has called the library. */
  | 'library'
  /** Only libraries are concerned: none of their callers is own code, or they were being loaded. */
  | 'foreign'
  /** The end of an iteration or of a generator. */
  | 'controlFlow';

/** Equal throws: of one type, with one message, at one place. */
interface Group {
  readonly kind: Kind;
  readonly type: string;
  readonly message: string | undefined;
  readonly at: string;
  readonly thrownIn: string | undefined;
  readonly callers: readonly string[];
  times: number;
  unhandled: number;
}

export interface ThrownRules {
  readonly isOwn: (frame: Frame) => boolean;
  /** Returns the path of a file as results show it. */
  readonly shortPath: (file: string) => string;
}

/** The maximum number of characters of a message. */
const MAX_OF_A_MESSAGE = 300;
/** The maximum number of characters of a function's name. C++ adds its parameters. */
const MAX_OF_A_NAME = 80;
/** The maximum number of callers that a group shows. */
const MAX_CALLERS = 2;
/** The maximum number of groups that are kept. Throws of further groups are only counted. */
const MAX_GROUPS = 1000;
/** The maximum number of types that a count names. */
const MAX_TYPES = 5;

/** Python's exceptions for what is no fault. Other languages have no such types. */
const CONTROL_FLOW: ReadonlySet<string> = new Set([
  'StopIteration',
  'StopAsyncIteration',
  'GeneratorExit',
]);

/** The code that loads modules. Libraries probe there for what may be missing. */
const LOADER =
  /^(?:<frozen (?:importlib|runpy)|(?:<node_internals>[\\/]|node:)internal[\\/]modules)/;

/** What debugpy adds to the name of the frame that an exception has reached. */
const CURRENT = / \(Current frame\)$/;

/** Whether a throw is the end of an iteration or of a generator. */
export function isControlFlow(type: string): boolean {
  return CONTROL_FLOW.has(type.replace(/^builtins\./, ''));
}

/** The exceptions that a program has thrown, in groups. */
export class Thrown {
  private readonly groups = new Map<string, Group>();
  /** The number of throws that are in no group. */
  private beyond = 0;
  private total = 0;
  private ofOwnCode = 0;

  constructor(private readonly rules: ThrownRules) {}

  /** The number of throws that concern own code. */
  get concerning(): number {
    return this.ofOwnCode;
  }

  /** Counts a throw. @returns its group, for `markUnhandled` */
  add(thrown: Throw): string {
    this.total += 1;
    const group = this.groupOf(thrown);
    if (group.kind === 'own' || group.kind === 'library') this.ofOwnCode += 1;
    const key = JSON.stringify([group.type, group.message, group.at, group.thrownIn]);
    const known = this.groups.get(key);
    if (known !== undefined) known.times += 1;
    else if (this.groups.size < MAX_GROUPS) this.groups.set(key, group);
    else this.beyond += 1;
    return key;
  }

  /** Counts that the debugger has reported a throw of a group as unhandled. */
  markUnhandled(key: string): void {
    const group = this.groups.get(key);
    if (group !== undefined) group.unhandled += 1;
  }

  /**
   * Returns what results show, with groups in at most `room` characters of JSON. Own code comes first.
   * @param allReported whether the program has ended, and its debugger would have reported an unhandled exception
   */
  shown(room: number, allReported: boolean): Readonly<Record<string, unknown>> {
    const groups = [...this.groups.values()];
    const own = groups.filter(({ kind }) => kind === 'own');
    const concerning = [...own, ...groups.filter(({ kind }) => kind === 'library')];
    const rows = fitting(concerning.map(rowOf), room);
    const left = concerning.slice(rows.length);
    const times = timesOf(left) + this.beyond;
    const unhandled = groups.reduce((sum, group) => sum + group.unhandled, 0);
    return defined({
      thrown: this.total,
      list: rows,
      more: times > 0 ? { times, types: typesOf(left) } : undefined,
      only_in_libraries: countOf(groups, 'foreign'),
      control_flow: countOf(groups, 'controlFlow'),
      unhandled: unhandled > 0 || (allReported && this.total > 0) ? unhandled : undefined,
    });
  }

  private groupOf({ type, message, frames }: Throw): Group {
    const { isOwn } = this.rules;
    const real = frames.filter(isCode);
    const index = real.findIndex(isOwn);
    const own = index < 0 ? undefined : real[index];
    const [top] = real;
    const behind = index < 0 ? [] : real.slice(index + 1).filter(isOwn);
    return {
      kind: kindOf(type, real, index),
      type,
      message:
        message === undefined || message === '' ? undefined : cutText(message, MAX_OF_A_MESSAGE),
      at: this.place(own ?? top),
      thrownIn: index > 0 ? this.place(top) : undefined,
      callers: behind.slice(0, MAX_CALLERS).map((frame) => this.place(frame)),
      times: 1,
      unhandled: 0,
    };
  }

  private place(frame: Frame | undefined): string {
    if (frame === undefined) return 'unknown';
    const { path, sourceName, line, name } = frame;
    const file = path === undefined ? (sourceName ?? '') : this.rules.shortPath(path);
    const shown = name.replace(CURRENT, '');
    return `${file}:${line} ${shown.length > MAX_OF_A_NAME ? `${shown.slice(0, MAX_OF_A_NAME)}…` : shown}`;
  }
}

/** Whether a frame shows a place in a file. Functions of a runtime, such as C++'s `__cxa_throw`, have none. */
function isCode({ isLabel, path, sourceName }: Frame): boolean {
  return !isLabel && (path ?? sourceName ?? '') !== '';
}

/** @param own the index of the innermost own frame; negative if there is none */
function kindOf(type: string, frames: readonly Frame[], own: number): Kind {
  if (isControlFlow(type)) return 'controlFlow';
  if (own === 0) return 'own';
  if (own < 0) return 'foreign';
  const isLoader = ({ path, sourceName }: Frame): boolean => LOADER.test(path ?? sourceName ?? '');
  return frames.slice(0, own).some(isLoader) ? 'foreign' : 'library';
}

function rowOf(group: Group): Readonly<Record<string, unknown>> {
  const { type, message, at, times, thrownIn, callers, unhandled } = group;
  return {
    type,
    ...defined({ message }),
    at,
    times,
    ...defined({
      thrown_in: thrownIn,
      first_called_from: callers.length > 0 ? callers : undefined,
      unhandled: unhandled > 0 ? unhandled : undefined,
    }),
  };
}

/** Returns as many rows from the beginning as fit, at least one. */
function fitting<T>(rows: readonly T[], room: number): readonly T[] {
  let size = 0;
  const end = rows.findIndex((row, index) => {
    size += JSON.stringify(row).length + 1;
    return index > 0 && size > room;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

function timesOf(groups: readonly Group[]): number {
  return groups.reduce((sum, { times }) => sum + times, 0);
}

function countOf(
  groups: readonly Group[],
  kind: Kind,
): Readonly<Record<string, unknown>> | undefined {
  const counted = groups.filter((group) => group.kind === kind);
  return counted.length === 0 ? undefined : { times: timesOf(counted), types: typesOf(counted) };
}

/** The most frequent types, with their numbers. */
function typesOf(groups: readonly Group[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { type, times } of groups) counts.set(type, (counts.get(type) ?? 0) + times);
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const shown = sorted.slice(0, MAX_TYPES).map(([type, times]) => `${type} ${times}`);
  return sorted.length > MAX_TYPES ? [...shown, `${sorted.length - MAX_TYPES} other types`] : shown;
}
