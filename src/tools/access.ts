import * as l10n from '@vscode/l10n';
import { Failure } from '../results/failure';

/** A running call, in the form that is shown to the person. */
export interface CallUnderWay {
  readonly doing: string;
}

/** A running call, in the form that the code that runs it uses. */
export interface BegunCall {
  /** Reports the current activity of the call. */
  progress(doing: string): void;
  end(): void;
}

/** The person's switch for the access of agents to the debugger, and the list of running calls. */
export class AgentAccess {
  private isPaused = false;
  private readonly underWay = new Set<CallUnderWay>();
  private readonly listeners = new Set<() => void>();

  /** Whether the person has taken over. */
  get paused(): boolean {
    return this.isPaused;
  }

  /** The running calls, oldest first. */
  get calls(): readonly CallUnderWay[] {
    return [...this.underWay];
  }

  /** Sets the switch. It applies from the next call on. Waiting calls continue to wait, and do not move any program. */
  setPaused(paused: boolean): void {
    this.isPaused = paused;
    this.notify();
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** Checks that the person has not taken over. @throws Failure `person_took_over` */
  check(): void {
    if (!this.isPaused) return;
    throw new Failure(
      'person_took_over',
      l10n.t('The person has taken over the debugger.'),
      'Wait until they give it back; ask them when you need it. Nothing was done.',
    );
  }

  /** Registers a call that starts. @throws Failure `person_took_over` */
  begin(doing: string): BegunCall {
    this.check();
    const call: { doing: string } = { doing };
    this.underWay.add(call);
    this.notify();
    return {
      progress: (now) => {
        call.doing = now;
        this.notify();
      },
      end: () => {
        this.underWay.delete(call);
        this.notify();
      },
    };
  }

  private notify(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

/** Finds the oldest call that has run for a certain time. This call is shown to the person. */
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
