import { isFailure, type SessionState } from '../state/state';

/** The programs that one breakpoint is meant for. */
export interface Meant {
  readonly programs: ReadonlySet<string>;
  /** No program has ended with it since it was set. */
  readonly isFresh: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * For which programs agents set each breakpoint: those that ran when it was set, and those that were started after
 * that, up to the first end of one of them. VS Code sends every breakpoint to every program, and debugpy verifies all
 * of them, so an adapter's answer does not tell.
 */
export class MeantPrograms {
  /** Programs, by VS Code's id of the breakpoint. */
  private readonly programs = new Map<string, ReadonlySet<string>>();
  /** Those that no program has ended with since they were set. */
  private readonly fresh = new Set<string>();

  /** @param running the outermost sessions that live */
  set(hostId: string, running: readonly SessionState[]): void {
    this.fresh.add(hostId);
    this.programs.set(hostId, new Set(running.map(programOf)));
  }

  /** @param root an outermost session */
  started(root: SessionState): void {
    for (const hostId of this.fresh)
      this.programs.set(hostId, new Set(this.programs.get(hostId)).add(programOf(root)));
  }

  /** A program that could not be started has met no breakpoint. @param root an outermost session */
  ended(root: SessionState): void {
    if (isFailure(root.end)) return;
    for (const hostId of this.fresh) if (this.isFor(hostId, root)) this.fresh.delete(hostId);
  }

  /** Whether it was set for this program, in this run or an earlier one. */
  isFor(hostId: string, root: SessionState): boolean {
    return this.programs.get(hostId)?.has(programOf(root)) === true;
  }

  /** What the same breakpoint takes along when it goes on under another id. */
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

/** What makes two runs runs of the same program. */
const PROGRAM = ['program', 'module', 'mainClass', 'cwd', 'args'] as const;

function programOf({ name, configuration }: SessionState): string {
  return JSON.stringify([name, ...PROGRAM.map((each) => configuration[each] ?? null)]);
}
