/** More lines are compared as they stand, one by one. */
const MOST_LINES = 400;
const CONTEXT = 2;
const MOST_SHOWN = 60;

/** Lines of two texts: `-` what was expected, `+` what was there, and a few equal lines around them. */
export function lineDiff(expected: string, actual: string): readonly string[] {
  const lines = compared(expected.split('\n'), actual.split('\n'));
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some((each) => !each.startsWith(' ')),
  );
  const shown: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (isNear[at] === true) shown.push(line);
    else if (shown.at(-1) !== '…') shown.push('…');
  }
  return shown.length <= MOST_SHOWN
    ? shown
    : [...shown.slice(0, MOST_SHOWN), `… ${shown.length - MOST_SHOWN} more lines`];
}

function compared(expected: readonly string[], actual: readonly string[]): string[] {
  if (Math.max(expected.length, actual.length) > MOST_LINES) return inPlace(expected, actual);
  const common = longestCommon(expected, actual);
  const lines: string[] = [];
  let [left, right] = [0, 0];
  while (left < expected.length || right < actual.length) {
    const [wanted, got] = [expected[left], actual[right]];
    if (wanted !== undefined && wanted === got) {
      lines.push(` ${wanted}`);
      left += 1;
      right += 1;
    } else if (
      wanted !== undefined &&
      (got === undefined || (common[left + 1]?.[right] ?? 0) >= (common[left]?.[right + 1] ?? 0))
    ) {
      lines.push(`-${wanted}`);
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
    ([wanted, got]) =>
      wanted === got
        ? [` ${wanted ?? ''}`]
        : [
            ...(wanted === undefined ? [] : [`-${wanted}`]),
            ...(got === undefined ? [] : [`+${got}`]),
          ],
  );
}

/** By places in both: how many lines from there on are common. */
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
