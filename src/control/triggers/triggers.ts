import type { TextTest } from '../../debugger/texts';
import type { DebugModel } from '../../debugger/state/debugModel';
import { isOver, rootOf, type DebugState, type SessionState } from '../../debugger/state/state';
import { runCommand } from './commandTrigger';
import { sendHttp } from './httpTrigger';
import { listens, pauseBefore } from './listeningPort';
import { failedBy, type TriggerEnd, type TriggerRequest } from './trigger';

/** The time that a trigger has to end by itself after its program has ended, in milliseconds. */
const GRACE_MS = 500;

/** Returns the environment of a command. */
export type TriggerEnvironment = () => Readonly<Record<string, string>>;

/** What is sent, and when. */
export interface TriggerPlan {
  readonly request: TriggerRequest;
  /** It is sent only after a line that the program prints from now on and that matches. */
  readonly after?: TextTest | undefined;
  /** It is sent only when this port of the computer listens. */
  readonly afterPort?: number | undefined;
  /** The sessions of the program. They may not exist yet. */
  readonly sessions: () => readonly SessionState[];
  /** Whether the program runs and its breakpoints are bound. */
  readonly isReady: (state: DebugState) => boolean;
}

/** `waiting`: it was not sent yet. `pending`: it was sent and has not ended. */
export type TriggerState = 'waiting' | 'pending' | 'ended' | 'notSent';

/** One trigger: armed before the program runs, sent when the program is ready, at most once. */
export class Trigger {
  state: TriggerState = 'waiting';
  end: TriggerEnd | undefined;
  /** Settles when it is sent for the first time, or was not sent. */
  readonly sent: Promise<void>;
  private tellSent: () => void = () => undefined;
  /** Settles when it has ended, or was not sent. */
  readonly settled: Promise<void>;
  private settle: () => void = () => undefined;
  private readonly disarmed = new AbortController();
  private readonly aborted = new AbortController();
  private readonly roots = new Set<string>();
  private readonly cursors: Map<string, number>;
  private subscription: { dispose(): void } | undefined;
  private hasPrinted: boolean;
  private isBegun = false;
  private sentAt = 0;
  private endedAt: number | undefined;
  private grace: NodeJS.Timeout | undefined;

  constructor(
    private readonly model: DebugModel,
    readonly plan: TriggerPlan,
    private readonly environment: TriggerEnvironment,
  ) {
    this.sent = new Promise((resolve) => (this.tellSent = resolve));
    this.settled = new Promise((resolve) => (this.settle = resolve));
    this.hasPrinted = plan.after === undefined;
    this.cursors = new Map(
      plan.sessions().map((session) => [session.key, model.output(session).cursor]),
    );
    this.subscription = model.onDidChange(() => this.look());
    this.look();
  }

  /** The milliseconds from its sending to its end, or until now. */
  get durationMs(): number {
    return Math.round((this.endedAt ?? performance.now()) - this.sentAt);
  }

  /** Whether it was sent for the program of a session. */
  isFor(session: SessionState): boolean {
    const { state } = this.model;
    this.noteRoots(state);
    return this.roots.has(rootOf(state, session).key);
  }

  /** The sessions that its program was started with, once it was sent. */
  get rootKeys(): readonly string[] {
    return [...this.roots];
  }

  /** Whether its program has ended, or has not started. */
  get isLeft(): boolean {
    const { state } = this.model;
    return ![...this.roots].some((key) => {
      const root = state.sessions.get(key);
      return root !== undefined && !isOver(state, root);
    });
  }

  /** From now on, it is not sent any more. One that was sent goes on. */
  disarm(): void {
    this.disarmed.abort();
    if (this.state !== 'waiting') return;
    this.state = 'notSent';
    this.leave();
  }

  /** Ends it, because its program has ended or was let go. */
  abort(): void {
    this.disarm();
    this.aborted.abort();
  }

  /** Called at each change of the model. */
  private look(): void {
    const { state } = this.model;
    this.noteRoots(state);
    // A request to an ended program ends by itself.
    if (this.state === 'pending' && this.isLeft)
      this.grace ??= setTimeout(() => this.abort(), GRACE_MS);
    if (this.state !== 'waiting' || this.isBegun) return;
    try {
      this.hasPrinted ||= this.prints();
    } catch (error) {
      // The pattern takes too long on this text.
      this.conclude(failedBy(error));
      return;
    }
    if (!this.hasPrinted || !this.plan.isReady(state)) return;
    this.isBegun = true;
    void this.begin();
  }

  private noteRoots(state: DebugState): void {
    for (const session of this.plan.sessions()) this.roots.add(rootOf(state, session).key);
  }

  /** Whether the program has printed the awaited line since the last look. */
  private prints(): boolean {
    const { after: pattern, sessions } = this.plan;
    return sessions().some((session) => {
      const log = this.model.output(session);
      const [line] = log.read({ since: this.cursors.get(session.key) ?? 0, pattern });
      this.cursors.set(session.key, log.cursor);
      return line !== undefined;
    });
  }

  private async begin(): Promise<void> {
    const { request, afterPort } = this.plan;
    const isOwnPort = request.kind === 'http' && portOf(request.url) === afterPort;
    if (afterPort !== undefined && !isOwnPort && !(await listens(afterPort, this.disarmed.signal)))
      return;
    for (let attempt = 0; !this.isDisarmed(); attempt += 1) {
      this.state = 'pending';
      this.sentAt = performance.now();
      this.tellSent();
      const end = await this.send(request);
      const isEarly = isOwnPort && end.kind === 'failed' && end.code === 'ECONNREFUSED';
      if (!isEarly || this.isDisarmed()) {
        this.conclude(end);
        return;
      }
      // Nothing listens yet. The request itself is the next attempt: an extra connection could be seen by the program.
      this.state = 'waiting';
      await pauseBefore(attempt + 1, this.disarmed.signal);
    }
  }

  private isDisarmed(): boolean {
    return this.disarmed.signal.aborted;
  }

  private async send(request: TriggerRequest): Promise<TriggerEnd> {
    return request.kind === 'http'
      ? await sendHttp(request, this.aborted.signal)
      : await runCommand(request, this.environment(), this.aborted.signal);
  }

  private conclude(end: TriggerEnd): void {
    this.end = end;
    this.endedAt = performance.now();
    if (this.sentAt === 0) this.sentAt = this.endedAt;
    this.state = 'ended';
    this.leave();
  }

  private leave(): void {
    this.subscription?.dispose();
    this.subscription = undefined;
    clearTimeout(this.grace);
    this.tellSent();
    this.settle();
  }
}

/** The port of an address. */
export function portOf(url: URL): number {
  const scheme = url.protocol === 'https:' ? 443 : 80;
  return url.port === '' ? scheme : Number(url.port);
}

/** The triggers that were sent and whose end no call has reported yet. */
export class Triggers {
  private readonly sent = new Set<Trigger>();
  /** The programs to which one was sent. */
  private readonly triggered = new Set<string>();

  constructor(
    private readonly model: DebugModel,
    private readonly environment: TriggerEnvironment,
  ) {}

  /** Arms a trigger. It may be sent in the same turn. */
  arm(plan: TriggerPlan): Trigger {
    for (const other of this.sent)
      if (other.state === 'ended' && other.isLeft) this.sent.delete(other);
    const trigger = new Trigger(this.model, plan, this.environment);
    this.sent.add(trigger);
    void trigger.sent.then(() => {
      if (trigger.state !== 'notSent') for (const key of trigger.rootKeys) this.triggered.add(key);
    });
    return trigger;
  }

  /** Returns the trigger of a session's program whose end was not reported yet. */
  of(session: SessionState): Trigger | undefined {
    return [...this.sent].find((trigger) => trigger.isFor(session));
  }

  /** Whether a trigger was sent to a session's program, also if its end was reported. */
  wasSentTo(session: SessionState): boolean {
    return this.triggered.has(rootOf(this.model.state, session).key);
  }

  /** Forgets a trigger whose end was reported, or which was not sent. */
  forget(trigger: Trigger): void {
    this.sent.delete(trigger);
  }

  dispose(): void {
    for (const trigger of this.sent) trigger.abort();
    this.sent.clear();
  }
}
