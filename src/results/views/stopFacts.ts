import type { DebuggerError } from '../../debugger/debuggerError';
import type { ReportedException } from '../../debugger/inspection/exceptionDetails';
import { isOwnFrame } from '../../debugger/inspection/foldedFrames';
import {
  FRAMES_OF_A_STOP,
  type FramePage,
  type Inspector,
} from '../../debugger/inspection/inspector';
import {
  noting,
  readLocals,
  readLocalsWithFields,
  type LocalVariables,
} from '../../debugger/inspection/localVariables';
import { topFrame, type Frame } from '../../debugger/inspection/stackAndVariables';
import type { SessionState } from '../../debugger/state/state';
import type { StopEventData } from './stopEventData';
import { sourceLines, type ReadSource } from './stopSource';

/** A thread that is stopped, and the stop. */
export type StopPlace = ReturnType<Inspector['placeOf']>;

/** What was read of a stop. */
export interface StopFacts {
  readonly session: SessionState;
  readonly page: FramePage;
  readonly top: Frame | undefined;
  /** Of the innermost frame. */
  readonly locals: LocalVariables | undefined;
  readonly lines: Pick<StopEventData, 'source_lines' | 'source_changed_since_start'>;
  readonly exception: ReportedException | undefined;
  /** The person's own frame, where an exception was thrown in a library. */
  readonly own: { readonly frame: Frame; readonly read: LocalVariables } | undefined;
  /** What the adapter refused or did not answer. */
  readonly refused: readonly DebuggerError[];
}

/** What reading needs beside the debugger. */
interface Sources {
  readonly readSource: ReadSource;
  /** Whether a file is the person's own code, rather than a library's. */
  readonly isOwn: (file: string) => boolean;
}

const NO_FRAMES: FramePage = { frames: [], total: undefined, next: undefined, unreadable: 0 };

/** Reads what a stop's report needs, as far as the adapter gives it. @throws Superseded when the program went on meanwhile */
export async function readStop(
  inspector: Inspector,
  { readSource, isOwn }: Sources,
  session: SessionState,
  place: StopPlace,
  signal: AbortSignal,
): Promise<StopFacts> {
  const refused: DebuggerError[] = [];
  const unlessRefused = noting(refused);
  const isException = place.stop.reason === 'exception';
  return await inspector.limited(signal, async (limited) => {
    const page =
      (await inspector.frames(session, place, 0, FRAMES_OF_A_STOP, limited).catch(unlessRefused)) ??
      NO_FRAMES;
    const top = topFrame(page.frames);
    const ownFrame = isException
      ? page.frames.find((frame) => isOwnFrame(frame, isOwn))
      : undefined;
    // Where the person's own code is left: what an exception in a library is looked at from.
    const isInLibrary = ownFrame !== undefined && ownFrame !== top;
    const read = isInLibrary ? readLocals : readLocalsWithFields;
    const [locals, lines, exception, own] = await Promise.all([
      top && read(inspector, session, place, top, limited, unlessRefused),
      sourceLines(readSource, session, top, limited),
      isException ? inspector.exception(session, place, limited).catch(unlessRefused) : undefined,
      isInLibrary
        ? readLocals(inspector, session, place, ownFrame, limited, unlessRefused).then(
            (ownLocals) => ({ frame: ownFrame, read: ownLocals }),
          )
        : undefined,
    ]);
    return { session, page, top, locals, lines, exception, own, refused };
  });
}
