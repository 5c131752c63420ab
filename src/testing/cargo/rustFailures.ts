import { samePath } from '../../debugger/sourcePath';
import { defined } from '../../util/defined';
import { framesToTest } from '../native/ownFrames';
import { stopAtOf, type Recorded, type RecordedPlace } from '../native/recordedPlaces';
import type { ReportedError, ReportedFrame } from '../runReport';
import { panicsIn, sidesOf, unexpectedPanic, type Panic } from './panics';

/**
 * What the library says about an error of another thread. The panic of that thread is the origin of the failure then.
 */
const OF_ANOTHER_THREAD =
  /\bAny \{ \.\. \}|a scoped thread panicked|\bPoisonError\b|\b(?:Recv|Send|TryRecv|Join)Error\b/;

/** The errors of the tests in one run. */
export class RustFailures {
  private readonly panics: readonly Panic[];
  private readonly recordedOf: ReadonlyMap<Panic, RecordedPlace>;

  constructor(
    private readonly lines: readonly string[],
    folder: string,
    private readonly known: Recorded,
  ) {
    this.panics = panicsIn(lines, folder);
    this.recordedOf = assigned(this.panics, known.places);
  }

  /** Returns the last panic that was printed. */
  printed(): ReportedError | undefined {
    const last = this.panics.at(-1);
    return last === undefined ? undefined : this.errorOfPanic(last);
  }

  /**
   * Returns the error of a test.
   * @param end the index of the line with its result
   */
  errorOf(name: string, end: number): ReportedError {
    const before = this.panics.filter(({ index }) => index < end);
    const isOwn = ({ thread }: Panic): boolean => thread === name || thread === 'main';
    // Earlier panics of the test's own thread were caught.
    const own = before.findLast(isOwn);
    const others = before.filter((panic) => panic.thread === '<unnamed>' || !this.isTest(panic));
    const foreign = others.filter((panic) => !isOwn(panic));
    const returned = this.returned(end);
    if (returned !== undefined && returned > (own?.index ?? -1))
      return this.returnedError(returned, end);
    const last = own ?? foreign.at(-1);
    if (last === undefined) return bare(this.note() ?? '');
    // A task of a runtime may run in the thread of the test.
    const possible = /\bJoinError\b/.test(last.message) ? before : foreign;
    const origin = OF_ANOTHER_THREAD.test(last.message)
      ? possible.findLast(({ index }) => index < last.index)
      : undefined;
    const first = origin ?? last;
    const further = [...foreign, last].filter((panic) => panic !== first);
    return {
      ...this.errorOfPanic(first),
      ...(origin === undefined ? unexpectedPanic(this.lines) : {}),
      further: further.map((panic) => this.errorOfPanic(panic)),
    };
  }

  private isTest({ thread }: Panic): boolean {
    return this.lines.some((line) => line.includes(`test ${thread} `));
  }

  private errorOfPanic(panic: Panic): ReportedError {
    const { message, at, thread } = panic;
    const recorded = this.recordedOf.get(panic);
    const own = recorded === undefined ? [] : framesToTest(recorded.frames, at);
    const bareFrames = at === undefined ? [] : [{ ...at, name: thread }];
    const isLost = recorded === undefined ? this.known.isIncomplete : recorded.isWithoutValues;
    return {
      type: 'panic',
      message,
      ...sidesOf(message),
      ...defined({ place: at === undefined ? undefined : { path: at.path, line: at.line } }),
      frames: own.length > 0 ? own : bareFrames,
      causes: [],
      occurrence: this.panics.indexOf(panic) + 1,
      ...(recorded !== undefined && { stopAt: stopAtOf(recorded) }),
      ...(isLost && { withoutValues: 'too_many_panics' }),
    };
  }

  /** What the library says about a test that should have panicked. New versions name its place. */
  private note(): string | undefined {
    return this.lines.find((line) => /^note: test did not /.test(line))?.slice('note: '.length);
  }

  /** Returns the index of the line with the error that a test returned. The library prints it with `Debug`. */
  private returned(end: number): number | undefined {
    const at = this.lines.slice(0, end).findLastIndex((line) => line.startsWith('Error: '));
    return at < 0 ? undefined : at;
  }

  private returnedError(at: number, end: number): ReportedError {
    const message = this.lines.slice(at, end).join('\n').trimEnd();
    const origin = this.originOfReturned();
    if (origin === undefined) return bare(message);
    const frames = framesToTest(ownCode(origin), undefined);
    return { ...bare(message), frames, stopAt: stopAtOf(origin) };
  }

  /**
   * Returns the place of the `?` that returned the error: the last one of the test itself, or the one of a function that
   * the test called there, as it returned the same error just before.
   */
  private originOfReturned(): RecordedPlace | undefined {
    const places = this.known.places.filter(({ kind }) => kind === 'residual');
    let at = places.findLastIndex(({ isOfTest }) => isOfTest);
    while (at > 0) {
      const [now, before] = [places[at], places[at - 1]];
      const [top] = now === undefined ? [] : ownCode(now);
      const isCaller =
        before !== undefined &&
        before.thread === now?.thread &&
        ownCode(before)
          .slice(1)
          .some((frame) => frame.name === top?.name && frame.line === top.line);
      if (!isCaller) break;
      at -= 1;
    }
    return places[at];
  }
}

function bare(message: string): ReportedError {
  return { type: undefined, message, frames: [], causes: [] };
}

/** The frames without the function that a `?` calls. */
function ownCode({ frames }: RecordedPlace): readonly ReportedFrame[] {
  return frames.slice(frames[0]?.name.includes('from_residual') === true ? 1 : 0);
}

/**
 * Finds the recorded panic of each printed one. Both are in order. The library prints nothing about a panic that it
 * passes on, and a macro has another place in the debug information than in the message.
 */
function assigned(
  panics: readonly Panic[],
  places: readonly RecordedPlace[],
): ReadonlyMap<Panic, RecordedPlace> {
  const waiting = places.filter(({ kind }) => kind === 'panic');
  const found = new Map<Panic, RecordedPlace>();
  for (const panic of panics) {
    const { at, threadId } = panic;
    const isOfThread = ({ thread }: RecordedPlace): boolean =>
      threadId === undefined || thread === threadId;
    const isThere = ({ frames }: RecordedPlace): boolean =>
      at !== undefined &&
      frames.some(({ path, line }) => line === at.line && samePath(path, at.path));
    const possible = waiting.filter(isOfThread);
    const recorded = possible.find(isThere) ?? possible[0];
    if (recorded === undefined) continue;
    found.set(panic, recorded);
    waiting.splice(waiting.indexOf(recorded), 1);
  }
  return found;
}
