import type { Subscription } from '../util/listeners';
import type { Frame } from '../debugger/inspection/stackAndVariables';
import type { SessionState } from '../debugger/state/state';
import type { RecordedCall, RecordedHit } from './recordedRows';

/** Records the lines of one call while the program runs it. */
export interface CallRecorder {
  /** Reads everything that has been recorded so far. */
  settle(): Promise<void>;
  /** The lines of the call that have been recorded so far, in order. */
  read(): readonly RecordedHit[];
  /** The calls that the recorded call made, if the recorder reports them. */
  readCalls(): readonly RecordedCall[];
  /** Which of the calls that the recorded call makes are recorded in a session. Default: none. */
  recordedCalls?(session: SessionState): RecordedCallees;
  /** Called with new lines as they are read. */
  onHits(listener: (hits: readonly RecordedHit[]) => void): Subscription;
  /** Whether the values of the first line are only those that exist before the call. */
  readonly beginsEmpty?: boolean;
  /** Whether the requested number of lines has been recorded. */
  readonly isFull: boolean;
  /**
   * Reads the return value, which the debugger knows directly after the call has ended. Undefined if it does not know
   * it.
   */
  returned?(signal: AbortSignal): Promise<string | undefined>;
  /**
   * Reads the value of a call at whose end the program has stopped only so that the debugger shows the value.
   * @returns how the program gets back to the recorded call. Undefined for any other stop
   */
  readValue?(stop: StopAtEnd): Promise<'continue' | 'stepOut' | undefined>;
  /** The number of stops that have shown the values of calls, the recorded one included. Default: none. */
  readonly valueStops?: number;
  /**
   * Reads what the last line of the call changed, directly after the call has ended. Undefined if it is unknown.
   * @param frameId a frame of the stopped thread
   */
  readLast?(
    session: SessionState,
    frameId: number,
    signal: AbortSignal,
  ): Promise<RecordedHit['locals']>;
  /** The comparison of whole values that `readLast` has read, if the recorder makes one. */
  readonly lastParts?: RecordedHit['parts'];
  /**
   * Whether the recorder stops the program in a function of the runtime with this name, where an exception has left the
   * call.
   */
  isHandlerOfRuntime?(functionName: string): boolean;
  /** The panic that runs a deferred function of the call, if that is the last thing that was recorded. */
  readonly panic?: RecordedPanic | undefined;
  /** Whether the recorder itself sees the end of the call and its exception. Default: it does not. */
  readonly seesEnd?: boolean;
  /** The fault of the recorder itself, if it has failed. What it recorded before is kept. */
  readonly fault?: string | undefined;
  /** Ends the recording in a debugger that may be too busy with the recording to pause the program. */
  stop?(): Promise<void>;
  /** Removes the recorder completely from the program and the debugger. */
  dispose(): Promise<void>;
}

/** A stop that may be at the end of a call. */
export interface StopAtEnd {
  readonly session: SessionState;
  /** The top frame of the stopped thread. */
  readonly top: Frame;
  readonly signal: AbortSignal;
  /** Reads the value that the debugger shows as returned. */
  readonly shown: () => Promise<string | undefined>;
}

/** A panic, and the line at which the call defers the function that has run because of it. */
export interface RecordedPanic {
  readonly text: string | undefined;
  readonly deferredAt: number;
  /** Whether the debugger tells that the recorded call has deferred the function. */
  readonly isOwn?: boolean;
}

export type RecordedCallees = 'all' | 'some' | 'none';

/** The limits of the recording of a call. */
export interface CallLimits {
  /** The maximum number of lines. */
  readonly maxHits: number;
  /**
   * The limits for one value: its length in characters, the number of its members, and the depth of nesting. `telling`:
   * the length from which an object of a library shows only the fields that say most.
   */
  readonly shown: {
    readonly text: number;
    readonly items: number;
    readonly depth: number;
    readonly telling?: number;
  };
}
