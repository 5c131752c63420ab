import { withVariables, type TestPlan } from '../planTest';

/** The part of the time limit in which a hanging program can say where it is, in seconds. */
const SECONDS_TO_TELL = 2;

/**
 * Returns the plan of a run in which the reporter in the program knows what the run is for.
 * @param seconds the time that is left. The reporter writes earlier where the program is.
 * @param stays whether the reporter stops the program at the failure
 */
export function informed(plan: TestPlan, seconds: number, stays = false): TestPlan {
  if (stays) return withVariables(plan, { AGENT_DEBUGGER_STAY: '1' });
  const limit = Math.max(seconds / 2, seconds - SECONDS_TO_TELL);
  return withVariables(plan, {
    AGENT_DEBUGGER_SECONDS: String(limit),
    // The program may take seconds to start.
    AGENT_DEBUGGER_UNTIL: String(Date.now() / 1000 + limit),
  });
}
