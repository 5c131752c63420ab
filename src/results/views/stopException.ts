import {
  unlessRepeated,
  withoutNote,
  type ExceptionDetails,
  type ReportedException,
} from '../../debugger/inspection/exceptionDetails';
import { adapterOf } from '../../debugger/adapters/registry';
import type { SessionState, StopState } from '../../debugger/state/state';
import { defined } from '../../util/defined';
import { frameCount, type FrameView, type StopEventData } from './stopEventData';

/** The exception as it is shown: the adapter's details, or the data of the stop itself. */
export function exceptionOf(
  stop: StopState,
  reported: ReportedException | undefined,
  hasOwnFrame: boolean,
): ExceptionDetails | undefined {
  if (reported === undefined) return exceptionOfStop(stop, hasOwnFrame);
  const { isUnhandled: _, ...details } = reported;
  return details;
}

/**
 * Returns the place of a stop at a breakpoint whose condition could not be evaluated, with the reason. The adapter reports
 * it as an exception, which the program has not thrown. Undefined for other stops.
 */
export function atFailedCondition<P extends { readonly stop: StopState }>(
  { type }: Pick<SessionState, 'type'>,
  place: P,
): { readonly place: P; readonly error: string } | undefined {
  const { stop } = place;
  const error = adapterOf(type).failedCondition?.(stop);
  if (error === undefined) return undefined;
  const { description: _d, text: _t, ...rest } = stop;
  const shown = { ...rest, reason: 'breakpoint', description: undefined, text: undefined };
  return { place: { ...place, stop: shown }, error };
}

/** The report for a program that ends with `SystemExit`: only its location, exit code and output. */
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
    ...defined({
      exception:
        exception === undefined
          ? undefined
          : defined({ type: exception.type, message: exception.message }),
    }),
    top_frame_variables: null,
    call_stack: ownFrame === undefined ? stop.call_stack.slice(0, 1) : [ownFrame],
    ...defined({ omitted: output === undefined ? undefined : { output_lines: output } }),
  };
}

/** The report of a stop at the same exception as the previous stop: only the location is new. */
export function repeatedStop(
  stop: StopEventData,
  before: number,
  fetchCallers: string,
): StopEventData {
  const { exception, call_stack: stack, omitted } = stop;
  const callers = frameCount(stack.slice(1));
  const frames = omitted?.['frames'];
  const again = `same type and message as at stop ${before}, in a frame further out`;
  return {
    ...stop,
    ...defined({
      exception:
        exception === undefined
          ? undefined
          : defined({ type: exception.type, message: exception.message, again }),
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

/** The description and text of a stop, unless its exception already has them. */
export function textsOf(
  { description, text }: StopState,
  exception: ExceptionDetails | undefined,
): Pick<StopEventData, 'description' | 'text'> {
  if (exception === undefined) return { description: description ?? null, text: text ?? null };
  return {
    description: unlessRepeated(description, exception),
    text: unlessRepeated(text, exception),
  };
}

/**
 * The exception from the stop itself, if the adapter reports no details. For example, delve refuses them for a deadlock
 * of all goroutines. The type cannot be separated from the message.
 */
function exceptionOfStop(
  { reason, description, text }: StopState,
  hasOwnFrame: boolean,
): ExceptionDetails | undefined {
  if (reason !== 'exception' || (text === undefined && !hasOwnFrame)) return undefined;
  const parts = [description, text].filter((part) => part !== undefined);
  return defined({
    type: 'unknown',
    message: parts.length > 0 ? withoutNote(parts.join(': ')) : undefined,
  });
}
