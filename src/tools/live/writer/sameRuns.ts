import type { RecordedHit, RecordedValue } from '../../../recording/recordedRows';
import type { PlannedProbes } from './plannedProbes';

/** What was different in a further run. */
export interface Difference {
  /** A variable, or what else it is about. */
  readonly what: string;
  readonly at?: string | undefined;
  readonly first: string;
  readonly again: string;
}

export function shownValue(value: RecordedValue): string {
  if (value === undefined) return '(not there)';
  return typeof value === 'string' ? value : `(${value.error})`;
}

function isSame(one: RecordedValue, other: RecordedValue): boolean {
  return withoutClientPorts(shownValue(one)) === withoutClientPorts(shownValue(other));
}

/**
 * The address of a client on this computer with a port that the system chooses (from 32768): `('127.0.0.1', 40008)` and
 * `127.0.0.1:40008`. It is another one for each connection.
 */
const CLIENT_PORT =
  /((?:127\.0\.0\.1|::1|localhost)['"]?(?:, |:))(?:3[2-9]|[45]\d|6[0-5])\d{3}(?!\d)/g;

function withoutClientPorts(text: string): string {
  return text.replace(CLIENT_PORT, '$1…');
}

/**
 * Finds the hits of the place that are like the stop of the first run: with the same value, and the same variables.
 * @param stop what was read at the stop, with the values of the place
 * @param which the number of the hit of the place, if it is known
 * @returns the indexes of these hits, or what differs in the hit that is most like it
 */
export function sameMoments(
  hits: readonly RecordedHit[],
  stop: RecordedHit,
  { place, at, asked }: Pick<PlannedProbes, 'place' | 'at' | 'asked'>,
  which?: number,
): { readonly found: readonly number[]; readonly differs: Difference | undefined } {
  const compared = [{ name: asked.expression, index: at.value }, ...at.names];
  const found: number[] = [];
  let nearest: { readonly differing: number; readonly first: Difference } | undefined;
  hits.forEach((hit, index) => {
    if (hit.point !== place) return;
    const differing = compared.filter(
      (each) => !isSame(hit.values[each.index], stop.values[each.index]),
    );
    // The variables come first: what was asked about may only follow from them.
    const shown = differing.at(-1);
    if (shown === undefined) found.push(index);
    else if (nearest === undefined || differing.length < nearest.differing)
      nearest = {
        differing: differing.length,
        first: {
          what: shown.name,
          first: shownValue(stop.values[shown.index]),
          again: shownValue(hit.values[shown.index]),
        },
      };
  });
  const differs = found.length > 0 ? undefined : nearest?.first;
  const exact = which === undefined ? undefined : indexOfHit(hits, place, which);
  return { found: exact !== undefined && found.includes(exact) ? [exact] : found, differs };
}

function indexOfHit(
  hits: readonly RecordedHit[],
  place: number,
  which: number,
): number | undefined {
  return [...hits.entries()].filter(([, { point }]) => point === place)[which - 1]?.[0];
}

/**
 * Compares the hits of two further runs.
 * @param identities the indexes of values that are different in each run, by point
 * @returns the first difference
 */
export function firstDifference(
  one: readonly RecordedHit[],
  other: readonly RecordedHit[],
  probes: PlannedProbes,
): Difference | undefined {
  for (const [index, hit] of one.entries()) {
    const again = other[index];
    const at = placeText(hit, probes);
    if (again === undefined) return { what: 'hits', at, first: 'reached', again: 'not reached' };
    if (again.point !== hit.point || again.depth !== hit.depth)
      return { what: 'order of lines', first: at, again: placeText(again, probes) };
    const hidden = identitiesOf(hit.point, probes);
    const differing = hit.values.findIndex(
      (value, which) => !hidden.has(which) && !isSame(value, again.values[which]),
    );
    if (differing < 0) continue;
    const what = probes.points.find(({ id }) => id === hit.point)?.values[differing] ?? 'a value';
    return {
      ...{ what, at },
      first: shownValue(hit.values[differing]),
      again: shownValue(again.values[differing]),
    };
  }
  return undefined;
}

function placeText({ point }: RecordedHit, { points }: PlannedProbes): string {
  const found = points.find(({ id }) => id === point);
  return found === undefined ? '' : `${found.path}:${found.line}`;
}

function identitiesOf(point: number, { place, at, candidates }: PlannedProbes): Set<number> {
  const all =
    point === place
      ? [at.owner, at.object, at.holder]
      : candidates.filter((each) => each.point === point).map(({ identity }) => identity);
  return new Set(all.filter((index) => index !== undefined));
}
