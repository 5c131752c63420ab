import { adapterOf } from '../debugger/adapters/registry';
import type { PauseLike } from '../debugger/adapters/adapterParts';
import type { SessionState } from '../debugger/state/state';

/**
 * The stops that a call passes and counts, because they are no end: signals that are no fault, and rejections that the
 * program may handle a moment later. If the program does not handle one, its end says so.
 */
export class PassedStops {
  private readonly counts = new Map<string, number>();

  /** Names a stop that may be passed. Undefined for any other stop. */
  nameOf(session: SessionState | undefined, stop: PauseLike): string | undefined {
    return session === undefined ? undefined : adapterOf(session.type).mayHandle?.(stop);
  }

  /** Whether a stop may be passed. It is counted. */
  passes(session: SessionState | undefined, stop: PauseLike): boolean {
    const name = this.nameOf(session, stop);
    if (name !== undefined) this.count(name);
    return name !== undefined;
  }

  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** What results show. Undefined if nothing was passed. */
  get shown(): Readonly<Record<string, number>> | undefined {
    return this.counts.size === 0 ? undefined : Object.fromEntries(this.counts);
  }
}
