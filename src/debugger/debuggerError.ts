import type { SessionState } from './state/state';

/** What went wrong, as facts: the tools say it in words and name the next call (`results/debuggerFailures.ts`). */
export type Problem =
  | {
      readonly kind: 'adapterRefused';
      readonly session: SessionState;
      /** The DAP request's command. */
      readonly command: string;
      /** The adapter's own message. */
      readonly message: string;
    }
  | {
      readonly kind: 'adapterTimeout';
      readonly session: SessionState;
      readonly command: string;
      readonly seconds: number;
      /** An expression of this session has not been answered: the adapter may answer nothing until it ends. */
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
      /** To read the value would run code of the program. */
      readonly kind: 'lazyValue';
      /** What evaluates to the value, where the adapter says it. */
      readonly expression: string | undefined;
      /** Our number of the frame to evaluate in. */
      readonly frame: number | undefined;
    }
  | {
      /** VS Code keeps one breakpoint a place, and a conditional or disabled one is there. */
      readonly kind: 'placeTaken';
      readonly breakpointId: number;
    }
  | {
      /** Another call has just resumed the program from this stop. */
      readonly kind: 'resumedMeanwhile';
      readonly session: SessionState;
    }
  | {
      /** Another call has the exclusive lease. */
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
  /** Our number, as the caller gave it. */
  readonly number: number;
}

/** An error of the debugger or of run control that the caller can act on. */
export class DebuggerError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.kind);
    this.name = 'DebuggerError';
  }
}

/** @param error what the adapter said, or what VS Code threw */
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
