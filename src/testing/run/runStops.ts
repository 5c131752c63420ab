import type { Injection } from '../../control/injectedBreakpoints';
import type { InjectedPoint } from '../../control/injectedLists';
import type { TemporaryBreakpoint } from '../../control/temporaryBreakpoints';
import type { ExceptionChoice } from '../../debugger/breakpoints/exceptionBreakpoints';
import type { Frame } from '../../debugger/inspection/stackAndVariables';
import { samePath } from '../../debugger/sourcePath';
import { LAUNCH_MARK } from '../../debugger/state/launchMark';
import { rootOf, type SessionState } from '../../debugger/state/state';
import type { ToolServices } from '../../tools/services';
import type { TestPlan } from '../planTest';
import type { StopRule } from './runTest';

type Services = Pick<ToolServices, 'breakpoints' | 'control' | 'exceptions' | 'injected' | 'model'>;

const NO_STOPS: ExceptionChoice = { filters: [], conditions: {} };

/**
 * The breakpoints and the exception filters of one run of a test. The stops at exceptions may begin only in the test,
 * because runners and tests may throw many exceptions before the failure, and each stop takes time. js-debug needs about
 * 0.13 s for each exception, even if its condition is false.
 */
export class RunStops {
  private own: readonly TemporaryBreakpoint[] = [];
  /** The breakpoint at the line where the stops at exceptions begin. Only the sessions of the run have it. */
  private line: Injection | undefined;
  /** The breakpoint where a failure is kept instead of thrown. */
  private kept: Injection | undefined;
  /** Whether the stops at exceptions begin at one of the breakpoints. */
  private isWaiting = false;

  /** @param mark the mark of the launch whose sessions are meant */
  constructor(
    private readonly services: Services,
    private readonly plan: Pick<TestPlan, 'stopsFrom'>,
    private readonly rule: Pick<
      StopRule,
      'exceptions' | 'functions' | 'conditions' | 'begin' | 'beginsAtOnce' | 'kept'
    >,
    private readonly mark: string,
  ) {}

  /** Sets what stops the run from its start. */
  set(): void {
    const { exceptions, control } = this.services;
    const from = this.beginning;
    this.isWaiting = from !== undefined;
    exceptions.chooseForRun(this.mark, this.isWaiting ? NO_STOPS : this.rule.exceptions);
    this.kept = this.injected(this.rule.kept);
    const functions = [...this.rule.functions, ...(typeof from === 'string' ? [from] : [])];
    this.own = functions.map((functionName) =>
      control.temporary.add({
        kind: 'function',
        functionName,
        condition: this.rule.conditions?.[functionName],
      }),
    );
    if (typeof from !== 'string') this.line = this.injected(from);
  }

  /** Sets a breakpoint in the sessions of the run. */
  private injected(point: InjectedPoint | undefined): Injection | undefined {
    if (point === undefined) return undefined;
    const points = [point];
    return this.services.injected.inject((session) => (this.isOfRun(session) ? points : []));
  }

  /** Whether the stops at exceptions begin at a line, and so may begin too late. */
  get beginsAtLine(): boolean {
    const from = this.beginning;
    return from !== undefined && typeof from !== 'string';
  }

  /** Whether the stops at exceptions have not begun yet. */
  get hasNotBegun(): boolean {
    return this.isWaiting;
  }

  /** Whether the run stops at breakpoints of its own. */
  get hasBreakpoints(): boolean {
    return this.own.length > 0 || this.line !== undefined || this.kept !== undefined;
  }

  /** Whether a stop is only at breakpoints of the run. @param hit the ids of the breakpoints that it hit */
  isOwn(hit: readonly number[]): boolean {
    const { breakpoints } = this.services;
    const ids = new Set(this.own.map(({ breakpoint }) => breakpoints.idOf(breakpoint)));
    return hit.every((id) => ids.has(id));
  }

  /** Whether a frame is at the line where a failure is kept. */
  isAtKept(top: Frame | undefined): boolean {
    const { kept } = this.rule;
    if (this.kept === undefined || kept === undefined || top?.path === undefined) return false;
    return top.line === kept.line && samePath(top.path, kept.path);
  }

  /** Begins the stops at exceptions, if the run has waited for this stop. @returns whether it has */
  async beginAtStop(): Promise<boolean> {
    if (!this.isWaiting) return false;
    await this.beginNow();
    return true;
  }

  async removeBreakpoints(): Promise<void> {
    for (const breakpoint of this.own) breakpoint.dispose();
    this.own = [];
    const { line } = this;
    this.line = undefined;
    await line?.dispose();
  }

  private async removeKept(): Promise<void> {
    const { kept } = this;
    this.kept = undefined;
    await kept?.dispose();
  }

  /** Removes everything that stops the run. It does not change whether the run is running or stopped. */
  async release(): Promise<void> {
    await Promise.all([this.removeBreakpoints(), this.removeKept()]);
    await this.services.exceptions.releaseRun(this.mark).catch(() => undefined);
  }

  /** The function or the line at which the stops at exceptions begin. Undefined if they begin with the run. */
  private get beginning(): string | InjectedPoint | undefined {
    const { exceptions, begin, beginsAtOnce } = this.rule;
    if (exceptions.filters.length === 0) return undefined;
    if (this.plan.stopsFrom !== undefined) return this.plan.stopsFrom;
    if (begin === undefined || beginsAtOnce === true) return undefined;
    const isTaken = this.services.breakpoints.at(begin.path, begin.line).length > 0;
    return isTaken ? undefined : begin;
  }

  private isOfRun(session: SessionState): boolean {
    const root = rootOf(this.services.model.state, session);
    return root.configuration[LAUNCH_MARK] === this.mark;
  }

  private async beginNow(): Promise<void> {
    await this.removeBreakpoints();
    this.isWaiting = false;
    await this.services.exceptions.chooseDuringRun(this.mark, this.rule.exceptions);
  }
}
