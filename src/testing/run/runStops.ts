import type { TemporaryBreakpoint } from '../../control/temporaryBreakpoints';
import type { ExceptionChoice } from '../../debugger/breakpoints/exceptionBreakpoints';
import type { ToolServices } from '../../tools/services';
import { timeLimit } from '../../util/timeLimit';
import { unlessAborted } from '../../util/unlessAborted';
import type { TestPlan } from '../planTest';
import type { TestFramework } from '../testFramework';
import type { StopRule } from './runTest';

type Services = Pick<ToolServices, 'breakpoints' | 'control' | 'exceptions'>;

/** The time that a debugger may take to remove exception filters, in milliseconds. */
const RELEASE_LIMIT_MS = 1000;

const NO_STOPS: ExceptionChoice = { filters: [], conditions: {} };

/**
 * The breakpoints and the exception filters of one run of a test. The stops at exceptions may begin only in the test,
 * because runners and tests may throw many exceptions before the failure, and each stop takes time.
 */
export class RunStops {
  private own: readonly TemporaryBreakpoint[] = [];
  /** Whether the stops at exceptions begin at one of the breakpoints. */
  private isWaiting = false;

  /** @param mark the mark of the launch whose sessions are meant */
  constructor(
    private readonly services: Services,
    private readonly plan: Pick<TestPlan, 'stopsFrom'> & {
      readonly framework: Pick<TestFramework, 'haltsIn'>;
    },
    private readonly rule: Pick<StopRule, 'exceptions' | 'functions' | 'conditions'>,
    private readonly mark: string,
  ) {}

  /** Sets what stops the run from its start. */
  set(): void {
    const { exceptions, control } = this.services;
    const from = this.beginning;
    this.isWaiting = from !== undefined || this.isHalted;
    exceptions.chooseForRun(this.mark, this.isWaiting ? NO_STOPS : this.rule.exceptions);
    const functions = [...this.rule.functions, ...(from === undefined ? [] : [from])];
    this.own = functions.map((functionName) =>
      control.temporary.add({
        kind: 'function',
        functionName,
        condition: this.rule.conditions?.[functionName],
      }),
    );
  }

  /** Whether the stops at exceptions have not begun yet. */
  get hasNotBegun(): boolean {
    return this.isWaiting;
  }

  /** Whether the run stops at breakpoints of its own. */
  get hasBreakpoints(): boolean {
    return this.own.length > 0;
  }

  /** Whether a stop is only at breakpoints of the run. @param hit the ids of the breakpoints that it hit */
  isOwn(hit: readonly number[]): boolean {
    const { breakpoints } = this.services;
    const ids = new Set(this.own.map(({ breakpoint }) => breakpoints.idOf(breakpoint)));
    return hit.every((id) => ids.has(id));
  }

  /** Begins the stops at exceptions, if the run has waited for this stop. @returns whether it has */
  async beginAtStop(): Promise<boolean> {
    if (!this.isWaiting) return false;
    await this.beginNow();
    return true;
  }

  removeBreakpoints(): void {
    for (const breakpoint of this.own) breakpoint.dispose();
    this.own = [];
  }

  /**
   * Removes everything that stops the run. It does not change whether the run is running or stopped.
   * @param isQuiet whether the program is to go on as without the debugger: its runner handles all exceptions, also
   * those that the debugger takes for uncaught
   */
  async release(isQuiet = false): Promise<void> {
    this.removeBreakpoints();
    if (isQuiet) this.services.exceptions.chooseForLaunch(this.mark, NO_STOPS);
    // The debugger of a program that blocks in a system call may not answer.
    await unlessAborted(
      this.services.exceptions.releaseRun(this.mark).catch(() => undefined),
      timeLimit(RELEASE_LIMIT_MS),
      () => undefined,
    );
  }

  /** The function at which the stops at exceptions begin. Undefined if they begin with the run. */
  private get beginning(): string | undefined {
    return this.rule.exceptions.filters.length === 0 ? undefined : this.plan.stopsFrom;
  }

  /** Whether the reporter halts the program where the stops at exceptions are to begin. */
  private get isHalted(): boolean {
    return this.plan.framework.haltsIn !== undefined && this.rule.exceptions.filters.length > 0;
  }

  private async beginNow(): Promise<void> {
    this.removeBreakpoints();
    this.isWaiting = false;
    await this.services.exceptions.chooseDuringRun(this.mark, this.rule.exceptions);
  }
}
