import type { DebugModel } from './state/debugModel';
import { adapterRefused, DebuggerError } from './debuggerError';
import type { DebugHost } from './host';
import { asForeseen } from './foreseen';
import { hearAnswer } from './heardAnswer';
import { fields, type Fields } from './protocol';
import { isEvaluating, type SessionState } from './state/state';

/** The caller went away or cancelled: the call's answer is `interrupted`, and the program goes on. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** How long one request to an adapter may take before its caller is told. */
const REQUEST_LIMIT_MS = 15_000;

/** Requests to adapters: each with a time limit and an end when its session ends. */
export class AdapterRequests {
  /** Looks that have been sent from here and not been answered yet. */
  private readonly underWay = new Map<string, Promise<Fields>>();

  constructor(
    private readonly host: DebugHost,
    private readonly model: DebugModel,
    readonly limitMs: number = REQUEST_LIMIT_MS,
  ) {}

  /** VS Code refuses what is still open when a session ends: that is no word of the adapter's. */
  private isEnding(session: SessionState): boolean {
    const lifecycle = this.model.state.sessions.get(session.key)?.lifecycle ?? 'terminated';
    return lifecycle === 'terminated' || lifecycle === 'terminating';
  }

  /** While another thread runs, it may change what this one sees: a value that was read is no value of now. */
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
   * The same for requests that only look: what the adapter has already told at this stop, or is just being asked, by
   * VS Code or another call, is taken from there, and an answer counts when the adapter gives it.
   */
  async read(
    session: SessionState,
    command: string,
    args: object,
    signal: AbortSignal,
  ): Promise<Fields> {
    const { answers } = this.model;
    const fresh = this.mayChange(session, command);
    const known = fresh ? undefined : answers.known(session.key, command, args);
    if (known !== undefined) return known;
    const asked = fresh
      ? undefined
      : (this.underWay.get(answers.keyOf(session.key, command, args)) ??
        answers.underWay(session.key, command, args));
    // What VS Code asked may be refused, or be no answer of this stop any more: then it is asked from here.
    const shared =
      asked === undefined
        ? undefined
        : await this.settled(session, command, asked, signal).catch(unlessRefused);
    return shared ?? (await this.ask(session, command, args, signal));
  }

  /**
   * Sends a look before the adapter has given out the numbers in it. Whoever looks with the same numbers when they have
   * been given out finds the answer.
   */
  foresee(session: SessionState, command: string, args: object): void {
    this.send(session, command, asForeseen(args), new AbortController().signal).catch(
      () => undefined,
    );
  }

  private async ask(
    session: SessionState,
    command: string,
    args: object,
    signal: AbortSignal,
  ): Promise<Fields> {
    const { answers } = this.model;
    let stop: () => void = () => undefined;
    const heard = new Promise<Fields>((resolve) => {
      stop = answers.listen(session.key, command, args, resolve);
    });
    const key = answers.keyOf(session.key, command, args);
    const asking = Promise.race([heard, this.send(session, command, args, signal)]).finally(() => {
      stop();
      if (this.underWay.get(key) === asking) this.underWay.delete(key);
    });
    this.underWay.set(key, asking);
    return await asking;
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

  /** The same for a request that no other equals: its answer is had when the adapter gives it, not after its way through VS Code. */
  async sendUnique(
    session: SessionState,
    command: string,
    args: object,
    signal: AbortSignal,
  ): Promise<Fields> {
    const heard = hearAnswer(this.model, session.key, command, args);
    try {
      const answer = Promise.race([heard.body, this.host.request(session.key, command, args)]);
      return fields(await this.settled(session, command, answer, signal));
    } finally {
      heard.dispose();
    }
  }

  /** The frame that VS Code's views show, in the adapter's numbers; undefined where it is none of this stop. */
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

  /** An answer, within its time limit and the life of its session. */
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

/** Another call's request was cancelled, or refused: that is no answer for this one. */
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
