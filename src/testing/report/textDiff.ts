/** The maximum number of lines for which insertions are found. Longer texts are compared line by line. */
const MAX_LINES = 400;
const CONTEXT = 2;
const MAX_SHOWN = 60;

/** Returns the lines in which two texts differ (`-` expected, `+` actual), with a few equal lines around them. */
export function lineDiff(expected: string, actual: string): readonly string[] {
  const lines = compared(expected.split('\n'), actual.split('\n'));
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some((line) => !line.startsWith(' ')),
  );
  const shown: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (isNear[at] === true) shown.push(line);
    else if (shown.at(-1) !== '…') shown.push('…');
  }
  return shown.length <= MAX_SHOWN
    ? shown
    : [...shown.slice(0, MAX_SHOWN), `… ${shown.length - MAX_SHOWN} more lines`];
}

function compared(expected: readonly string[], actual: readonly string[]): string[] {
  if (Math.max(expected.length, actual.length) > MAX_LINES) return inPlace(expected, actual);
  const common = longestCommon(expected, actual);
  const lines: string[] = [];
  let [left, right] = [0, 0];
  while (left < expected.length || right < actual.length) {
    const [want, got] = [expected[left], actual[right]];
    if (want !== undefined && want === got) {
      lines.push(` ${want}`);
      left += 1;
      right += 1;
    } else if (
      want !== undefined &&
      (got === undefined || (common[left + 1]?.[right] ?? 0) >= (common[left]?.[right + 1] ?? 0))
    ) {
      lines.push(`-${want}`);
      left += 1;
    } else {
      lines.push(`+${got ?? ''}`);
      right += 1;
    }
  }
  return lines;
}

function inPlace(expected: readonly string[], actual: readonly string[]): string[] {
  const length = Math.max(expected.length, actual.length);
  return Array.from({ length }, (_, at) => [expected[at], actual[at]] as const).flatMap(
    ([want, got]) =>
      want === got
        ? [` ${want ?? ''}`]
        : [...(want === undefined ? [] : [`-${want}`]), ...(got === undefined ? [] : [`+${got}`])],
  );
}

/** Returns, for each pair of positions, the number of common lines from there on. */
function longestCommon(one: readonly string[], other: readonly string[]): number[][] {
  const table = Array.from({ length: one.length + 1 }, () =>
    new Array<number>(other.length + 1).fill(0),
  );
  for (let at = one.length - 1; at >= 0; at -= 1)
    for (let to = other.length - 1; to >= 0; to -= 1) {
      const row = table[at];
      const below = table[at + 1];
      if (row === undefined || below === undefined) continue;
      row[to] =
        one[at] === other[to]
          ? (below[to + 1] ?? 0) + 1
          : Math.max(below[to] ?? 0, row[to + 1] ?? 0);
    }
  return table;
}
