import { z } from 'zod';
import type { Frame } from '../../debugger/inspection/stackAndVariables';
import { defined } from '../../util/defined';
import { waitByNames } from './waitByNames';

/** The maximum number of groups, of frames and of names that an answer has. */
export const MOST = { groups: 20, frames: 8, names: 5 } as const;

const wait = z.object({
  /** `running`: it runs code. `unknown`: it may wait, and for what is not known. */
  kind: z.string(),
  what: z.string().optional(),
  /** The thread that has what is waited for, where that is known. */
  owner: z.string().optional(),
  /** The place where the owner took it. */
  owner_at: z.string().optional(),
  /** Whether the wait ends by itself. */
  limited: z.boolean().optional(),
  file_path: z.string().optional(),
  line_number: z.int().optional(),
});

const group = z.object({
  threads: z.array(z.string()).readonly(),
  count: z.int(),
  stack: z.array(z.string()).readonly(),
  omitted_frames: z.int().optional(),
  waits_for: wait,
  /** Of the innermost frame, if it runs. */
  variables: z.record(z.string(), z.string()).optional(),
  omitted_variables: z.int().optional(),
});

const tasks = z.object({
  state: z.string(),
  count: z.int(),
  names: z.array(z.string()).readonly(),
  awaits: z.array(z.string()).readonly(),
  waits_for: z.string().optional(),
});

const locked = z.object({
  thread: z.string(),
  waits_for: z.string(),
  file_path: z.string().optional(),
  line_number: z.int().optional(),
  held_by: z.string(),
  held_at: z.string().optional(),
});

const pending = z.object({ kind: z.string(), what: z.string().optional(), count: z.int() });

/** The fields of an explanation of a hang. */
export const hangFields = {
  groups: z.array(group).readonly().optional(),
  deadlock: z.array(locked).readonly().optional(),
  tasks: z.array(tasks).readonly().optional(),
  pending: z.array(pending).readonly().optional(),
  unknown: z.array(z.string()).readonly().optional(),
  total: z.record(z.string(), z.int()).optional(),
};

const hangReport = z.object(hangFields);

export type HangReport = z.infer<typeof hangReport>;
export type ThreadGroup = z.infer<typeof group>;
export type Pending = z.infer<typeof pending>;

/** Reads a report that code in the program has written. Returns undefined if it is not a report. */
export function readReport(text: string): HangReport | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const read = hangReport.safeParse(value);
  return read.success ? withoutEmpty(read.data) : undefined;
}

/** Leaves out empty lists. A missing list says the same. */
export function withoutEmpty(report: HangReport): HangReport {
  return Object.fromEntries(
    Object.entries(report).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  );
}

export type Wait = z.infer<typeof wait>;
export type Locked = z.infer<typeof locked>;

/** A thread of a program that has stopped, with its innermost frames. */
export interface ThreadStack {
  readonly name: string;
  readonly frames: readonly Frame[];
  /** The number of frames beyond these; undefined if unknown. */
  readonly more: number | undefined;
  /** What is known of its wait beyond the names of its functions. */
  readonly wait?: Partial<Wait>;
}

/** The maximum number of groups with equal stacks that wait for different things. */
const MAX_APART = 4;

/**
 * Threads with equal stacks as one group, largest groups first. Those that wait for different things, or for different
 * threads, are apart if they are few kinds.
 */
export function groupsOf(threads: readonly ThreadStack[]): readonly ThreadGroup[] {
  const stacks = collected(threads, ({ frames }) => frames.map(shownFrame));
  return stacks
    .flatMap((alike): readonly ThreadGroup[] => {
      const apart = collected(alike, ({ wait: { what, owner } = {} }) => [what, owner]);
      return apart.length <= MAX_APART
        ? apart.flatMap((each) => groupOf(each, {}))
        : groupOf(alike, { what: `${apart.length} different ones`, owner: undefined });
    })
    .sort((one, other) => other.count - one.count);
}

function groupOf(alike: readonly ThreadStack[], differing: object): readonly ThreadGroup[] {
  const [first] = alike;
  if (first === undefined) return [];
  const beyond = Math.max(0, first.frames.length - MOST.frames) + (first.more ?? 0);
  const group = defined({
    threads: alike.slice(0, MOST.names).map(({ name }) => name),
    count: alike.length,
    stack: first.frames.slice(0, MOST.frames).map(shownFrame),
    omitted_frames: beyond > 0 ? beyond : undefined,
    waits_for: defined({ ...waitOf(first), ...differing }),
  });
  return [group];
}

/** What a thread waits for. */
export function waitOf({ frames, wait }: ThreadStack): Wait {
  return { ...waitByNames(frames), ...wait };
}

/** Those with equal keys together, in the order of the first of each. */
function collected(
  threads: readonly ThreadStack[],
  keyOf: (thread: ThreadStack) => unknown,
): readonly (readonly ThreadStack[])[] {
  const lists = new Map<string, ThreadStack[]>();
  for (const thread of threads) {
    const key = JSON.stringify(keyOf(thread));
    const known = lists.get(key);
    if (known === undefined) lists.set(key, [thread]);
    else known.push(thread);
  }
  return [...lists.values()];
}

function shownFrame({ name, path, line }: Frame): string {
  return path === undefined ? name : `${name} (${path}:${line})`;
}
