import path from 'node:path';
import type { Frame } from './stackAndVariables';

/**
 * Frames of a stack that are shown as one entry: library frames between the person's own frames, or frames of a
 * recursion.
 */
export interface FoldedFrames {
  /** The first of the folded frames. */
  readonly first: Frame;
  /** The index of the first folded frame in the stack; 0 is the innermost frame. */
  readonly start: number;
  readonly count: number;
  /** The title of the entry, such as `12 frames of vitest` or `37 more of fact`. */
  readonly title: string;
}

export type StackEntry = Frame | FoldedFrames;

export function isFolded(entry: StackEntry): entry is FoldedFrames {
  return 'title' in entry;
}

/** The minimum numbers of frames. Fewer frames are not folded. */
const MIN_EQUAL = 3;
const MIN_FOREIGN = 2;

/**
 * Folds a stack for display. The top frame is never folded. If no frame is the person's own, only recursions are
 * folded.
 * @param start the index of the first of `frames` in the stack
 */
export function foldFrames(
  frames: readonly Frame[],
  isOwn: (file: string) => boolean,
  start = 0,
): readonly StackEntry[] {
  const owns = frames.map((frame) => isOwnFrame(frame, isOwn));
  const hasOwn = owns.includes(true);
  const top = start === 0 ? frames.findIndex((frame) => !frame.isLabel) : -1;
  const foreignAt = (at: number): number =>
    hasOwn && at > top ? runLength(frames, at, (_, index) => owns[index] === false) : 0;
  const entries: StackEntry[] = [];
  let at = 0;
  for (let frame = frames[at]; frame !== undefined; frame = frames[at]) {
    const foreign = foreignAt(at);
    if (foreign >= MIN_FOREIGN) {
      const title = `${foreign} frames of ${ownerOf(frames.slice(at, at + foreign))}`;
      entries.push({ first: frame, start: start + at, count: foreign, title });
      at += foreign;
      continue;
    }
    entries.push(frame);
    const more = repetitions(frames, at, frame);
    at += 1;
    const next = frames[at];
    if (more === 0 || next === undefined) continue;
    const title = `${more} more of ${frame.name}`;
    entries.push({ first: next, start: start + at, count: more, title });
    at += more;
  }
  return entries;
}

/** The number of frames of a recursion that follow a shown frame; 0 if there are too few to fold. */
function repetitions(frames: readonly Frame[], at: number, frame: Frame): number {
  const equal = runLength(frames, at, (other) => isEqual(other, frame));
  return equal < MIN_EQUAL ? 0 : equal - 1;
}

export function isOwnFrame(frame: Frame, isOwn: (file: string) => boolean): boolean {
  return !frame.subtle && frame.path !== undefined && isOwn(frame.path);
}

function runLength(
  frames: readonly Frame[],
  from: number,
  belongs: (frame: Frame, index: number) => boolean,
): number {
  let end = from;
  for (let frame = frames[end]; frame !== undefined && belongs(frame, end); frame = frames[end])
    end += 1;
  return end - from;
}

function isEqual(one: Frame, other: Frame): boolean {
  return (
    !one.isLabel && one.name === other.name && one.path === other.path && one.line === other.line
  );
}

/** The owner of a run of frames: the package to which most of them belong. */
function ownerOf(frames: readonly Frame[]): string {
  const counts = new Map<string, number>();
  for (const frame of frames) {
    if (frame.isLabel) continue;
    const owner = packageOf(frame);
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  const [first, ...others] = [...counts].sort(([, one], [, other]) => other - one);
  if (first === undefined) return 'other code';
  return others.length === 0
    ? first[0]
    : `${first[0]} and ${others.length === 1 ? (others[0]?.[0] ?? '') : 'others'}`;
}

const PACKAGES: readonly RegExp[] = [
  // The innermost package counts, because packages may contain packages.
  /^.*[\\/]node_modules[\\/](?:\.pnpm[\\/][^\\/]+[\\/]node_modules[\\/])?((?:@[^\\/]+[\\/])?[^\\/]+)/,
  /^.*[\\/](?:site|dist)-packages[\\/]([^\\/]+?)(?:\.py)?(?:[\\/]|$)/,
  /^.*[\\/]lib[\\/]python\d[\d.]*[\\/]([^\\/]+?)(?:\.py)?(?:[\\/]|$)/,
  /^<frozen ([^>. ]+)/,
  // Go modules and Go's standard library.
  /^.*[\\/]pkg[\\/]mod[\\/]([^@]{1,300})@/,
  /^.*[\\/]go[^\\/]*[\\/]src[\\/](.{1,300})[\\/][^\\/]{1,200}\.go$/,
];

/** The package or module of a frame, from its path; otherwise from the name of its function or file. */
function packageOf({ name, path: file = '', sourceName = '' }: Frame): string {
  const source = file === '' ? sourceName : file;
  if (/(?:^|[\\/])<node_internals>|^node:/.test(source)) return 'Node';
  for (const pattern of PACKAGES) {
    const found = pattern.exec(source)?.[1];
    if (found !== undefined) return found.replaceAll('\\', '/');
  }
  // In Java, function names contain the package: `java.util.stream.ReferencePipeline.forEach(Consumer)`.
  const java = /^((?:[a-z_][\w]*\.){2,})[A-Z]/.exec(name)?.[1];
  if (java !== undefined) return java.slice(0, -1);
  return path.basename(source) || 'other code';
}
