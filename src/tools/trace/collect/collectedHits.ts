import { samePath } from '../../../debugger/sourcePath';
import type { RecordedHit } from '../../../recording/recordedRows';
import { pathOf } from '../../../results/stackText';
import { HitNumbers, type Hit } from './collector';

/** Numbers the hits that a recording reports. */
export class RecordedHits {
  /** Whether the recorder stopped the program because a claim was refuted. */
  isRefuted = false;
  private readonly all: Hit[] = [];
  private readonly numbers = new HitNumbers();
  /** The numbers of the calls, by process and activation. */
  private readonly calls = new Map<string, number>();
  /** The places at which the program itself saw the hits of each probe. */
  private readonly places = new Map<number, NonNullable<RecordedHit['at']>>();

  get hits(): readonly Hit[] {
    return this.all;
  }

  add(recorded: readonly RecordedHit[]): void {
    for (const hit of recorded) {
      const { point, pid, thread, caller, values, wholes, claim, stack, stopped, at } = hit;
      this.isRefuted ||= stopped;
      const number = this.numbers.next(point);
      const call = this.callOf(hit);
      if (at !== undefined) this.places.set(point, at);
      this.all.push({
        ...{ probe: point, number, process: pid, call, thread, caller },
        ...{ values, wholes, claim, stack },
      });
    }
  }

  private callOf({ pid, activation }: RecordedHit): number | undefined {
    if (activation === undefined) return undefined;
    const key = `${pid}/${activation}`;
    const call = this.calls.get(key) ?? this.calls.size + 1;
    this.calls.set(key, call);
    return call;
  }

  /**
   * Leaves out the lines of callers and frames if the program knows other lines in the file of a probe than the debugger.
   * A test runner has compiled the files in memory then, and only the debugger has their source maps.
   * @param placeOf the place of a probe in the source
   */
  hideCompiledLines(placeOf: (probe: number) => SourcePlace | undefined): void {
    const isCompiled = [...this.places].some(([probe, { file, line }]) => {
      const source = placeOf(probe);
      return source !== undefined && samePath(pathOf(file), source.path) && line !== source.line;
    });
    if (!isCompiled) return;
    this.all.forEach((hit, index) => {
      const [, ...callers] = hit.stack ?? [];
      const stack = hit.stack && [
        atLine(hit.stack[0], placeOf(hit.probe)?.line),
        ...callers.map(withoutLine),
      ];
      this.all[index] = { ...hit, caller: hit.caller && withoutLine(hit.caller), stack };
    });
  }
}

interface SourcePlace {
  readonly path: string;
  readonly line: number;
}

const PLACE = /:\d+\)$/;

function atLine(frame = '', line: number | undefined): string {
  return line === undefined ? withoutLine(frame) : frame.replace(PLACE, `:${line})`);
}

/** The files of packages run as they are. */
function withoutLine(frame: string): string {
  return /[\\/]node_modules[\\/]/.test(frame) ? frame : frame.replace(PLACE, ')');
}
