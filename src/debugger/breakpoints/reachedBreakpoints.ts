import type { DebugModel } from '../state/debugModel';
import type { SessionState, StopState } from '../state/state';

/** The stop number that represents all stops before the session was found. */
const BEFORE_ALL = 0;

/** The breakpoints that each session has reached, as far as its stops have been read. */
export class ReachedBreakpoints {
  /** The numbers of the reached breakpoints, by session. */
  private readonly reached = new Map<string, Set<number>>();
  /** The stops whose location has not been read yet, by session. */
  private readonly unseen = new Map<string, Set<number>>();

  constructor(private readonly model: DebugModel) {}

  stopped(session: SessionState, stop: StopState): void {
    membersOf(this.unseen, session.key).add(stop.id);
  }

  /** Called if the session was already running when it was found, so its earlier stops are unknown. */
  foundRunning(key: string): void {
    membersOf(this.unseen, key).add(BEFORE_ALL);
  }

  /**
   * Called when a stop was read, or when its adapter named the breakpoints.
   * @param ids the breakpoints on its line, also after a step
   */
  see(session: SessionState, stop: StopState, ids: readonly number[]): void {
    this.unseen.get(session.key)?.delete(stop.id);
    for (const id of ids) membersOf(this.reached, session.key).add(id);
  }

  has(sessions: readonly SessionState[], id: number): boolean {
    return sessions.some((session) => this.reached.get(session.key)?.has(id) === true);
  }

  isUnsure({ key }: SessionState): boolean {
    return (this.unseen.get(key)?.size ?? 0) > 0;
  }

  /** Removes sessions that the model no longer keeps. */
  prune(): void {
    const { sessions } = this.model.state;
    for (const marks of [this.reached, this.unseen])
      for (const key of marks.keys()) if (!sessions.has(key)) marks.delete(key);
  }
}

function membersOf(sets: Map<string, Set<number>>, key: string): Set<number> {
  const existing = sets.get(key);
  if (existing !== undefined) return existing;
  const created = new Set<number>();
  sets.set(key, created);
  return created;
}
