import type { RequestedHostBreakpoint } from '../../debugger/host';
import { samePath } from '../../debugger/sourcePath';
import { type DebugState, type SessionState } from '../../debugger/state/state';

/** The time that a call waits until the adapters of running sessions answer about breakpoints. */
export const ANSWER_LIMIT_MS = 3000;

export type AnswerCounts = ReadonlyMap<string, number>;

/**
 * Returns the number of responses that each session has received for the breakpoint's file, or for function
 * breakpoints.
 */
export function answerCounts(state: DebugState, breakpoint: RequestedHostBreakpoint): AnswerCounts {
  const count = (session: SessionState): number => {
    if (breakpoint.kind === 'function') return session.functionBreakpoints?.answers ?? 0;
    return [...session.sourceBreakpoints].reduce(
      (sum, [file, { answers }]) => (samePath(file, breakpoint.path) ? sum + answers : sum),
      0,
    );
  };
  return new Map([...state.sessions.values()].map((session) => [session.key, count(session)]));
}
