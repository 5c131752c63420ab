import type { DebugModel } from './state/debugModel';
import { adapterRefused, DebuggerError } from './debuggerError';
import type { DebugHost } from './host';
import { asSpeculative } from './speculativeReads';
import { observeResponse } from './observedResponse';
import { fields, type Fields } from './protocol';
import { isEvaluating, type SessionState } from './state/state';

/**
 * Thrown if the caller disconnected or cancelled. The call's result is `interrupted`, and the program keeps running.
 */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** The time limit of a request to an adapter, in milliseconds. */
const REQUEST_LIMIT_MS = 15_000;

/** The number of overdue requests that are kept. Those of earlier stops are never asked for again. */
const MAX_OVERDUE = 100;

/** The extension's own property in a request's arguments. */
const NUMBER = '__agentDebuggerRequest';

/** Sends requests to adapters. Each request has a time limit and ends when its session ends. */
export class AdapterRequests {
  /** The read-only requests that were sent from here and have no response yet. */
  private readonly underWay = new Map<string, Promise<Fields>>();
  /** The read-only requests that had no response in time. While they have none, nobody waits for them again. */
  private readonly overdue = new Set<string>();
  /** The number of the last request that was sent by `sendObserved`. */
  private lastNumber = 0;

  constructor(
    private readonly host: DebugHost,
    private readonly model: DebugModel,
    readonly limitMs: number = REQUEST_LIMIT_MS,
  ) {}

  /** Whether a session is ending. VS Code then rejects pending requests, and such an error is not the adapter's. */
  private isEnding(session: SessionState): boolean {
    const lifecycle = this.model.state.sessions.get(session.key)?.lifecycle ?? 'terminated';
    return lifecycle === 'terminated' || lifecycle === 'terminating';
  }

  /**
   * Whether the answer to a command may change while another thread runs. That thread may change values, so cached
   * values may be outdated.
   */
  private mayChange(session: SessionState, command: string): boolean {
    const now = this.model.state.sessions.get(session.key);
    return (
      command !== 'stackTrace' &&
      command !== 'exceptionInfo' &&
      now !== undefined &&
      [...now.threads.values()].some((thread) => thread.stop === undefined)
    );
  }

  /**
   * Sends a read-only request. If VS Code or another call has sent the same request at this stop, its answer is used.
   * An answer is used as soon as the adapter sends it.
   */
  async read(
    session: SessionState,
    command: string,
    args: object,
    signal: AbortSignal,
  ): Promise<Fields> {
    const { answers } = this.model;
    const fresh = this.mayChange(session, command);
    const cached = fresh ? undefined : answers.cached(session.key, command, args);
    if (cached !== undefined) return cached;
    const key = answers.keyOf(session.key, command, args);
    const pending = fresh
      ? undefined
      : (this.underWay.get(key) ?? answers.underWay(session.key, command, args));
    if (pending !== undefined && this.overdue.has(key)) throw this.unanswered(session, command);
    // VS Code's request may be refused, or its answer may be outdated. Then the request is sent from here.
    const shared =
      pending === undefined
        ? undefined
        : await this.settled(session, command, pending, signal).catch(unlessRefused);
    return shared ?? (await this.sendRead(session, command, args, signal));
  }

  /** Notes that a read-only request had no response in time. The adapter may still be busy with it. */
  noteOverdue(session: SessionState, command: string, args: object): void {
    if (this.overdue.size >= MAX_OVERDUE) this.overdue.clear();
    this.overdue.add(this.model.answers.keyOf(session.key, command, args));
  }

  /**
   * Sends a read-only request before the adapter has issued the references in it. Once the references are issued, the
   * same request finds the answer in the cache.
   */
  sendSpeculatively(session: SessionState, command: string, args: object): void {
    this.send(session, command, asSpeculative(args), new AbortController().signal).catch(
      () => undefined,
    );
  }

  private async sendRead(
    session: SessionState,
    command: string,
    args: object,
    signal: AbortSignal,
  ): Promise<Fields> {
    const { answers } = this.model;
    let stopListening: () => void = () => undefined;
    const observed = new Promise<Fields>((resolve) => {
      stopListening = answers.listen(session.key, command, args, resolve);
    });
    const key = answers.keyOf(session.key, command, args);
    const response = this.send(session, command, args, signal);
    const answer = Promise.race([observed, response]).finally(() => {
      stopListening();
      if (this.underWay.get(key) === answer) this.underWay.delete(key);
    });
    this.underWay.set(key, answer);
    return await answer;
  }

  /**
   * @returns the response's body
   * @throws DebuggerError `adapterRefused`, `adapterTimeout`, `sessionEnded`; Interrupted
   */
  async send(
    session: SessionState,
    command: string,
    args: object,
    signal: AbortSignal,
  ): Promise<Fields> {
    return fields(
      await this.settled(session, command, this.host.request(session.key, command, args), signal),
    );
  }

  /**
   * Sends a request whose arguments may not be unique, with a number that makes them unique. It is for adapters that
   * ignore unknown arguments. The response is used as in `sendUnique`.
   */
  async sendObserved(
    session: SessionState,
    command: string,
    args: object,
    signal: AbortSignal,
  ): Promise<Fields> {
    this.lastNumber += 1;
    return await this.sendUnique(session, command, { ...args, [NUMBER]: this.lastNumber }, signal);
  }

  /**
   * Sends a request with unique arguments. The response is used when the adapter sends it, not after it has passed
   * through VS Code.
   */
  async sendUnique(
    session: SessionState,
    command: string,
    args: object,
    signal: AbortSignal,
  ): Promise<Fields> {
    const observed = observeResponse(this.model, session.key, command, args);
    try {
      const answer = Promise.race([observed.body, this.host.request(session.key, command, args)]);
      return fields(await this.settled(session, command, answer, signal));
    } finally {
      observed.dispose();
    }
  }

  /** The adapter's id of the frame that VS Code's views show; undefined if the frame is not one of this stop. */
  shownFrame(session: SessionState): number | undefined {
    const frameId = this.host.focusedFrame(session.key);
    return frameId !== undefined && this.model.answers.hasFrame(session.key, frameId)
      ? frameId
      : undefined;
  }

  unanswered(session: SessionState, command: string): DebuggerError {
    const now = this.model.state.sessions.get(session.key);
    return new DebuggerError({
      kind: 'adapterTimeout',
      session,
      command,
      seconds: this.limitMs / 1000,
      isEvaluating: now !== undefined && isEvaluating(now),
    });
  }

  /** Waits for an answer, within the time limit and while the session lives. */
  private async settled<T>(
    session: SessionState,
    command: string,
    answer: Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const over = this.model.wait(
      (state) =>
        (state.sessions.get(session.key)?.lifecycle ?? 'terminated') === 'terminated' || undefined,
      { timeoutMs: this.limitMs, signal },
    );
    const answered = answer.then(
      (body) => ({ kind: 'answer', body }) as const,
      (error: unknown) => ({ kind: 'refused', error }) as const,
    );
    const first = await Promise.race([answered, over.settled]);
    over.abandon();
    switch (first.kind) {
      case 'answer':
        return first.body;
      case 'refused':
        if (first.error instanceof DebuggerError || first.error instanceof Interrupted)
          throw first.error;
        throw this.isEnding(session)
          ? sessionEnded(session, command)
          : adapterRefused(session, command, first.error);
      case 'found':
        throw sessionEnded(session, command);
      case 'timeout':
        throw this.unanswered(session, command);
      case 'cancelled':
        throw new Interrupted();
    }
  }
}

/** Ignores the error of another call's request that was cancelled or refused. It is not an answer for this call. */
function unlessRefused(error: unknown): undefined {
  if (
    error instanceof Interrupted ||
    (error instanceof DebuggerError && error.problem.kind === 'adapterRefused')
  )
    return undefined;
  throw error;
}

function sessionEnded(session: SessionState, command: string): DebuggerError {
  return new DebuggerError({ kind: 'sessionEnded', session, command });
}
