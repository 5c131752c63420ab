import type { DebuggerError } from '../../debugger/debuggerError';
import type { ReportedException } from '../../debugger/inspection/exceptionDetails';
import { isOwnFrame } from '../../debugger/inspection/foldedFrames';
import { FRAMES_OF_A_STOP, type FramePage } from '../../debugger/inspection/framePage';
import type { Inspector } from '../../debugger/inspection/inspector';
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

/** A stopped thread and its stop. */
export type StopPlace = ReturnType<Inspector['placeOf']>;

/** The data that was read for the report of a stop. */
export interface StopFacts {
  readonly session: SessionState;
  readonly page: FramePage;
  readonly top: Frame | undefined;
  /** The variables of the innermost frame. */
  readonly locals: LocalVariables | undefined;
  readonly lines: Pick<StopEventData, 'source_lines' | 'source_changed_since_start'>;
  readonly exception: ReportedException | undefined;
  /** The first frame in the person's own code, if an exception was thrown in a library. */
  readonly own: { readonly frame: Frame; readonly read: LocalVariables } | undefined;
  /** Requests that the adapter refused or did not answer. */
  readonly refused: readonly DebuggerError[];
}

/** The functions that are needed to read a stop, in addition to the debugger. */
interface Sources {
  readonly readSource: ReadSource;
  /** Whether a file is the person's own code and not a library's. */
  readonly isOwn: (file: string) => boolean;
}

const NO_FRAMES: FramePage = { frames: [], total: undefined, next: undefined, unreadable: 0 };

/**
 * Reads the data for the report of a stop, as far as the adapter provides it.
 * @throws Superseded if the program continued in the meantime
 */
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
    // If an exception was thrown in a library, the frame that called the library is the relevant one.
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
