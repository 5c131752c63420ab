import * as l10n from '@vscode/l10n';
import { Failure } from '../results/failure';

/** A call that is under way, for the person to see. */
export interface CallUnderWay {
  readonly doing: string;
}

/** A call, for whoever runs it. */
export interface BegunCall {
  /** Says what it is doing now. */
  progress(doing: string): void;
  end(): void;
}

/** Whether agents may use the debugger, and what they are doing with it: the person's switch. */
export class AgentAccess {
  private isPaused = false;
  private readonly underWay = new Set<CallUnderWay>();
  private readonly listeners = new Set<() => void>();

  /** The person has taken over. */
  get paused(): boolean {
    return this.isPaused;
  }

  /** Calls that have begun and not ended, the oldest first. */
  get calls(): readonly CallUnderWay[] {
    return [...this.underWay];
  }

  /** From the next call on; calls that wait go on waiting, and move nothing. */
  setPaused(paused: boolean): void {
    this.isPaused = paused;
    this.tell();
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** @throws Failure `person_took_over` */
  check(): void {
    if (!this.isPaused) return;
    throw new Failure(
      'person_took_over',
      l10n.t('The person has taken over the debugger.'),
      'Wait until they give it back; ask them when you need it. Nothing was done.',
    );
  }

  /** A call begins. @throws Failure `person_took_over` */
  begin(doing: string): BegunCall {
    this.check();
    const call: { doing: string } = { doing };
    this.underWay.add(call);
    this.tell();
    return {
      progress: (now) => {
        call.doing = now;
        this.tell();
      },
      end: () => {
        this.underWay.delete(call);
        this.tell();
      },
    };
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

/** The oldest call that has lasted for a while: what a person is told of. */
export class LastingCalls {
  private readonly timers = new Map<CallUnderWay, NodeJS.Timeout>();
  private readonly lasting = new Set<CallUnderWay>();
  private readonly subscription: { dispose(): void };

  constructor(
    access: AgentAccess,
    private readonly afterMs: number,
    private readonly onDidLast: () => void,
  ) {
    this.subscription = access.onDidChange(() => this.follow(access.calls));
  }

  get call(): CallUnderWay | undefined {
    const [oldest] = this.lasting;
    return oldest;
  }

  dispose(): void {
    this.subscription.dispose();
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }

  private follow(calls: readonly CallUnderWay[]): void {
    for (const call of calls) {
      if (!this.timers.has(call))
        this.timers.set(
          call,
          setTimeout(() => this.lasts(call), this.afterMs),
        );
    }
    for (const [call, timer] of this.timers) {
      if (calls.includes(call)) continue;
      clearTimeout(timer);
      this.timers.delete(call);
      this.lasting.delete(call);
    }
  }

  private lasts(call: CallUnderWay): void {
    this.lasting.add(call);
    this.onDidLast();
  }
}
