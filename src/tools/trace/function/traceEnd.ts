import type { RecordedCallees } from '../../../recording/callRecorder';
import type { RunStep } from '../../../control/boundedRun';
import type { ExceptionDetails } from '../../../debugger/inspection/exceptionDetails';
import { Superseded } from '../../../debugger/inspection/stopRequests';
import { Interrupted } from '../../../debugger/requests';
import type { ToolServices } from '../../services';
import type { CallHistory } from './callModel';
import { stackOf, type Detail, type ThreadStack } from './threadStack';

/**
 * The reason why a trace ended before its call. `panic`: a deferred function runs, which may recover. `trigger`: the
 * trigger of the trace has ended, and the call has not begun.
 */
export type EndedBy =
  | 'program_end'
  | 'max_steps'
  | 'max_seconds'
  | 'person'
  | 'breakpoint'
  | 'exception'
  | 'panic'
  | 'trigger'
  | 'cancelled';

/** The traced part of a call. */
export interface Traced {
  readonly history: CallHistory;
  /** The reason why the trace ended before the call. Undefined if the call ended. */
  readonly endedBy: EndedBy | undefined;
  /** Which of the calls that it made are in the trace. Default: all. */
  readonly recordedCallees?: RecordedCallees;
  /** The number of calls at whose ends the program was stopped to read what they return. Default: none. */
  readonly valueStops?: number;
  /** Whether the program goes on, because a library has made the call. Default: it stays paused. */
  readonly goesOn?: boolean;
  /** The fault of the recorder, if it has failed. */
  readonly fault?: string | undefined;
  /** The last stop that was read. */
  readonly last?: ThreadStack | undefined;
}

/** Returns the reason why the result of a step ends a trace. Returns undefined for a stop. */
export function endOf(step: RunStep): EndedBy | undefined {
  switch (step.kind) {
    case 'stopped':
      return undefined;
    case 'ended':
      return 'program_end';
    case 'timeout':
      return 'max_seconds';
    case 'lost':
      return 'person';
    case 'cancelled':
    case 'notStarted':
      return 'cancelled';
  }
}

/** Reads a stopped thread. If the thread can no longer be read, it returns the reason why the trace ends. */
export async function stackOrEnd(
  services: Pick<ToolServices, 'inspector' | 'model'>,
  sessionKey: string,
  threadId: number,
  signal: AbortSignal,
  detail?: Detail,
): Promise<ThreadStack | 'program_end' | 'person' | 'cancelled'> {
  try {
    return (
      (await stackOf(services, sessionKey, threadId, signal, detail)) ?? ('program_end' as const)
    );
  } catch (error) {
    if (error instanceof Interrupted) return 'cancelled';
    if (error instanceof Superseded) return 'person';
    throw error;
  }
}

/** Returns an exception as `type: message`, and a signal by its name. */
export function exceptionText({ type, message }: ExceptionDetails): string {
  if (message === undefined) return type;
  return type === SIGNAL ? message : `${type}: ${message}`;
}

/** What LLDB reports as the type of a signal. */
export const SIGNAL = 'signal';
