import type { RecordedHit } from '../../../recording/recordedRows';
import type { RecordingPoint } from '../../../recording/recordingPlan';

/** Returns the hits of the chosen call. Later ones belong to another call, which began at the same place. */
export function hitsOfCall(
  hits: readonly RecordedHit[],
  beginning: number | undefined,
): readonly RecordedHit[] {
  const next = hits.findIndex(({ point }, index) => index > 0 && point === beginning);
  return next < 0 ? hits : hits.slice(0, next);
}

/** Returns the values that a frame shows after some of its locals have changed. */
export function localsAfter(
  before: ReadonlyMap<string, string>,
  changed: RecordedHit['locals'],
): Map<string, string> {
  const now = new Map(before);
  for (const [name, text] of Object.entries(changed ?? {}))
    if (text === undefined) now.delete(name);
    else now.set(name, text);
  return now;
}

/** Returns the values that a frame shows after a hit of a point. */
export function valuesAfter(
  before: ReadonlyMap<string, string>,
  { values: names }: RecordingPoint,
  { locals, values }: RecordedHit,
): Map<string, string> {
  if (names === 'locals') return localsAfter(before, locals);
  const now = new Map<string, string>();
  names.forEach((name, index) => {
    const text = values[index];
    if (typeof text === 'string') now.set(name, text);
  });
  return now;
}
