import * as l10n from '@vscode/l10n';
import type { AtEnd, BoundedRun, ProgramState, RunStep } from '../../../control/boundedRun';
import { PassedStops } from '../../../control/passedStops';
import type { Stopped } from '../../../control/outcome';
import { restOfStackRequested } from '../../../control/wholeStack';
import { adapterOf } from '../../../debugger/adapters/registry';
import { isSettingBreakpoints, stoppedThread } from '../../../debugger/state/state';
import type { Call, ToolServices } from '../../services';
import type { RunTrigger } from '../../trigger/runTrigger';
import type { EntryHold } from '../entryHold';
import type { ScriptRecording } from '../../../recording/lldb/scriptRecording';
import { checkStarted, type Reach } from '../reach';
import type { Collector, CollectorOptions, StopVerdict } from './collector';
import { RecordingCollector } from './recordingCollector';
import { canLog, LogpointCollector } from './logpointCollector';
import { ScriptCollector } from './scriptCollector';
import type { ExceptionWatch } from './exceptionWatch';
import { NoProbes } from './noProbes';
import { StoppingCollector } from './stoppingCollector';
import type { Probe } from './probes';
import { FRAMES_OF_A_HIT, placeOfStop } from './stopPlace';
import { movedLine, silentProbes, type SilentProbe } from './silentProbes';
import { timeLimit } from '../../../util/timeLimit';

export type CollectionEnd =
  | 'program_end'
  | 'max_hits'
  | 'max_seconds'
  | 'refuted'
  | 'person'
  | 'breakpoint'
  | 'exception'
  /** The trigger of the call has ended, and its effects had time to show. */
  | 'trigger'
  | 'cancelled';

export interface CollectPlan {
  readonly services: ToolServices;
  readonly call: Call;
  readonly reach: Reach;
  readonly hold: EntryHold;
  readonly run: BoundedRun;
  readonly trigger: RunTrigger;
  /** The recording that the launch starts together with its program. */
  readonly prepared: ScriptRecording | undefined;
  readonly probes: readonly Probe[];
  /** Sees the exceptions of the program, if the call asks for them. */
  readonly watch: ExceptionWatch | undefined;
  readonly type: string;
  readonly maxHits: number;
  readonly atEnd: AtEnd;
  /** The time of `performance.now()` at which the call has to end. */
  readonly deadline: number;
  /** Aborted when enough hits have been collected. The abort ends the waits of the run. */
  readonly enough: AbortController;
}

export interface Collected {
  readonly collector: Collector;
  readonly endedBy: CollectionEnd;
  readonly program: ProgramState;
  /** The lines to which the debugger moved probes whose lines have no code. */
  readonly moved: ReadonlyMap<number, number>;
  /** The reasons why probes were never reached. */
  readonly silent: readonly SilentProbe[];
  /** Whether the program was stopped at each hit. */
  readonly byStops: boolean;
  readonly passedStops: PassedStops;
}

/**
 * Runs the program within the limits of the call and collects values. After an error, it removes everything that it
 * added to the program.
 */
export async function collect(plan: CollectPlan): Promise<Collected> {
  const collecting = new Collecting(plan);
  try {
    return await collecting.run();
  } finally {
    await collecting.dispose();
  }
}

/** The time that a debugger may take to report whether the probes are set. */
const PLACING_LIMIT_MS = 10_000;

type Step = Exclude<RunStep, { kind: 'notStarted' }>;

class Collecting {
  private collector: Collector | undefined;
  private readonly passedStops = new PassedStops();
  /**
   * The signal of the call. It is also aborted when the time of the call is up, because an expression may never finish.
   */
  private readonly signal: AbortSignal;

  constructor(private readonly plan: CollectPlan) {
    const left = Math.max(0, Math.ceil(plan.deadline - performance.now()));
    this.signal = AbortSignal.any([plan.call.signal, timeLimit(left)]);
  }

  async run(): Promise<Collected> {
    const { plan } = this;
    const { watch, type } = plan;
    const isQuiet = adapterOf(type).everyException?.passesAtFalseConditions === true;
    const collector = await this.start(watch !== undefined && isQuiet);
    plan.hold.set();
    await plan.watch?.begin(plan.run, this.signal);
    // A running program has the probes now.
    plan.trigger.arm(plan.run);
    const wasStopped = plan.run.isLaunch ? undefined : plan.run.stopped();
    const first = wasStopped === undefined ? await plan.run.begin() : await this.resume(wasStopped);
    const { endedBy, stays } = await this.follow(
      checkStarted(plan.services, plan.reach, plan.run, first),
      collector,
    );
    return await this.finish(endedBy, stays ? 'stayStopped' : plan.atEnd);
  }

  async dispose(): Promise<void> {
    await this.plan.watch?.release();
    await this.collector?.dispose();
    this.plan.hold.dispose();
  }

  /** Starts a collector. @param stops whether the program stops at each hit */
  private async start(stops: boolean): Promise<Collector> {
    const { services, run, prepared, probes, maxHits, atEnd, call, enough, type } = this.plan;
    const options: CollectorOptions = {
      services,
      run,
      prepared,
      probes,
      maxHits,
      ...stopsOf(atEnd),
      signal: this.signal,
      onHits: () => this.onHits(),
    };
    const collectorClass = stops ? StoppingCollector : collectorFor(type, options);
    this.collector = probes.length === 0 ? new NoProbes() : await collectorClass.start(options);
    if (call.signal.aborted) enough.abort();
    return this.collector;
  }

  private onHits(): void {
    const { collector } = this;
    if (collector === undefined) return;
    this.plan.call.progress?.(l10n.t('Collecting values: {0} hits', collector.hits.length));
    if (collector.isFull && !collector.stopsAtHits) this.plan.enough.abort();
  }

  /** Continues the program from stop to stop until a limit is reached. */
  private async follow(
    first: Step,
    firstCollector: Collector,
  ): Promise<{ readonly endedBy: CollectionEnd; readonly stays: boolean }> {
    const { call } = this.plan;
    let step = first;
    let collector = firstCollector;
    for (;;) {
      if (step.kind !== 'stopped') {
        await collector.settle();
        return { endedBy: this.endOf(step, collector), stays: false };
      }
      const isAtEntry = await this.isAtEntry(step);
      if (isAtEntry) await this.awaitPlacement(step, collector);
      const verdict = isAtEntry ? 'taken' : await this.judge(step, collector);
      if (verdict === 'full') return { endedBy: 'max_hits', stays: false };
      if (verdict === 'refuted') return { endedBy: 'refuted', stays: false };
      if (verdict === 'interrupted' || (verdict === 'foreign' && this.signal.aborted))
        return { endedBy: call.signal.aborted ? 'cancelled' : 'max_seconds', stays: false };
      if (verdict === 'foreign' && !this.passes(step))
        return { endedBy: causeOf(step), stays: true };
      if (verdict === 'unrecordable') {
        await collector.dispose();
        collector = await this.start(true);
        // The new collector takes this stop as its first hit.
        continue;
      }
      const next = await this.resume(step);
      if (next.kind === 'notStarted') return { endedBy: 'person', stays: true };
      step = next;
    }
  }

  private async judge(step: Stopped, collector: Collector): Promise<StopVerdict> {
    return (await this.plan.watch?.take(step, this.signal)) ?? (await collector.judge(step));
  }

  /** Whether a stop is no fault. It is counted, and the program continues. */
  private passes({ sessionKey, stop }: Stopped): boolean {
    const session = this.plan.services.model.state.sessions.get(sessionKey);
    return this.passedStops.passes(session, stop);
  }

  private async isAtEntry(step: Stopped): Promise<boolean> {
    const { services, hold } = this.plan;
    if (!hold.isSet) return step.stop.reason === 'entry';
    const place = await placeOfStop(services, step, FRAMES_OF_A_HIT, this.signal);
    return place !== undefined && hold.isAt(place.session, step.stop, place.frames[0]);
  }

  /** Waits at the entry until the debugger has answered for all probes and the person's breakpoints. */
  private async awaitPlacement({ sessionKey }: Stopped, collector: Collector): Promise<void> {
    const { services, probes, call } = this.plan;
    const isPlaced = (): true | undefined => {
      const session = services.model.state.sessions.get(sessionKey);
      if (session === undefined) return true;
      const isOpen = (probe: Probe): boolean =>
        collector.placedIn(session, probe).kind === 'unanswered';
      return isSettingBreakpoints(session) || probes.some(isOpen) ? undefined : true;
    };
    const limits = { timeoutMs: PLACING_LIMIT_MS, signal: call.signal };
    await services.model.wait(isPlaced, limits).settled;
  }

  private async resume({ sessionKey }: Stopped): Promise<RunStep> {
    const { run, services } = this.plan;
    const there = stoppedThread(services.model.state, sessionKey);
    if (there === undefined) return await run.next();
    const { session, threadId: thread } = there;
    // From here on, hits do not stop the program.
    if (this.collector?.stopsAtHits !== true)
      await restOfStackRequested(services.model, session, thread, this.signal);
    return await run.move('continue', session, thread);
  }

  private endOf(step: Exclude<Step, { kind: 'stopped' }>, collector: Collector): CollectionEnd {
    switch (step.kind) {
      case 'ended':
        return 'program_end';
      case 'timeout':
        return 'max_seconds';
      case 'lost':
        return step.why === 'ended' ? 'program_end' : 'person';
      case 'cancelled':
        if (this.plan.call.signal.aborted) return 'cancelled';
        if (collector.isFull) return 'max_hits';
        return this.plan.trigger.isOver ? 'trigger' : 'cancelled';
    }
  }

  /**
   * Leaves the program in the state that `atEnd` requests. The collector is removed from the program before the program
   * runs on.
   */
  private async finish(endedBy: CollectionEnd, atEnd: AtEnd): Promise<Collected> {
    const { plan, collector } = this;
    if (collector === undefined) throw new Error('nothing was collected');
    await collector.settle();
    const moved = new Map(
      plan.probes.flatMap((probe) => {
        const line = movedLine(plan.run, collector, probe);
        return line === undefined ? [] : [[probe.id, line] as const];
      }),
    );
    const silent = await silentProbes(plan.services, plan.run, collector, plan.probes);
    await plan.watch?.release();
    // A recorder can be removed from a Python program only while the program is paused.
    if (atEnd !== 'continue') await plan.run.finish(atEnd);
    await collector.dispose();
    const { passedStops } = this;
    const program = atEnd === 'continue' ? await plan.run.finish(atEnd) : plan.run.state();
    return {
      collector,
      endedBy,
      program,
      moved,
      silent,
      byStops: collector.stopsAtHits,
      passedStops,
    };
  }
}

/**
 * Returns the collector for a debug type. It is a collector that does not stop the program, if the debugger supports
 * one.
 */
function collectorFor(type: string, options: CollectorOptions) {
  if (adapterOf(type).recorder !== undefined) return RecordingCollector;
  if (canLog({ ...options, type })) return LogpointCollector;
  return adapterOf(type).lldbCommand === undefined ? StoppingCollector : ScriptCollector;
}

/** Returns whether the program stops at the limit of hits, and where a claim is refuted for the first time. */
export function stopsOf(atEnd: AtEnd): Pick<CollectorOptions, 'stopAtLimit' | 'stopAtRefuted'> {
  return { stopAtLimit: atEnd !== 'continue', stopAtRefuted: atEnd === 'stayStopped' };
}

function causeOf({ stop }: Stopped): CollectionEnd {
  if (stop.reason === 'pause') return 'person';
  return stop.reason.includes('exception') ? 'exception' : 'breakpoint';
}
