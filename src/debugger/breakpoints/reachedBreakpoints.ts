import type { DebugModel } from '../state/debugModel';
import type { SessionState, StopState } from '../state/state';

/** Stands for the stops that nobody can have seen. */
const BEFORE_ALL = 0;

/** At which breakpoints each session has been, as far as its stops were looked at. */
export class ReachedBreakpoints {
  /** The numbers of breakpoints, by session. */
  private readonly reached = new Map<string, Set<number>>();
  /** Stops of which nobody has seen the place yet, by session. */
  private readonly unseen = new Map<string, Set<number>>();

  constructor(private readonly model: DebugModel) {}

  stopped(session: SessionState, stop: StopState): void {
    membersOf(this.unseen, session.key).add(stop.id);
  }

  /** It ran before anybody saw its stops. */
  foundRunning(key: string): void {
    membersOf(this.unseen, key).add(BEFORE_ALL);
  }

  /** A stop was looked at, or its adapter named the breakpoints: they are those on the line, also after a step. */
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

  /** Forgets sessions that the model has forgotten. */
  prune(): void {
    const { sessions } = this.model.state;
    for (const marks of [this.reached, this.unseen])
      for (const key of marks.keys()) if (!sessions.has(key)) marks.delete(key);
  }
}

function membersOf(sets: Map<string, Set<number>>, key: string): Set<number> {
  const known = sets.get(key);
  if (known !== undefined) return known;
  const made = new Set<number>();
  sets.set(key, made);
  return made;
}
