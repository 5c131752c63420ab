import type { RecordedHit } from '../../../recording/recordedRows';
import { HitNumbers, type Hit } from './collector';

/** Numbers the hits that a recording reports. */
export class RecordedHits {
  /** Whether the recorder stopped the program because a claim was refuted. */
  isRefuted = false;
  private readonly all: Hit[] = [];
  private readonly numbers = new HitNumbers();
  /** The lines at which the program itself saw the hits of each probe. */
  private readonly lines = new Map<number, number>();

  get hits(): readonly Hit[] {
    return this.all;
  }

  add(recorded: readonly RecordedHit[]): void {
    for (const { point, thread, caller, values, claim, stack, stopped, line } of recorded) {
      this.isRefuted ||= stopped;
      const number = this.numbers.next(point);
      if (line !== undefined) this.lines.set(point, line);
      this.all.push({ probe: point, number, thread, caller, values, claim, stack });
    }
  }

  /**
   * Leaves out the lines of callers and frames if the program knows other lines than the debugger. A test runner has
   * compiled the files in memory then, and only the debugger has their source maps.
   * @param lineOf the line of a probe in the source
   */
  hideCompiledLines(lineOf: (probe: number) => number | undefined): void {
    const isCompiled = [...this.lines].some(([probe, line]) => line !== lineOf(probe));
    if (!isCompiled) return;
    this.all.forEach((hit, index) => {
      const [, ...callers] = hit.stack ?? [];
      const stack = hit.stack && [
        atLine(hit.stack[0], lineOf(hit.probe)),
        ...callers.map(withoutLine),
      ];
      this.all[index] = { ...hit, caller: hit.caller && withoutLine(hit.caller), stack };
    });
  }
}

const PLACE = /:\d+\)$/;

function atLine(frame = '', line: number | undefined): string {
  return line === undefined ? withoutLine(frame) : frame.replace(PLACE, `:${line})`);
}

/** The files of packages run as they are. */
function withoutLine(frame: string): string {
  return /[\\/]node_modules[\\/]/.test(frame) ? frame : frame.replace(PLACE, ')');
}
