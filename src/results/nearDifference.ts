/**
 * Returns two texts from shortly before their first difference, so that the difference is within the first `most`
 * characters. Texts that differ early are returned whole.
 */
export function nearDifference(
  one: string,
  other: string,
  most: number,
): readonly [one: string, other: string] {
  if (one.length <= most && other.length <= most) return [one, other];
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at += 1;
  if (at <= most / 2) return [one, other];
  const from = at - Math.floor(most / 4);
  return [`…${one.slice(from)}`, `…${other.slice(from)}`];
}
