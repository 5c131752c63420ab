import type { RequestedHostBreakpoint } from '../../debugger/host';
import { samePath } from '../../debugger/sourcePath';
import { type DebugState, type SessionState } from '../../debugger/state/state';

/** How long a call waits for the adapters of running sessions to answer about breakpoints. */
export const ANSWER_LIMIT_MS = 3000;

export type AnswerCounts = ReadonlyMap<string, number>;

/** How many answers each session has given about the breakpoint's file, or about functions. */
export function answerCounts(state: DebugState, breakpoint: RequestedHostBreakpoint): AnswerCounts {
  const count = (session: SessionState): number => {
    if (breakpoint.kind === 'function') return session.functionBreakpoints?.answers ?? 0;
    return [...session.sourceBreakpoints].reduce(
      (sum, [file, each]) => (samePath(file, breakpoint.path) ? sum + each.answers : sum),
      0,
    );
  };
  return new Map([...state.sessions.values()].map((session) => [session.key, count(session)]));
}
