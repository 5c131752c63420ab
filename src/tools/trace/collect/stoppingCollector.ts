import path from 'node:path';
import type { Injection } from '../../../control/injectedBreakpoints';
import { NEVER_REACHED, type InjectedPoint } from '../../../control/injectedLists';
import { epochsOf, type Epochs } from '../../../control/nextOutcome';
import type { Stopped } from '../../../control/outcome';
import { adapterOf } from '../../../debugger/adapters/registry';
import { Interrupted } from '../../../debugger/requests';
import { asFailure } from '../../../results/debuggerFailures';
import { samePath } from '../../../debugger/sourcePath';
import { fields, listOf, textOf } from '../../../debugger/protocol';
import { cutText } from '../../../debugger/texts';
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
import { placeOfStop, type StopPlace } from './stopPlace';
import type { Probe } from './probes';

/** The maximum number of characters of one value. */
const MOST_OF_A_VALUE = 300;
/** The maximum number of frames in a counterexample's stack. */
const MAX_FRAMES = 20;

const MEMBERS_SHOWN = 10;

/** Matches the text with which debuggers show an object without its members. */
const ADDRESS = /^(?:0x[\da-f]+|.{0,200}@ ?(?:0x)?[\da-f]+)?$/i;

const FALSE = /^(?:false|-?0(?:\.0+)?|0x0+|'?\\0'?|nil|null)$/i;

/** Collects by stopping at each hit and continuing. It is for debuggers without a recorder. */
export class StoppingCollector implements Collector {
  readonly hits: Hit[] = [];
  readonly stopsAtHits = true;
  readonly lost = 0;
  private readonly numbers = new HitNumbers();
  private readonly injection: Injection;
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
    const { services, probes } = options;
    this.startEpochs = epochsOf(services.model.state);
    this.points = placesOf(probes);
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
    const { services, signal } = this.options;
    const place = await placeOfStop(services, stop, 2, signal);
    return place !== undefined && this.pointsAt(stop, place).length > 0;
  }

  async judge(stop: Stopped): Promise<StopVerdict> {
    const { services, signal } = this.options;
    const place = await placeOfStop(services, stop, 2, signal);
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
  private async takeAll(points: readonly InjectedPoint[], place: StopPlace): Promise<StopVerdict> {
    const { probes } = this.options;
    const reached = probes.filter((probe) => points.some((point) => isSamePlace(point, probe)));
    let isRefuted = false;
    for (const probe of reached) {
      if (this.isFull) return 'full';
      isRefuted = (await this.take(probe, place)) || isRefuted;
    }
    this.options.onHits();
    if (isRefuted && this.options.stopAtRefuted) return 'refuted';
    return this.isFull ? 'full' : 'taken';
  }

  settle(): Promise<void> {
    return Promise.resolve();
  }

  async dispose(): Promise<void> {
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
    const answers = this.injection.answeredIn(session);
    const [top] = frames;
    return this.points.filter((point, index) => {
      const answer = answers[index];
      if (answer?.kind !== 'answered') return false;
      const { id, line } = answer.adapter;
      if (ids !== undefined && ids.length > 0) return id !== undefined && ids.includes(id);
      return (
        top?.path !== undefined &&
        samePath(top.path, point.path) &&
        top.line === (line ?? point.line)
      );
    });
  }

  /** Records a hit of a probe. @returns whether the probe's claim was refuted for the first time */
  private async take(probe: Probe, place: StopPlace): Promise<boolean> {
    this.reached.add(probe.id);
    if (probe.condition !== undefined && !(await this.holds(probe, probe.condition, place))) {
      this.passed.set(probe.id, this.passes(probe) + 1);
      return false;
    }
    // The claim is sent after the values, without waiting for them.
    const [values, claim] = await Promise.all([
      Promise.all(probe.expressions.map((expression) => this.evaluated(expression, place))),
      this.claimOf(probe, place),
    ]);
    const isFirst = claim !== undefined && claim !== true && !this.refuted.has(probe.id);
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

  private async holds(probe: Probe, condition: string, place: StopPlace): Promise<boolean> {
    const value = await this.evaluatedTruth(condition, place);
    if (typeof value === 'object') {
      if (!this.failed.has(probe.id)) this.failed.set(probe.id, value.error);
      return false;
    }
    return value !== undefined && !FALSE.test(value);
  }

  private async claimOf(
    { expect }: Probe,
    place: StopPlace,
  ): Promise<boolean | string | undefined> {
    if (expect === undefined) return undefined;
    const value = await this.evaluatedTruth(expect, place);
    if (typeof value === 'object') return value.error;
    return value !== undefined && !FALSE.test(value);
  }

  private async evaluatedTruth(expression: string, place: StopPlace): Promise<RecordedValue> {
    const { truth } = adapterOf(place.session.type);
    return await this.evaluated(truth?.(expression) ?? expression, place);
  }

  private async evaluated(expression: string, place: StopPlace): Promise<RecordedValue> {
    const { services, signal } = this.options;
    const { session, threadId, frames } = place;
    const [top] = frames;
    if (top === undefined) return undefined;
    try {
      const { value, reference } = await services.inspector.evaluate(
        session,
        services.inspector.placeOf(session, threadId),
        top.id,
        expression,
        'watch',
        signal,
      );
      const shown =
        reference > 0 && ADDRESS.test(value) ? await this.members(session, reference) : undefined;
      return cutText(shown ?? value, MOST_OF_A_VALUE);
    } catch (error) {
      // An interrupted hit does not count, so it cannot refute the claim.
      if (error instanceof Interrupted) throw error;
      return { error: cutText(asFailure(error)?.message ?? String(error), MOST_OF_A_VALUE) };
    }
  }

  /** Returns the members of an object that its debugger shows only as an address. */
  private async members(session: SessionState, reference: number): Promise<string | undefined> {
    const { services, signal } = this.options;
    const body = await services.inspector.send(
      session,
      'variables',
      { variablesReference: reference },
      signal,
    );
    const members = listOf(body['variables']).map(fields);
    const shown = members
      .slice(0, MEMBERS_SHOWN)
      .map(({ name, value }) => `${textOf(name) ?? ''}: ${textOf(value) ?? ''}`);
    const more = members.length - shown.length;
    return members.length === 0
      ? undefined
      : `{${shown.join(', ')}${more > 0 ? `, … ${more} more` : ''}}`;
  }

  private async stackOf({ session, threadId }: StopPlace): Promise<readonly string[]> {
    const { services, signal } = this.options;
    const { inspector } = services;
    const place = inspector.placeOf(session, threadId);
    const { frames } = await inspector.frames(session, place, 0, MAX_FRAMES, signal);
    return frames.map((frame) => shownFrame(frame, false));
  }
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
