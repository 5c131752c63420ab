import { matches, type Bound } from './breakpointMatching';
import { namedBy, printing, stoppingOn, under } from './breakpointsAtStop';
import { HitCounts } from './hitCounts';
import { ReachedBreakpoints } from './reachedBreakpoints';
import type { HostBreakpoint } from '../host';
import type { Frame } from '../inspection/stackAndVariables';
import { readMessage, type EventMessage } from '../protocol';
import type { DebugModel } from '../state/debugModel';
import type { DebugEvent, SessionState, StopState } from '../state/state';

/** Finds the numbers of the breakpoints that a stop hit. */
export type HitBy = (
  session: SessionState,
  stop: StopState,
  top: Frame | undefined,
) => readonly number[];

/** A breakpoint that was never hit, and how its session's adapter had bound it. */
export interface Missed {
  readonly id: number;
  readonly breakpoint: HostBreakpoint;
  readonly bound: Bound;
}

/** VS Code's breakpoints, and their numbers. */
interface Numbered {
  all(): readonly HostBreakpoint[];
  idOf(breakpoint: HostBreakpoint): number;
}

/** Tracks which breakpoints a stop hit, how often each breakpoint was hit, and which were never reached. */
export class BreakpointHits {
  readonly counts = new HitCounts();
  /** The newest stop of each session whose hits have been counted. */
  private readonly counted = new Map<string, number>();
  /** The newest stop of each session that named only breakpoints that VS Code does not know. */
  private readonly ofCalls = new Map<string, number>();
  private readonly reached: ReachedBreakpoints;
  private others: HitBy = () => [];

  constructor(
    private readonly model: DebugModel,
    private readonly breakpoints: Numbered,
  ) {
    this.reached = new ReachedBreakpoints(model);
  }

  /** Sets the function that finds the hits of breakpoints that are not in VS Code's list. */
  alsoHit(others: HitBy): void {
    this.others = others;
  }

  /** The numbers of the breakpoints that a stop hit; null if no known breakpoint was hit. */
  of(session: SessionState, stop: StopState, top: Frame | undefined): number[] | null {
    const all = this.breakpoints.all();
    const isOfCall = this.ofCalls.get(session.key) === stop.id;
    const found = isOfCall ? [] : (namedBy(session, stop, all) ?? under(session, stop, top, all));
    this.count(session, stop, found);
    if (top !== undefined)
      this.reached.see(
        session,
        stop,
        this.idsOf(found.length > 0 ? found : stoppingOn(session, top, all)),
      );
    const hit = [...this.idsOf(found), ...this.others(session, stop, top)];
    return hit.length > 0 ? hit : null;
  }

  /** The breakpoints that the sessions received and never hit; empty if that is unknown. */
  missedAmong(
    breakpoints: readonly HostBreakpoint[],
    sessions: readonly SessionState[],
  ): readonly Missed[] {
    if (sessions.some((session) => this.reached.isUnsure(session))) return [];
    return breakpoints.flatMap((breakpoint) => {
      const id = this.breakpoints.idOf(breakpoint);
      const wasReached =
        this.counts.of(breakpoint.hostId, sessions) > 0 || this.reached.has(sessions, id);
      if (!breakpoint.enabled || wasReached) return [];
      const bounds = sessions.flatMap((session) =>
        matches(session, breakpoint).map((adapter) => ({ session, adapter })),
      );
      const bound = bounds.find(({ adapter }) => adapter.verified) ?? bounds[0];
      return bound === undefined ? [] : [{ id, breakpoint, bound }];
    });
  }

  /** The names of the events that `observe` needs. */
  static readonly observes = ['stopped', 'output', 'sessionCreated', 'sessionEnded'] as const;

  /** Called with events after the state has been updated. Hits are counted regardless of who resumes the program. */
  observe(event: DebugEvent): void {
    if (event.type === 'sessionEnded') this.prune();
    const session = this.model.state.sessions.get(event.key);
    if (session === undefined) return;
    if (
      event.type === 'sessionCreated' &&
      event.knowledge === 'partial' &&
      session.knowledge === 'partial'
    )
      this.reached.foundRunning(event.key);
    const message = event.type === 'fromAdapter' ? readMessage(event.message) : undefined;
    if (message?.type === 'event') this.onEvent(session, message);
  }

  private onEvent(session: SessionState, { event, body }: EventMessage): void {
    if (event === 'stopped' && session.lastStop !== undefined)
      this.onStopped(session, session.lastStop);
    if (event === 'output' && body['line'] !== undefined)
      for (const breakpoint of printing(session, body, this.breakpoints.all()))
        this.counts.add(breakpoint.hostId, session);
  }

  private onStopped(session: SessionState, stop: StopState): void {
    const named = namedBy(session, stop, this.breakpoints.all());
    this.reached.stopped(session, stop);
    if (named === undefined) return;
    // Its breakpoint may be removed before the stop is reported.
    if (named.length === 0) this.ofCalls.set(session.key, stop.id);
    this.count(session, stop, named);
    this.reached.see(session, stop, this.idsOf(named));
  }

  /** Removes sessions that the model no longer keeps. Until then, ended sessions can still be reported. */
  private prune(): void {
    for (const key of this.counted.keys())
      if (!this.model.state.sessions.has(key)) this.counted.delete(key);
    for (const key of this.ofCalls.keys())
      if (!this.model.state.sessions.has(key)) this.ofCalls.delete(key);
    this.reached.prune();
    this.counts.prune(this.model.state);
  }

  /** Counts the hits of a stop once, regardless of how often the stop is reported. */
  private count(session: SessionState, stop: StopState, found: readonly HostBreakpoint[]): void {
    if (found.length === 0 || (this.counted.get(session.key) ?? 0) >= stop.id) return;
    this.counted.set(session.key, stop.id);
    for (const breakpoint of found) this.counts.add(breakpoint.hostId, session);
  }

  private idsOf(breakpoints: readonly HostBreakpoint[]): readonly number[] {
    return breakpoints.map((breakpoint) => this.breakpoints.idOf(breakpoint));
  }
}
