import path from 'node:path';
import type { Injection } from '../../../control/injectedBreakpoints';
import { NEVER_REACHED, type InjectedPoint } from '../../../control/injectedLists';
import { epochsOf, type Epochs } from '../../../control/nextOutcome';
import type { Stopped } from '../../../control/outcome';
import { adapterOf } from '../../../debugger/adapters/registry';
import { Interrupted } from '../../../debugger/requests';
import { samePath } from '../../../debugger/sourcePath';
import type { SessionState } from '../../../debugger/state/state';
import type { PlacedPoint } from '../../../recording/recording';
import type { RecordedValue } from '../../../recording/recordedRows';
import {
  HitNumbers,
  type Collector,
  type CollectorOptions,
  type Hit,
  type StopVerdict,
} from './collector';
import { isOfRun } from '../reach';
import { StopValues, type HitPlace } from './stopValues';
import type { StopPlace } from './stopPlace';
import type { Probe } from './probes';

/** The maximum number of frames in a counterexample's stack. */
const MAX_FRAMES = 20;

const FALSE = /^(?:false|-?0(?:\.0+)?|0x0+|'?\\0'?|nil|null)$/i;

/** Collects by stopping at each hit and continuing. It is for debuggers without a recorder. */
export class StoppingCollector implements Collector {
  readonly hits: Hit[] = [];
  readonly stopsAtHits = true;
  readonly lost = 0;
  private readonly numbers = new HitNumbers();
  private readonly injection: Injection;
  private readonly values: StopValues;
  private readonly points: readonly InjectedPoint[];
  /** The sessions in which another recorder collects. The points there only show how the adapter binds them. */
  private readonly silenced = new Map<string, boolean>();
  private readonly passed = new Map<number, number>();
  private readonly failed = new Map<number, string>();
  private readonly reached = new Set<number>();
  private readonly threads = new Map<string, string>();
  private readonly refuted = new Set<number>();
  /** The epochs at the start. A stop that is not newer occurred before the breakpoints were set. */
  private readonly startEpochs: Epochs;

  private constructor(
    private readonly options: CollectorOptions,
    private readonly isSilenced: (session: SessionState) => boolean,
  ) {
    const { services, probes, signal } = options;
    this.startEpochs = epochsOf(services.model.state);
    this.points = placesOf(probes);
    this.values = new StopValues(services, signal, {
      isOfRun: (session) => isOfRun(options, session) && options.run.lost === undefined,
      expressionsAt: (session, ids) => this.expressionsAt(session, ids),
    });
    this.injection = services.injected.inject((session) =>
      isOfRun(options, session) ? this.pointsIn(session) : [],
    );
  }

  /** @param isSilenced whether the points of a starting session never stop, because it is recorded in another way */
  static async start(
    options: CollectorOptions,
    isSilenced: (session: SessionState) => boolean = () => false,
  ): Promise<StoppingCollector> {
    const collector = new StoppingCollector(options, isSilenced);
    await collector.injection.placed;
    return collector;
  }

  get isFull(): boolean {
    return this.hits.length >= this.options.maxHits;
  }

  passes({ id }: Probe): number {
    return this.passed.get(id) ?? 0;
  }

  hasReached({ id }: Probe): boolean {
    return this.reached.has(id);
  }

  failure({ id }: Probe): string | undefined {
    return this.failed.get(id);
  }

  placedIn(session: SessionState, probe: Probe): PlacedPoint {
    const index = this.points.findIndex((point) => isSamePlace(point, probe));
    return this.injection.answeredIn(session)[index] ?? { kind: 'unanswered' };
  }

  private pointsIn(session: SessionState): readonly InjectedPoint[] {
    const { key, type } = session;
    let isSilenced = this.silenced.get(key);
    // The points of a session must not change.
    if (isSilenced === undefined) this.silenced.set(key, (isSilenced = this.isSilenced(session)));
    const hitCondition = isSilenced
      ? adapterOf(type).hitConditions?.write({ operator: '>=', count: NEVER_REACHED })
      : undefined;
    return hitCondition === undefined
      ? this.points
      : this.points.map((point) => ({ ...point, hitCondition }));
  }

  /** Whether the points of a session never stop. */
  isSilencedIn(sessionKey: string): boolean {
    return this.silenced.get(sessionKey) === true;
  }

  /** Whether a stop is at a probe. */
  async isHit(stop: Stopped): Promise<boolean> {
    const place = await this.values.placeOf(stop);
    return place !== undefined && this.pointsAt(stop, place).length > 0;
  }

  async judge(stop: Stopped): Promise<StopVerdict> {
    const place = await this.values.placeOf(stop);
    const points = place === undefined ? [] : this.pointsAt(stop, place);
    if (place === undefined || points.length === 0) return 'foreign';
    try {
      return await this.takeAll(points, place);
    } catch (error) {
      if (error instanceof Interrupted) return 'interrupted';
      throw error;
    }
  }

  /** Records a hit for each probe at one of these points. @throws Interrupted */
  private async takeAll(points: readonly InjectedPoint[], place: HitPlace): Promise<StopVerdict> {
    let isRefuted = false;
    for (const probe of this.probesAt(points)) {
      if (this.isFull) return 'full';
      isRefuted = (await this.take(probe, place)) || isRefuted;
    }
    this.options.onHits();
    if (isRefuted && this.options.stopAtRefuted) return 'refuted';
    return this.isFull ? 'full' : 'taken';
  }

  private probesAt(points: readonly InjectedPoint[]): readonly Probe[] {
    return this.options.probes.filter((probe) => points.some((point) => isSamePlace(point, probe)));
  }

  settle(): Promise<void> {
    return Promise.resolve();
  }

  async dispose(): Promise<void> {
    this.values.dispose();
    await this.injection.dispose();
  }

  /**
   * Returns the points of a stop. They are found by the adapter's breakpoint ids if it sends them, otherwise by the
   * place.
   */
  private pointsAt({ stop }: Stopped, { session, frames }: StopPlace): readonly InjectedPoint[] {
    if (!stop.reason.includes('breakpoint')) return [];
    const isEarlier = stop.epoch <= (this.startEpochs.get(session.key) ?? 0);
    const ids = isEarlier ? undefined : stop.hitBreakpointIds;
    if (ids !== undefined && ids.length > 0) return this.pointsWith(session, ids);
    const answers = this.injection.answeredIn(session);
    const [top] = frames;
    return this.points.filter((point, index) => {
      const answer = answers[index];
      return (
        answer?.kind === 'answered' &&
        top?.path !== undefined &&
        samePath(top.path, point.path) &&
        top.line === (answer.adapter.line ?? point.line)
      );
    });
  }

  /** Returns the points for which the adapter has answered with one of these ids. */
  private pointsWith(session: SessionState, ids: readonly number[]): readonly InjectedPoint[] {
    const answers = this.injection.answeredIn(session);
    return this.points.filter((_, index) => {
      const answer = answers[index];
      if (answer?.kind !== 'answered') return false;
      const { id } = answer.adapter;
      return id !== undefined && ids.includes(id);
    });
  }

  /** Records a hit of a probe. @returns whether the probe's claim was refuted for the first time */
  private async take(probe: Probe, place: HitPlace): Promise<boolean> {
    this.reached.add(probe.id);
    if (probe.condition !== undefined && !(await this.holds(probe, probe.condition, place))) {
      this.passed.set(probe.id, this.passes(probe) + 1);
      return false;
    }
    // The claim is sent after the values, without waiting for them.
    const [values, claim] = await Promise.all([
      Promise.all(probe.expressions.map((expression) => this.values.evaluated(expression, place))),
      this.claimOf(probe, place),
    ]);
    const isFirst = claim === false && !this.refuted.has(probe.id);
    if (isFirst) this.refuted.add(probe.id);
    const [, caller] = place.frames;
    this.hits.push({
      probe: probe.id,
      number: this.numbers.next(probe.id),
      thread: this.threadName(place),
      caller: caller === undefined ? undefined : shownFrame(caller, true),
      values,
      claim,
      stack: isFirst ? await this.stackOf(place) : undefined,
    });
    return isFirst;
  }

  /** Returns the first known name of a thread. Adapters learn names later, and programs change them. */
  private threadName({ session, threadId }: StopPlace): string {
    const key = `${session.key}/${threadId}`;
    const name = this.threads.get(key) ?? session.threads.get(threadId)?.name ?? String(threadId);
    this.threads.set(key, name);
    return name;
  }

  private async holds(probe: Probe, condition: string, place: HitPlace): Promise<boolean> {
    const value = await this.evaluatedTruth(condition, place);
    if (typeof value === 'object') {
      if (!this.failed.has(probe.id)) this.failed.set(probe.id, value.error);
      return false;
    }
    return value !== undefined && !FALSE.test(value);
  }

  private async claimOf({ expect }: Probe, place: HitPlace): Promise<boolean | string | undefined> {
    if (expect === undefined) return undefined;
    const value = await this.evaluatedTruth(expect, place);
    if (value === undefined) return 'a name in it does not exist here';
    return typeof value === 'object' ? value.error : !FALSE.test(value);
  }

  private async evaluatedTruth(expression: string, place: HitPlace): Promise<RecordedValue> {
    return await this.values.evaluated(truthOf(expression, place.session), place);
  }

  /** Returns the expressions of the probes at a stop. If a probe has a condition, the others depend on it. */
  private expressionsAt(session: SessionState, ids: readonly number[]): readonly string[] {
    if (this.isFull) return [];
    return this.probesAt(this.pointsWith(session, ids)).flatMap(
      ({ expressions, condition, expect }) => {
        if (condition !== undefined) return [truthOf(condition, session)];
        return expect === undefined ? expressions : [...expressions, truthOf(expect, session)];
      },
    );
  }

  private async stackOf({ session, threadId }: StopPlace): Promise<readonly string[]> {
    const { services, signal } = this.options;
    const { inspector } = services;
    const place = inspector.placeOf(session, threadId);
    const { frames } = await inspector.frames(session, place, 0, MAX_FRAMES, signal);
    return frames.map((frame) => shownFrame(frame, false));
  }
}

/** Returns an expression whose value is the truth of another one in the program's language. */
function truthOf(expression: string, { type }: SessionState): string {
  return adapterOf(type).truth?.(expression) ?? expression;
}

function shownFrame(
  { name, path: file, line }: StopPlace['frames'][number],
  isShort: boolean,
): string {
  return `${name} (${isShort ? path.basename(file ?? '') : (file ?? '')}:${line})`;
}

/** Returns the distinct places of the probes. Of two breakpoints at the same place, an adapter uses only one. */
function placesOf(probes: readonly Probe[]): readonly InjectedPoint[] {
  const points: InjectedPoint[] = [];
  for (const { path: file, line, column } of probes)
    if (!points.some((point) => isSamePlace(point, { path: file, line, column })))
      points.push({ path: file, line, column });
  return points;
}

function isSamePlace(
  one: Pick<Probe, 'path' | 'line' | 'column'>,
  other: Pick<Probe, 'path' | 'line' | 'column'>,
): boolean {
  return samePath(one.path, other.path) && one.line === other.line && one.column === other.column;
}
