import type { Launching } from '../../control/launching';

/** A start that has no session yet. */
export interface ComingStart {
  readonly name: string;
  readonly launching: Launching;
}

/** The maximum number of stored starts. More are never under way at the same time. */
const KEPT = 20;

/** The starts of agents that VS Code may not have made a session of yet. */
export class ComingStarts {
  private readonly starts: ComingStart[] = [];

  add(start: ComingStart): void {
    this.starts.push(start);
    if (this.starts.length > KEPT) this.starts.shift();
  }

  /** Returns the newest start that VS Code is still working on. */
  newest(): ComingStart | undefined {
    return this.starts.findLast(({ launching }) => launching.isComing);
  }
}
