import type { SessionState } from './state/state';

/**
 * The facts about an error. The tools convert them to a message that names the next call
 * (`results/debuggerFailures.ts`).
 */
export type Problem =
  | {
      readonly kind: 'adapterRefused';
      readonly session: SessionState;
      /** The command of the DAP request. */
      readonly command: string;
      /** The adapter's own message. */
      readonly message: string;
    }
  | {
      readonly kind: 'adapterTimeout';
      readonly session: SessionState;
      readonly command: string;
      readonly seconds: number;
      /**
       * Whether an evaluation in this session has no response yet. The adapter may answer no other request until it
       * ends.
       */
      readonly isEvaluating: boolean;
    }
  | {
      /** The session ended before it answered. */
      readonly kind: 'sessionEnded';
      readonly session: SessionState;
      readonly command: string;
    }
  | ThreadProblem<'notStopped'>
  | ThreadProblem<'threadNotFound'>
  | ReferenceProblem<'staleReference'>
  | ReferenceProblem<'unknownReference'>
  | {
      /** Reading the value would run code of the program. */
      readonly kind: 'lazyValue';
      /** The expression for the value, if the adapter reports it. */
      readonly expression: string | undefined;
      /** Our number of the frame in which to evaluate it. */
      readonly frame: number | undefined;
    }
  | {
      /** VS Code keeps one breakpoint per location, and a conditional or disabled one exists there. */
      readonly kind: 'placeTaken';
      readonly breakpointId: number;
    }
  | {
      /** Another call has just resumed the program from this stop. */
      readonly kind: 'resumedMeanwhile';
      readonly session: SessionState;
    }
  | {
      /** Another call has the lease. */
      readonly kind: 'busy';
      readonly session: SessionState;
      readonly holder: string;
    }
  | { readonly kind: 'notEnded'; readonly session: SessionState };

export type ReferenceKind = 'frame' | 'variables';

interface ThreadProblem<Kind> {
  readonly kind: Kind;
  readonly session: SessionState;
  readonly threadId: number;
}

interface ReferenceProblem<Kind> {
  readonly kind: Kind;
  readonly reference: ReferenceKind;
  /** Our number, as the caller passed it. */
  readonly number: number;
}

/** An error of the debugger or of run control that the caller can act on. */
export class DebuggerError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.kind);
    this.name = 'DebuggerError';
  }
}

/** @param error the adapter's message, or what VS Code threw */
export function adapterRefused(
  session: SessionState,
  command: string,
  error: unknown,
): DebuggerError {
  const message = error instanceof Error ? error.message : String(error);
  return new DebuggerError({ kind: 'adapterRefused', session, command, message });
}

export function notStopped(session: SessionState, threadId: number): DebuggerError {
  return new DebuggerError({ kind: 'notStopped', session, threadId });
}

export function threadNotFound(session: SessionState, threadId: number): DebuggerError {
  return new DebuggerError({ kind: 'threadNotFound', session, threadId });
}
