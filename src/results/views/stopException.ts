import {
  unlessSaid,
  withoutNote,
  type ExceptionDetails,
  type ReportedException,
} from '../../debugger/inspection/exceptionDetails';
import type { StopState } from '../../debugger/state/state';
import { defined } from '../../util/defined';
import { frameCount, type FrameView, type StopEventData } from './stopEventData';

/** An exception as it is shown: the adapter's details, or what the stop itself says of one. */
export function exceptionOf(
  stop: StopState,
  reported: ReportedException | undefined,
  hasOwnFrame: boolean,
): ExceptionDetails | undefined {
  if (reported === undefined) return exceptionOfStop(stop, hasOwnFrame);
  const { isUnhandled: _, ...details } = reported;
  return details;
}

/** A program that ends by `SystemExit` is at its end: where it is, with what code and after what output is all there is to it. */
export function aboutToEnd(
  stop: StopEventData,
  exitCode: number,
  ownFrame: FrameView | undefined,
): StopEventData {
  const {
    source_lines: _lines,
    changed: _changed,
    total_frames: _total,
    exception,
    omitted,
    ...rest
  } = stop;
  const output = omitted?.['output_lines'];
  return {
    ...rest,
    exit_code: exitCode,
    ...(exception !== undefined
      ? {
          exception: defined({
            type: exception.type,
            message: exception.message,
          }),
        }
      : {}),
    top_frame_variables: null,
    call_stack: ownFrame === undefined ? stop.call_stack.slice(0, 1) : [ownFrame],
    ...(output !== undefined ? { omitted: { output_lines: output } } : {}),
  };
}

/** A stop at an exception that the stop before was at: where it is now is all that is new. */
export function repeatedStop(
  stop: StopEventData,
  before: number,
  fetchCallers: string,
): StopEventData {
  const { exception, call_stack: stack, omitted } = stop;
  const callers = frameCount(stack.slice(1));
  const frames = omitted?.['frames'];
  return {
    ...stop,
    ...(exception === undefined
      ? {}
      : {
          exception: defined({
            type: exception.type,
            message: exception.message,
            again: `same type and message as at stop ${before}, in a frame further out`,
          }),
        }),
    call_stack: stack.slice(0, 1),
    omitted: {
      ...omitted,
      ...(callers > 0
        ? {
            frames: (typeof frames === 'number' ? frames : 0) + callers,
            fetch_frames: fetchCallers,
          }
        : {}),
    },
  };
}

/** A stop's own words; what its exception says is said once. */
export function textsOf(
  { description, text }: StopState,
  exception: ExceptionDetails | undefined,
): Pick<StopEventData, 'description' | 'text'> {
  if (exception === undefined) return { description: description ?? null, text: text ?? null };
  return { description: unlessSaid(description, exception), text: unlessSaid(text, exception) };
}

/**
 * What the stop itself says of an exception, where the adapter tells no more of it: delve refuses to for a deadlock of
 * all goroutines. Of which kind it is, cannot be told apart from its message.
 */
function exceptionOfStop(
  { reason, description, text }: StopState,
  hasOwnFrame: boolean,
): ExceptionDetails | undefined {
  if (reason !== 'exception' || (text === undefined && !hasOwnFrame)) return undefined;
  return {
    type: 'unknown',
    ...(description !== undefined || text !== undefined
      ? {
          message: withoutNote([description, text].filter((each) => each !== undefined).join(': ')),
        }
      : {}),
  };
}
