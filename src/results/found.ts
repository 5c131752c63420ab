/** A part of a text that is a credential or belongs to one. */
export interface FoundCredential {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/**
 * Sorts the parts and merges overlapping ones, so that no remainder of a credential is shown next to another. A merged
 * part has the kind of its first part.
 */
export function merged(parts: readonly FoundCredential[]): readonly FoundCredential[] {
  const all: FoundCredential[] = [];
  for (const part of [...parts].sort(
    (one, other) => one.start - other.start || other.end - one.end,
  )) {
    const last = all.at(-1);
    if (last === undefined || part.start >= last.end) all.push(part);
    else if (part.end > last.end) all[all.length - 1] = { ...last, end: part.end };
  }
  return all;
}
