import { setMaxListeners } from 'node:events';
import { DebuggerError } from '../debuggerError';
import type { Fields } from '../protocol';
import { Interrupted, type AdapterRequests } from '../requests';
import type { DebugModel } from '../state/debugModel';
import type { SessionState } from '../state/state';
import { isCurrent, type Place } from './handles';

/** Thrown if the program continued while its stop was being read. The data that was read may belong to another stop. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** The abort reason that `limited` uses when the time is up, as opposed to a cancellation. */
class TimeIsUp extends Error {
  override readonly name = 'TimeIsUp';
}

/** Sends requests about a stop. Each response is checked against the stop for which it was requested. */
export class StopRequests {
  constructor(
    private readonly model: DebugModel,
    private readonly requests: AdapterRequests,
  ) {}

  /** Whether a thread is still at the place. */
  stillHolds(place: Place): boolean {
    const session = this.model.state.sessions.get(place.sessionKey);
    return session !== undefined && isCurrent(session, place);
  }

  /** Sends a read-only request about the stop at `place`. @throws Superseded if the thread has moved */
  async read(
    session: SessionState,
    place: Place,
    command: string,
    args: object,
    signal: AbortSignal,
  ): Promise<Fields> {
    try {
      return await this.checked(session, place, command, signal, () =>
        this.requests.read(session, command, args, signal),
      );
    } catch (error) {
      if (error instanceof DebuggerError && error.problem.kind === 'adapterTimeout')
        this.requests.noteOverdue(session, command, args);
      throw error;
    }
  }

  /** Checks the response to `read` against the stop. @throws Superseded if the thread has moved */
  async checked(
    session: SessionState,
    place: Place,
    command: string,
    signal: AbortSignal,
    read: () => Promise<Fields>,
  ): Promise<Fields> {
    if (!this.stillHolds(place)) throw new Superseded();
    try {
      const body = await read();
      if (!this.stillHolds(place)) throw new Superseded();
      return body;
    } catch (error) {
      if (error instanceof DebuggerError && !this.stillHolds(place)) throw new Superseded();
      throw error instanceof Interrupted && signal.reason instanceof TimeIsUp
        ? this.requests.unanswered(session, command)
        : error;
    }
  }

  /**
   * Limits several requests together to the time limit of a single one. Requests without a response by then fail as
   * unanswered.
   */
  async limited<T>(signal: AbortSignal, read: (limited: AbortSignal) => Promise<T>): Promise<T> {
    const limit = new AbortController();
    // Each request adds a listener to the signal, and there may be hundreds at the same time.
    setMaxListeners(0, limit.signal);
    const timer = setTimeout(() => limit.abort(new TimeIsUp()), this.requests.limitMs);
    const cancel = (): void => limit.abort();
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      return await read(limit.signal);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    }
  }
}
