import { randomUUID } from 'node:crypto';
import { adapterOf } from '../../../debugger/adapters/registry';
import type { SessionState } from '../../../debugger/state/state';
import type { ToolServices } from '../../services';

/** The time that a program may take to remove its count, in milliseconds. */
const REMOVAL_LIMIT_MS = 2000;

/** The calls of a function that the program itself counts, by the condition of a breakpoint. */
export class ProgramCount {
  private constructor(
    /** The condition of the breakpoint. It is true at the requested call, and removes the count there. */
    readonly condition: string,
    private readonly removal: string,
  ) {}

  /** Returns undefined if the adapter counts the hits of a breakpoint itself. */
  static to(call: number, type: string): ProgramCount | undefined {
    const counting = adapterOf(type).countsInProgram?.(call, `agentDebugger.${randomUUID()}`);
    return counting && new ProgramCount(counting.condition, counting.removal);
  }

  /** Removes the count from programs that did not reach the requested call. */
  async removeFrom(
    { inspector }: Pick<ToolServices, 'inspector'>,
    sessions: readonly SessionState[],
  ): Promise<void> {
    const signal = AbortSignal.timeout(REMOVAL_LIMIT_MS);
    const args = { expression: this.removal, context: 'repl' };
    // A session that has ended has no count any more. One that does not answer keeps a number.
    await Promise.all(
      sessions
        .filter(({ threads }) => threads.size > 0)
        .map((session) =>
          inspector.sendUnique(session, 'evaluate', args, signal).catch(() => undefined),
        ),
    );
  }
}
