/** The lines of a file that say whether they ran. */
export interface RanFile {
  readonly path: string;
  /**
   * By line, how often each of its places was reached. A line of JavaScript has several places, such as both results of a
   * condition. Files with the same text have the same places.
   */
  readonly lines: ReadonlyMap<number, readonly number[]>;
  /** Whether lines that are not in it did not run. Otherwise they may have no code. */
  readonly isWhole: boolean;
}

/** What ran in a run of a program. */
export interface RanLines {
  /**
   * What is counted: lines, or entries of blocks. If an exception leaves a block, all of the block counts.
   */
  readonly unit: 'line' | 'block';
  readonly files: readonly RanFile[];
  /** Why code may have run that is not in it. Undefined if everything was seen. */
  readonly missed?: string | undefined;
  /** The files whose counts could not be read. */
  readonly unread: readonly string[];
  /** What else is to be known about the counts. */
  readonly notes: readonly string[];
}

export interface LineRange {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** The number of lines in it that have code. */
  readonly size: number;
}

/** How often a line was reached. */
export function countOf(places: readonly number[]): number {
  return Math.max(0, ...places);
}

/** Joins lines that follow each other in a file, if `isSame` says that they belong together. */
export function rangesOf(
  { path, lines }: RanFile,
  isIncluded: (line: number, places: readonly number[]) => boolean,
  isSame: (one: readonly number[], other: readonly number[]) => boolean = () => true,
): readonly LineRange[] {
  const ranges: LineRange[] = [];
  let last: readonly number[] | undefined;
  for (const [line, places] of [...lines].sort(([one], [other]) => one - other)) {
    const before = ranges.at(-1);
    if (!isIncluded(line, places)) last = undefined;
    else if (before !== undefined && last !== undefined && isSame(last, places)) {
      ranges[ranges.length - 1] = { ...before, to: line, size: before.size + 1 };
      last = places;
    } else {
      ranges.push({ path, from: line, to: line, size: 1 });
      last = places;
    }
  }
  return ranges;
}

/** What only one of two runs did, and the files that cannot be compared. */
export interface OnlyOne {
  readonly ranges: readonly LineRange[];
  readonly changed: readonly string[];
}

/**
 * Returns what ran in one run and did not run in the other, the shortest first.
 * @returns undefined if the other may have run code that was not seen
 */
export function onlyIn(one: RanLines, other: RanLines): OnlyOne | undefined {
  if (other.missed !== undefined) return undefined;
  const changed: string[] = [];
  const ranges = one.files.flatMap((file) => {
    if (other.unread.includes(file.path)) {
      changed.push(file.path);
      return [];
    }
    const theirs = other.files.find(({ path }) => path === file.path);
    const only = linesOnlyIn(file, theirs);
    if (only !== undefined) return rangesOf(file, (line) => only.has(line));
    changed.push(file.path);
    return [];
  });
  return { ranges: [...ranges].sort((left, right) => left.size - right.size), changed };
}

/** Returns the lines with a place that only one of two runs has reached. Undefined if the file has changed. */
export function linesOnlyIn(
  file: RanFile,
  other: RanFile | undefined,
): ReadonlySet<number> | undefined {
  const only = new Set<number>();
  for (const [line, places] of file.lines) {
    const theirs = other?.lines.get(line) ?? [];
    if (theirs.length > 0 && theirs.length !== places.length) return undefined;
    if (places.some((count, at) => count > 0 && (theirs[at] ?? 0) === 0)) only.add(line);
  }
  return only;
}

/** Returns the lines of a file as a short text, such as `1-4, 7 ×3`. */
export function rangesText(ranges: readonly LineRange[], file: RanFile): string {
  return ranges
    .map(({ from, to }) => {
      const count = countOf(file.lines.get(from) ?? []);
      return `${from === to ? from : `${from}-${to}`}${count > 1 ? ` ×${count}` : ''}`;
    })
    .join(', ');
}
