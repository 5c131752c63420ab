/** The kinds of files that diagnostics write, by the beginning and the end of their names. */
const KINDS = {
  profile: ['cpu-profile', 'cpuprofile'],
  heap: ['heap-snapshot', 'heapsnapshot'],
  report: ['report', 'zip'],
} as const;

export type ArtefactKind = keyof typeof KINDS;

/** A file that diagnostics have written. */
export interface Artefact {
  readonly name: string;
  readonly kind: ArtefactKind;
  readonly bytes: number;
  readonly changedAt: number;
}

/** The name of a file, such as `cpu-profile-2026-11-23T17-00-14-123Z.cpuprofile`. */
export function artefactName(kind: ArtefactKind, at: Date): string {
  const [beginning, end] = KINDS[kind];
  return `${beginning}-${at.toISOString().replace(/[:.]/g, '-')}.${end}`;
}

/** The kind of a file, from its name; undefined for a file that diagnostics have not written. */
export function kindOfArtefact(name: string): ArtefactKind | undefined {
  const match = /^([a-z-]+)-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.([a-z]+)$/.exec(name);
  if (match === null) return undefined;
  return (['profile', 'heap', 'report'] as const).find(
    (kind) => KINDS[kind][0] === match[1] && KINDS[kind][1] === match[2],
  );
}

const DAY_MS = 86_400_000;

/** The artefacts that are older than the given number of days. */
export function olderThan(
  artefacts: readonly Artefact[],
  days: number,
  now: number,
): readonly Artefact[] {
  return artefacts.filter(({ changedAt }) => now - changedAt > days * DAY_MS);
}

/** A number of bytes as people write it. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
