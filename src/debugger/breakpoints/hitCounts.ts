import type { DebugState, SessionState } from '../state/state';

/** Counts how often breakpoints were hit, in all runs and in each session, by their VS Code ids. */
export class HitCounts {
  private readonly totals = new Map<string, number>();
  private readonly bySession = new Map<string, Map<string, number>>();

  /** The number of hits in all runs, or only in the given sessions. */
  of(hostId: string, sessions?: readonly SessionState[]): number {
    if (sessions === undefined) return this.totals.get(hostId) ?? 0;
    return sessions.reduce((sum, { key }) => sum + (this.bySession.get(key)?.get(hostId) ?? 0), 0);
  }

  add(hostId: string, { key }: SessionState): void {
    this.totals.set(hostId, this.of(hostId) + 1);
    const hits = this.bySession.get(key) ?? new Map<string, number>();
    this.bySession.set(key, hits.set(hostId, (hits.get(hostId) ?? 0) + 1));
  }

  /** Sets the hits of a breakpoint that replaces another. */
  takeOver(hostId: string, hits: number): void {
    if (hits > 0) this.totals.set(hostId, hits);
  }

  forget(hostId: string): void {
    this.totals.delete(hostId);
  }

  /** Removes sessions that the model no longer keeps. */
  prune({ sessions }: DebugState): void {
    for (const key of this.bySession.keys()) if (!sessions.has(key)) this.bySession.delete(key);
  }
}
