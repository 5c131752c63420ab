import { rangesOf, type LineRange, type RanFile, type RanLines } from './ranLines';

/** Lines that a failing test ran, and not all of the passing ones. */
export interface Suspect extends LineRange {
  /** The number of passing tests that ran them, too. */
  readonly passed: number;
  /** The measure of Ochiai: 1 if no passing test ran them. */
  readonly score: number;
}

/**
 * Ranks the lines that a failing test ran: the fewer passing tests ran a line, too, the more suspect it is. Lines that all
 * passing tests ran are left out.
 * @param passing at least one run, each seen as a whole
 */
export function rankSuspects(failing: RanLines, passing: readonly RanLines[]): readonly Suspect[] {
  const suspects = failing.files.flatMap((file) => {
    const theirs = passing.map(({ files, unread }) =>
      unread.includes(file.path) ? undefined : (files.find(isOf(file)) ?? NOT_LOADED),
    );
    const known = theirs.filter((each) => each !== undefined);
    if (known.length < passing.length || known.some((each) => !hasSamePlaces(file, each)))
      return [];
    const passed = (line: number, places: readonly number[]): number =>
      Math.min(
        ...places.map((count, at) =>
          count === 0
            ? passing.length
            : known.filter(({ lines }) => (lines.get(line)?.[at] ?? 0) > 0).length,
        ),
      );
    return levelsOf(passing.length).flatMap((level) =>
      rangesOf(file, (line, places) => passed(line, places) === level).map((range) => ({
        ...{ ...range, passed: level },
        score: Math.round(100 / Math.sqrt(1 + level)) / 100,
      })),
    );
  });
  return suspects.sort((one, other) => one.passed - other.passed || one.size - other.size);
}

const NOT_LOADED = { lines: new Map<number, readonly number[]>() };

function isOf({ path }: RanFile) {
  return (other: RanFile): boolean => other.path === path;
}

/** The numbers of passing tests below all of them. */
function levelsOf(count: number): readonly number[] {
  return Array.from({ length: count }, (_, level) => level);
}

function hasSamePlaces({ lines }: RanFile, other: Pick<RanFile, 'lines'>): boolean {
  return [...lines].every(([line, places]) => {
    const theirs = other.lines.get(line);
    return theirs === undefined || theirs.length === places.length;
  });
}
