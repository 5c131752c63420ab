import { isFailure, type SessionState } from '../state/state';

/** The programs for which a breakpoint is meant. */
export interface Meant {
  readonly programs: ReadonlySet<string>;
  /** Whether none of its programs has ended since it was set. */
  readonly isFresh: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The programs for which agents set each breakpoint: those that were running when it was set, and those that were
 * started later, until one of them ended. An adapter's response does not show this, because VS Code sends every
 * breakpoint to every program and debugpy verifies all of them.
 */
export class MeantPrograms {
  /** The programs, by VS Code's id of the breakpoint. */
  private readonly programs = new Map<string, ReadonlySet<string>>();
  /** The breakpoints for which no program has ended since they were set. */
  private readonly fresh = new Set<string>();

  /** @param running the live root sessions */
  set(hostId: string, running: readonly SessionState[]): void {
    this.fresh.add(hostId);
    this.programs.set(hostId, new Set(running.map(programOf)));
  }

  /** @param root a root session */
  started(root: SessionState): void {
    for (const hostId of this.fresh)
      this.programs.set(hostId, new Set(this.programs.get(hostId)).add(programOf(root)));
  }

  /**
   * Called when a program has ended. Ignores programs that could not be started, because they reached no breakpoint.
   * @param root a root session
   */
  ended(root: SessionState): void {
    if (isFailure(root.end)) return;
    for (const hostId of this.fresh) if (this.isFor(hostId, root)) this.fresh.delete(hostId);
  }

  /** Whether the breakpoint was set for this program, in this run or an earlier one. */
  isFor(hostId: string, root: SessionState): boolean {
    return this.programs.get(hostId)?.has(programOf(root)) === true;
  }

  /** The programs that a breakpoint keeps when it gets another id. */
  of(hostId: string): Meant {
    return { programs: this.programs.get(hostId) ?? NONE, isFresh: this.fresh.has(hostId) };
  }

  takeOver(hostId: string, { programs, isFresh }: Meant): void {
    this.programs.set(hostId, programs);
    if (isFresh) this.fresh.add(hostId);
    else this.fresh.delete(hostId);
  }

  forget(hostId: string): void {
    this.programs.delete(hostId);
    this.fresh.delete(hostId);
  }
}

/** The properties that two runs of the same program have in common. */
const PROGRAM = ['program', 'module', 'mainClass', 'cwd', 'args'] as const;

function programOf({ name, configuration }: SessionState): string {
  return JSON.stringify([name, ...PROGRAM.map((property) => configuration[property] ?? null)]);
}
