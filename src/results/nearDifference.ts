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

/** Texts of collections up to this length are shown whole. */
const MAX_WHOLE = 40;
/** The number of equal characters at the beginning from which the texts begin at the entry that differs. */
const MIN_EQUAL = 20;
/** The maximum length of the entry before the difference. */
const MAX_ENTRY = 40;

/** Returns the texts of two collections from the entry before their first difference, if they begin with the same ones. */
export function nearEntry(one: string, other: string): readonly [one: string, other: string] {
  if (one.length <= MAX_WHOLE && other.length <= MAX_WHOLE) return [one, other];
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at += 1;
  const from = one.lastIndexOf(', ', at - 1) + 2;
  if (at < MIN_EQUAL || from < MIN_EQUAL / 2 || at - from > MAX_ENTRY) return [one, other];
  const cut = (text: string): string => `…${text.slice(from).replace(/^…/, '')}`;
  return [cut(one), cut(other)];
}
