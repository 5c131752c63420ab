import type { Launching } from '../../../control/launching';
import type { Lease } from '../../../control/leases';
import type { LinePrinted, Outcome, RunLimits } from '../../../control/outcome';
import type { TemporaryBreakpoint } from '../../../control/temporaryBreakpoints';
import {
  isUncaught,
  type ExceptionChoice,
} from '../../../debugger/breakpoints/exceptionBreakpoints';
import { adapterOf } from '../../../debugger/adapters/registry';
import { threadOfStop, type SessionState, type StopState } from '../../../debugger/state/state';
import { defined } from '../../../util/defined';
import { startFailure } from '../../core/startProgram';
import type { StartPlan } from '../../launch/launchPlan';
import type { Call, ToolServices } from '../../services';
import type { TestPlan } from './planTest';
import type { RunReport } from './testFramework';

/** What stops a run, and what to do at a stop. */
export interface StopRule {
  readonly exceptions: ExceptionChoice;
  /** Functions of the runner's library that stop it. */
  readonly functions: readonly string[];
  /** Whether a stop at an exception, or in one of the functions, is the one that is waited for. */
  readonly isFailure: (at: StoppedAt, functionName: string | undefined) => Promise<boolean>;
}

/** A stopped thread. */
export interface StoppedAt {
  readonly session: SessionState;
  readonly threadId: number;
}

/** How a run came to its end, or to a stop. */
export type RunEnd =
  | {
      readonly kind: 'ended';
      readonly report: RunReport;
      readonly output: readonly string[];
      /** Somebody ended it: the person, or another call. */
      readonly isAborted: boolean;
    }
  /** It failed, and is stopped there. */
  | ({ readonly kind: 'failure' } & StoppedAt)
  /** It is stopped at something else: a breakpoint of the person's, a pause. */
  | ({ readonly kind: 'elsewhere' } & StoppedAt)
  | { readonly kind: 'timeout' | 'cancelled' | 'lost' };

/** One run of a test's runner. */
export class TestRun {
  private readonly launching: Launching;
  private lease: Lease | undefined;
  private hasBegun = false;
  private own: readonly TemporaryBreakpoint[] = [];

  constructor(
    private readonly services: ToolServices,
    private readonly call: Call,
    private readonly plan: TestPlan,
    private readonly rule?: StopRule,
  ) {
    const start = rule === undefined ? quickStart(plan) : plan.start;
    this.launching = services.control.launching({ ...start, noDebug: rule === undefined });
  }

  get members(): readonly SessionState[] {
    return this.launching.members();
  }

  /** Starts it and waits for its end, for the stop that is waited for, or for one that is not ours. @throws Failure */
  async start(limits: RunLimits): Promise<RunEnd> {
    const { services, plan, rule } = this;
    await services.scratch.make(plan.scratch.name, plan.scratch.files);
    const { stopsFrom } = plan;
    const isLater = stopsFrom !== undefined && (rule?.exceptions.filters.length ?? 0) > 0;
    if (rule !== undefined)
      services.exceptions.chooseForRun(this.launching.mark, isLater ? NO_STOPS : rule.exceptions);
    const functions = [...(rule?.functions ?? []), ...(isLater ? [stopsFrom] : [])];
    this.own = functions.map((functionName) =>
      services.control.temporary.add({ kind: 'function', functionName }),
    );
    const outcome = await this.launching.run(limits);
    if (outcome.kind === 'notStarted')
      throw startFailure(services, plan.start, this.launching.roots(), outcome.message);
    return await this.follow(outcome, limits);
  }

  /** Passes stops that are ours and mean nothing. */
  private async follow(first: Outcome | LinePrinted<never>, limits: RunLimits): Promise<RunEnd> {
    let outcome: Outcome | LinePrinted<never> = first;
    while (outcome.kind === 'stopped') {
      const session = this.services.model.state.sessions.get(outcome.sessionKey);
      const threadId = session === undefined ? undefined : threadOfStop(session);
      if (session === undefined || threadId === undefined) {
        outcome = await this.services.control.next(outcome.sessionKey, limits);
        continue;
      }
      const kind = await this.judge(session, threadId);
      if (kind !== 'ours') return { kind, session, threadId };
      outcome = await this.pass(session, threadId, limits);
    }
    // The end of the program ends the lease, too, which may be noticed first.
    const isOver = outcome.kind === 'cancelled' && this.lease?.loss === 'ended';
    if (outcome.kind === 'ended' || isOver) return await this.ended();
    if (this.wasMoved()) return { kind: 'lost' };
    return { kind: outcome.kind === 'timeout' ? 'timeout' : 'cancelled' };
  }

  private async judge(
    session: SessionState,
    threadId: number,
  ): Promise<'failure' | 'elsewhere' | 'ours'> {
    const { services, rule } = this;
    const stop = session.threads.get(threadId)?.stop;
    if (stop === undefined) return 'elsewhere';
    // A process that waited for the debugger begins.
    if (stop.reason === 'entry' || this.isFirstPause(stop)) return 'ours';
    if (rule === undefined) return stop.reason === 'exception' ? 'failure' : 'elsewhere';
    const at = { session, threadId };
    if (stop.reason === 'exception') {
      if (await rule.isFailure(at, undefined)) return 'failure';
      return this.isPersons(session) ? 'elsewhere' : 'ours';
    }
    if (this.own.length === 0) return 'elsewhere';
    const top = await services.inspector.top(
      session,
      services.inspector.placeOf(session, threadId),
      this.call.signal,
    );
    const hit = services.breakpoints.hit(session, stop, top) ?? [];
    const ours = new Set(this.own.map(({ breakpoint }) => services.breakpoints.idOf(breakpoint)));
    if (hit.length > 0 && !hit.every((each) => ours.has(each))) return 'elsewhere';
    if (this.plan.stopsFrom !== undefined) {
      if (hit.length === 0 && stop.reason !== 'function breakpoint') return 'elsewhere';
      await this.stopAtExceptions(rule);
      return 'ours';
    }
    const isIn = rule.functions.some((each) => isNamed(top?.name, each));
    if (!isIn) return hit.length > 0 ? 'ours' : 'elsewhere';
    return (await rule.isFailure(at, top?.name)) ? 'failure' : 'ours';
  }

  /** The function from which on exceptions count has been reached. */
  private async stopAtExceptions({ exceptions }: StopRule): Promise<void> {
    this.removeOwn();
    await this.services.exceptions.chooseDuringRun(this.launching.mark, exceptions);
  }

  private removeOwn(): void {
    for (const each of this.own) each.dispose();
    this.own = [];
  }

  /**
   * Whether the person has chosen filters that ours do not hold: then a stop may be theirs. What nobody catches, VS Code
   * asks for by default.
   */
  private isPersons(session: SessionState): boolean {
    const ours = this.rule?.exceptions.filters ?? [];
    return this.services.exceptions
      .active(session)
      .some(({ by, filter }) => by === 'user' && !ours.includes(filter) && !isUncaught(filter));
  }

  private isFirstPause({ reason }: StopState): boolean {
    if (!this.plan.pausesFirst || this.hasBegun || reason !== 'pause') return false;
    this.hasBegun = true;
    return true;
  }

  private async pass(session: SessionState, threadId: number, limits: RunLimits): Promise<Outcome> {
    this.lease ??= this.services.control.leases.acquire(session, 'debug_test');
    const signal = AbortSignal.any([limits.signal, this.lease.signal]);
    return await this.services.control.move(session, threadId, 'continue', {
      ...limits,
      signal,
      lease: this.lease,
    });
  }

  private wasMoved(): boolean {
    return this.lease?.loss !== undefined && this.lease.loss !== 'ended';
  }

  private async ended(): Promise<RunEnd> {
    const { services, plan } = this;
    const output = this.printed();
    const report = await services.scratch.read(plan.scratch.name, plan.scratch.report);
    return {
      kind: 'ended',
      report: plan.framework.readOutcome(report, output, plan.test, plan.folder),
      output,
      isAborted: this.launching.roots().some((each) => each.endAsked),
    };
  }

  /** What its program printed; from now on it counts as told. */
  printed(): readonly string[] {
    const { model, stops } = this.services;
    const lines = this.members
      .flatMap((each) => {
        const { printsBeside } = adapterOf(each.type);
        return model
          .output(each)
          .read({ since: 0 })
          .filter(
            ({ category, text }) => PRINTED.has(category) && printsBeside?.test(text) !== true,
          );
      })
      .sort((left, right) => left.order - right.order)
      .map(({ text }) => text);
    stops.output.takeUnreported(this.members);
    return lines;
  }

  /** Removes what stops it; it goes on or stays as it is. */
  async release(): Promise<void> {
    this.removeOwn();
    this.lease?.dispose();
    this.lease = undefined;
    await this.services.exceptions.releaseRun(this.launching.mark).catch(() => undefined);
  }

  /** Lets it end by itself, so that what tests have set up is cleared away; ends it if that takes long. */
  async finish({ session, threadId }: StoppedAt, deadline: number): Promise<void> {
    await this.release();
    const limits = {
      deadline: Math.min(deadline, performance.now() + MOST_OF_AN_END_MS),
      signal: this.call.signal,
    };
    await this.services.control.move(session, threadId, 'continue', limits).catch(() => undefined);
    await this.end();
  }

  /** Ends what of it is left. */
  async end(): Promise<void> {
    await this.release();
    // A call that was cancelled early: what VS Code is still starting would run on without it.
    const { control } = this.services;
    this.launching.endLate((root) => control.end(root, new AbortController().signal));
    const live = this.launching.roots().filter((each) => each.lifecycle !== 'terminated');
    for (const root of live)
      await control.end(root, new AbortController().signal).catch(() => undefined);
  }
}

/** Nothing stops in a run without the debugger, so that nothing has to be followed. */
function quickStart({ start, quick }: TestPlan): StartPlan {
  const launches = start.launches.map((each) => ({
    ...each,
    configuration: defined({
      ...each.configuration,
      ...adapterOf(each.type).withoutChildren,
      ...quick,
    }),
  }));
  return { ...start, launches };
}

/** Whether a frame's name is that of a function, however its debugger writes it: with its module and parameters. */
function isNamed(name: string | undefined, wanted: string): boolean {
  if (name === undefined || name === wanted) return name === wanted;
  return name.replace(/\(.*$/s, '').split('::').at(-1) === wanted;
}

const NO_STOPS: ExceptionChoice = { filters: [], conditions: {} };

/** How long a test that has failed may take to clear away. */
const MOST_OF_AN_END_MS = 5000;

/** Categories of what a program itself prints. */
const PRINTED: ReadonlySet<string> = new Set(['stdout', 'stderr']);
