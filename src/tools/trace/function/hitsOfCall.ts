import type { ComparedParts, RecordedHit } from '../../../recording/recordedRows';
import type { RecordingPoint } from '../../../recording/recordingPlan';
import { baseOf } from './values';

/** Returns the hits of the chosen call. Later ones belong to another call, which began at the same place. */
export function hitsOfCall(
  hits: readonly RecordedHit[],
  beginning: number | undefined,
): readonly RecordedHit[] {
  const next = hits.findIndex(({ point }, index) => index > 0 && point === beginning);
  return next < 0 ? hits : hits.slice(0, next);
}

/** The parts of variables that a recorder has told. Each hit tells those that have changed. */
export class PartsTold {
  private readonly told = new Map<string, string>();

  /** Adds what is known of parts to the values of a hit. */
  addTo(values: Map<string, string>, parts: ComparedParts | undefined): void {
    for (const { name, now } of parts?.changes ?? [])
      if (now === undefined) this.told.delete(name);
      else this.told.set(name, now);
    for (const { name } of parts?.changes ?? []) values.delete(name);
    for (const [name, text] of this.told) if (values.has(baseOf(name))) values.set(name, text);
  }
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
