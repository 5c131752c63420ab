import { countOf, listOf, type Fields } from '../protocol';
import { framesOf, type Frame } from './stackAndVariables';

/** The number of frames that are requested for a stop's report. Further frames are counted and can be requested. */
export const FRAMES_OF_A_STOP = 20;

export interface FramePage {
  readonly frames: readonly Frame[];
  /** The total number of frames, if known. */
  readonly total: number | undefined;
  /** The index at which the next page begins; undefined at the end of the stack. */
  readonly next: number | undefined;
  /** The number of entries in the page that are not valid frames. */
  readonly unreadable: number;
}

/**
 * Adapters report totals of this size or more if there may be more frames. js-debug does so before it has loaded an
 * asynchronous stack.
 */
const UNKNOWN_TOTAL = 1_000_000;

/** The frames that were requested from the adapter. DAP "StackTraceArguments". */
interface RequestedFrames {
  readonly startFrame: number;
  readonly levels: number;
}

/**
 * Reads a page of a stack from a response. Adapters may return more frames than were requested.
 * @param page the page that the caller requested
 * @param requested the frames requested from the adapter, which may begin before the page
 */
export function readFramePage(
  body: Fields,
  { startFrame, levels }: RequestedFrames,
  requested: RequestedFrames,
): FramePage {
  const sent = listOf(body['stackFrames']);
  const claimed = countOf(body['totalFrames']) ?? 0;
  const isWhole =
    requested.startFrame < startFrame ||
    sent.length > requested.levels ||
    (startFrame > 0 && claimed === sent.length);
  const page = isWhole ? sent.slice(startFrame, startFrame + levels) : sent;
  const frames = framesOf(page);
  const unreadable = page.length - frames.length;
  const read = startFrame + page.length;
  // A page that is not full ends the stack, regardless of the reported total. DAP "StackTraceResponse".
  if (page.length < levels) {
    const beyond = isWhole ? sent.length : undefined;
    const total = page.length > 0 || startFrame === 0 ? read : beyond;
    return { frames, unreadable, next: undefined, total };
  }
  const total = Math.max(claimed, sent.length > requested.levels ? sent.length : 0);
  const isKnown = total >= read && (total < UNKNOWN_TOTAL || total === sent.length);
  return {
    frames,
    unreadable,
    total: isKnown ? total : undefined,
    next: isKnown && total === read ? undefined : read,
  };
}
