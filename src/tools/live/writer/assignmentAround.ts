import { samePath } from '../../../debugger/sourcePath';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import type { RecordedHit } from '../../../recording/recordedRows';
import { definiteWrite, type SeenWrite } from './chooseWrite';
import type { PlannedProbes } from './plannedProbes';

/** A write that was chosen, and the run in which it was. */
interface ChosenWrite {
  readonly write: SeenWrite;
  readonly hits: readonly RecordedHit[];
  /** The index of the hit at the place. */
  readonly moment: number;
  readonly probes: PlannedProbes;
}

/**
 * Finds the outermost line on the stack of a write that assigns what was asked about. It began before, but it assigns
 * when what it calls has returned. So it is the later write.
 * @param frames the stack at the write, the innermost first
 */
export function assignmentAround(
  frames: readonly Pick<Frame, 'path' | 'line'>[],
  { write, hits, moment, probes }: ChosenWrite,
): SeenWrite | undefined {
  const place = hits[moment];
  if (place === undefined) return undefined;
  for (const { path, line } of frames.slice(1).reverse()) {
    const points = probes.points.filter(
      (each) => each.line === line && samePath(each.path, path ?? ''),
    );
    for (const candidate of probes.candidates) {
      if (!points.some(({ id }) => id === candidate.point)) continue;
      const index = hits
        .slice(0, write.index)
        .findLastIndex((hit) => hit.point === candidate.point && isAround(hit, write.hit));
      const hit = hits[index];
      const found = hit && definiteWrite(candidate, index, hit, place, probes);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Whether a call of a line may have made a hit. */
function isAround(line: RecordedHit, inside: RecordedHit): boolean {
  if (line.pid !== inside.pid || line.thread !== inside.thread) return false;
  return line.depth !== undefined && inside.depth !== undefined && line.depth < inside.depth;
}
