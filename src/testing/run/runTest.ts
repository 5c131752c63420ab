import path from 'node:path';
import type { Launching } from '../../control/launching';
import type { Lease } from '../../control/leases';
import type { LinePrinted, Outcome, RunLimits } from '../../control/outcome';
import { isUncaught, type ExceptionChoice } from '../../debugger/breakpoints/exceptionBreakpoints';
import { samePath } from '../../debugger/sourcePath';
import { adapterOf } from '../../debugger/adapters/registry';
import { threadOfStop, type SessionState } from '../../debugger/state/state';
import { fields } from '../../debugger/protocol';
import { defined } from '../../util/defined';
import { startFailure } from '../../tools/launch/startFailure';
import type { StartPlan } from '../../tools/launch/launchPlan';
import type { Call, ToolServices } from '../../tools/services';
import { joined } from '../ownSettings';
import type { TestPlan } from '../planTest';
import { printedBy, reportOfRun } from './runOutput';
import { RunStops } from './runStops';
import { withThreads } from './stopReader';
import type { RunReport } from '../runReport';

/** The breakpoints and filters that stop a run, and the rule that identifies the failure among the stops. */
export interface StopRule {
  readonly exceptions: ExceptionChoice;
  /** The functions of the runner's library at which the run stops. */
  readonly functions: readonly string[];
  /** The conditions of these stops, by function. */
  readonly conditions?: Readonly<Record<string, string | undefined>>;
  /** Whether the report tells at any stop whether it is the failure. */
  readonly isReported?: boolean;
  /** Whether a stop at an exception, or in one of the functions, is the failure. */
  readonly isFailure: (at: StoppedAt, functionName: string | undefined) => Promise<boolean>;
}

/** A stopped thread. */
export interface StoppedAt {
  readonly session: SessionState;
  readonly threadId: number;
}

/** The end of a run, or the place at which it stopped. */
export type RunEnd =
  | {
      readonly kind: 'ended';
      readonly report: RunReport;
      readonly output: readonly string[];
      /** Whether the person or another call ended the run. */
      readonly isAborted: boolean;
      /** The exit code of the program, or its negative signal. Undefined if it is unknown. */
      readonly exitCode: number | undefined;
    }
  /** The test failed, and the run is stopped at the failure. */
  | ({ readonly kind: 'failure' } & StoppedAt)
  /** The run is stopped for another reason, such as a breakpoint of the person or a pause. */
  | ({ readonly kind: 'elsewhere' } & StoppedAt)
  | { readonly kind: 'timeout' | 'cancelled' | 'lost' };

/** One run of a test's runner. */
export class TestRun {
  private readonly launching: Launching;
  private lease: Lease | undefined;
  /** Whether the failure is known, so that no further stop is it. */
  private isOver = false;
  /** Whether the run has not ended in its time, or before the call was cancelled. */
  private isOverdue = false;
  private readonly stops: RunStops | undefined;

  constructor(
    private readonly services: ToolServices,
    private readonly call: Call,
    private readonly plan: TestPlan,
    private readonly rule?: StopRule,
  ) {
    const start = rule === undefined ? quickStart(plan) : plan.start;
    this.launching = services.control.launching({
      ...start,
      noDebug: rule === undefined,
      endsSurely: true,
    });
    this.stops = rule && new RunStops(services, plan, rule, this.launching.mark);
  }

  get members(): readonly SessionState[] {
    return this.launching.members();
  }

  /**
   * Starts the run and waits for its end, for the failure, or for a stop that does not belong to it.
   * @throws Failure if the run cannot be started
   */
  async start(limits: RunLimits): Promise<RunEnd> {
    const { services, plan } = this;
    // A test that is observed runs only once, and its build has put the program into the folder.
    if (plan.framework.observer === undefined)
      await services.scratch.make(plan.scratch.name, plan.scratch.files);
    this.stops?.set();
    const outcome = await this.launching.run(limits);
    if (outcome.kind === 'notStarted')
      throw startFailure(services, plan.start, this.launching.roots(), outcome.message);
    return await this.follow(outcome, limits);
  }

  /** Continues from the stops that belong to this run and are not the failure. */
  private async follow(first: Outcome | LinePrinted<never>, limits: RunLimits): Promise<RunEnd> {
    let outcome: Outcome | LinePrinted<never> = first;
    while (outcome.kind === 'stopped') {
      const threadId = await this.threadOf(outcome.sessionKey);
      const session = this.services.model.state.sessions.get(outcome.sessionKey);
      if (session === undefined || threadId === undefined) {
        outcome = await this.services.control.next(outcome.sessionKey, limits);
        continue;
      }
      const kind = await this.judge(session, threadId);
      if (kind !== 'ours') return { kind, session, threadId };
      outcome = await this.pass(session, threadId, limits);
    }
    // The end of the program also ends the lease. The end of the lease may be reported first.
    const isOver = outcome.kind === 'cancelled' && this.lease?.loss === 'ended';
    this.isOverdue = outcome.kind === 'timeout' || (outcome.kind === 'cancelled' && !isOver);
    if (outcome.kind === 'ended' || isOver) return await this.ended();
    if (this.wasMoved()) return { kind: 'lost' };
    return { kind: outcome.kind === 'timeout' ? 'timeout' : 'cancelled' };
  }

  /** Returns the thread of a stop. If the stop names none, the adapter's list shows the stopped threads. */
  private async threadOf(sessionKey: string): Promise<number | undefined> {
    const session = this.services.model.state.sessions.get(sessionKey);
    if (session?.lastStop?.threadId !== undefined) return threadOfStop(session);
    const now = session && (await withThreads(this.services, session, this.call.signal));
    return now && threadOfStop(now);
  }

  private async judge(
    session: SessionState,
    threadId: number,
  ): Promise<'failure' | 'elsewhere' | 'ours'> {
    const { services, rule } = this;
    const stop = session.threads.get(threadId)?.stop;
    if (stop === undefined) return 'elsewhere';
    // The stop of a process that waited for the debugger.
    if (stop.reason === 'entry') return 'ours';
    const { stops } = this;
    if (rule === undefined || stops === undefined)
      return stop.reason === 'exception' ? 'failure' : 'elsewhere';
    const at = { session, threadId };
    if (stop.reason === 'exception') {
      if (this.isOver) return 'ours';
      if (!stops.hasNotBegun && (await rule.isFailure(at, undefined))) return 'failure';
      return this.isPersons(session) ? 'elsewhere' : 'ours';
    }
    if (await this.isAtHalt(at)) {
      await stops.beginAtStop();
      return 'ours';
    }
    if (rule.isReported === true && (await rule.isFailure(at, undefined))) return 'failure';
    if (!stops.hasBreakpoints && !this.isOver) return 'elsewhere';
    const top = await services.inspector.top(
      session,
      services.inspector.placeOf(session, threadId),
      this.call.signal,
    );
    const hit = services.breakpoints.hit(session, stop, top) ?? [];
    if (!stops.isOwn(hit)) return 'elsewhere';
    const isAtBreakpoint = hit.length > 0 || stop.reason.includes('breakpoint');
    if (isAtBreakpoint && (await stops.beginAtStop())) return 'ours';
    const isIn = rule.functions.some((functionName) => isNamed(top?.name, functionName));
    if (this.isOver) return isIn ? 'ours' : 'elsewhere';
    if (!isIn) return hit.length > 0 ? 'ours' : 'elsewhere';
    return (await rule.isFailure(at, top?.name)) ? 'failure' : 'ours';
  }

  /** Whether the reporter itself has halted the program. Each worker of the runner halts once. */
  private async isAtHalt({ session, threadId }: StoppedAt): Promise<boolean> {
    const { haltsIn } = this.plan.framework;
    if (haltsIn === undefined) return false;
    const { inspector, reporters } = this.services;
    const place = inspector.placeOf(session, threadId);
    const top = await inspector.top(session, place, this.call.signal);
    return top?.path !== undefined && samePath(top.path, path.join(reporters, haltsIn));
  }

  /**
   * Whether the person has chosen exception filters that are not among the filters of this run. A stop may belong to
   * the person then. The filter for uncaught exceptions does not count, because VS Code selects it by default.
   */
  private isPersons(session: SessionState): boolean {
    const ours = this.rule?.exceptions.filters ?? [];
    return this.services.exceptions
      .active(session)
      .some(({ by, filter }) => by === 'user' && !ours.includes(filter) && !isUncaught(filter));
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
    const output = this.printed();
    return {
      kind: 'ended',
      report: await this.report(output),
      output,
      isAborted: this.launching.roots().some((root) => root.endRequested),
      exitCode: this.members.map(exitCodeOf).find((code) => code !== undefined),
    };
  }

  /** Reads the report of the runner as far as it is written. */
  async report(output: readonly string[]): Promise<RunReport> {
    return await reportOfRun(this.services, this.plan, output);
  }

  /** Returns the output of the program. From now on, this output counts as reported. */
  printed(): readonly string[] {
    const lines = printedBy(this.services, this.members);
    this.services.stops.output.takeUnreported(this.members);
    return lines;
  }

  /**
   * Removes everything that stops the run. It does not change whether the run is running or stopped.
   * @param isStaying whether the program stays at the failure, and may go on from there
   */
  async release(isStaying = false): Promise<void> {
    this.lease?.dispose();
    this.lease = undefined;
    await this.stops?.release(isStaying && this.plan.framework.staysWhere !== undefined);
  }

  /** Lets the run end by itself, so that the test can clean up. If this takes too long, it ends the run. */
  async finish({ session, threadId }: StoppedAt, deadline: number): Promise<void> {
    await this.release();
    const limits = {
      deadline: Math.min(deadline, performance.now() + MAX_OF_AN_END_MS),
      signal: this.call.signal,
    };
    await this.services.control.move(session, threadId, 'continue', limits).catch(() => undefined);
    await this.end();
  }

  /**
   * Lets the run go on from a failure until it ends by itself. The stops that it still meets do not count.
   * @returns undefined if it stopped elsewhere, or did not end in time
   */
  async goOn({ session, threadId }: StoppedAt, limits: RunLimits): Promise<RunEnd | undefined> {
    this.stops?.removeBreakpoints();
    this.isOver = true;
    const outcome = await this.pass(session, threadId, limits);
    const end = await this.follow(outcome, limits);
    return end.kind === 'ended' ? end : undefined;
  }

  /** Ends all sessions of the run that still exist. After the time limit, also ends all processes. */
  async end(): Promise<void> {
    await this.release();
    await this.services.control.endLaunch(this.launching, this.isOverdue);
  }
}

/** Returns the exit code of a program. It is the negative number of the signal that ended the program, if one did. */
function exitCodeOf({ exitCode, type }: SessionState): number | undefined {
  const signal = exitCode === undefined ? undefined : adapterOf(type).exitSignal?.(exitCode);
  return signal === undefined ? exitCode : -signal;
}

/** Returns the start of a run without a debugger. Such a run has no stops. */
function quickStart({ start, quick }: TestPlan): StartPlan {
  const launches = start.launches.map((launch) => ({
    ...launch,
    configuration: defined({
      ...launch.configuration,
      ...adapterOf(launch.type).withoutChildren,
      ...quick,
      env:
        quick['env'] === undefined
          ? launch.configuration['env']
          : joined(fields(launch.configuration['env']), fields(quick['env'])),
    }),
  }));
  return { ...start, launches };
}

/** Whether the name of a frame is the name of a function. Debuggers may add the module and the parameters. */
function isNamed(name: string | undefined, functionName: string): boolean {
  if (name === undefined || name === functionName) return name === functionName;
  return name.replace(/\(.*$/s, '').split('::').at(-1) === functionName;
}

/** The time that a failed test may take to clean up. */
const MAX_OF_AN_END_MS = 5000;
