import { randomUUID } from 'node:crypto';
import { adapterOf } from '../../../debugger/adapters/registry';
import type { SessionState } from '../../../debugger/state/state';
import type { ToolServices } from '../../services';

/** The time that a program may take to remove its count, in milliseconds. */
const REMOVAL_LIMIT_MS = 2000;

/** What the program itself counts or notes about the calls of a function, by the condition of a breakpoint. */
export class ProgramCount {
  private constructor(
    /** The condition of the breakpoint. */
    readonly condition: string,
    private readonly removal: string,
  ) {}

  /**
   * The condition is true at the requested call, and removes the count there. Returns undefined if the adapter counts the
   * hits of a breakpoint itself.
   */
  static to(call: number, type: string): ProgramCount | undefined {
    const counting = adapterOf(type).countsInProgram?.(call, `agentDebugger.${randomUUID()}`);
    return counting && new ProgramCount(counting.condition, counting.removal);
  }

  /**
   * The condition is true where an expression is, or where it fails for the first time. Returns undefined if the adapter
   * has another way to tell that.
   */
  static noticing(expression: string, type: string): ProgramCount | undefined {
    const key = `agentDebugger.${randomUUID()}`;
    const noticing = adapterOf(type).stopsAtFirstFailure?.(expression, key);
    return noticing && new ProgramCount(noticing.condition, noticing.removal);
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
