import { numberOf, type Fields, type ProtocolMessage, type RequestMessage } from '../protocol';
import { speculativeIn } from '../speculativeReads';
import { effectOfRequest, isReadOnly } from './epochs';
import { IssuedReferences } from './issuedReferences';
import { AnswerCache, keyOf, keyOfRequest, type ReadRequest } from './answerCache';
import type { DebugEvent, SessionState } from './state';

type AnswerListener = (body: Fields) => void;

/** A request that has no response yet. */
interface PendingRead extends ReadRequest {
  /** The session's epoch when the request was sent. The answer is valid only in this epoch. */
  readonly epoch: number;
  /**
   * The epoch of the session's newest move when the request was sent. References in the answer are valid until the next
   * move.
   */
  readonly move: number;
  /** Whether the request is read-only. Otherwise it is sent for its effect, and its answer is not cached. */
  readonly isReadOnly: boolean;
  /**
   * Whether the request was sent before the adapter had issued its references. The answer counts only if they have been
   * issued when it arrives.
   */
  readonly isSpeculative: boolean;
  readonly waiting: ((body: Fields | undefined) => void)[];
}

interface AnswersOfSession {
  /** The session as of the newest message. `cache` belongs to its epoch, `issued` to its newest move. */
  session: SessionState;
  /** The read-only requests, and the requests that may change values, that have no response yet, by `seq`. */
  readonly pending: Map<number, PendingRead>;
  readonly cache: AnswerCache;
  readonly issued: IssuedReferences;
  readonly listeners: Map<string, Set<AnswerListener>>;
}

/**
 * The answers of adapters to read-only requests, regardless of who sent them. VS Code's views request much of the data
 * that an agent requests. With this class, no such request is sent twice at one stop, and an answer is available as
 * soon as the adapter sends it, not after it has passed through VS Code. The session's epochs decide how long an answer
 * is valid.
 */
export class Answers {
  private readonly sessions = new Map<string, AnswersOfSession>();

  /** Called with every event, its message, and the session's state after the event. */
  observe(event: DebugEvent, message: ProtocolMessage | undefined, session: SessionState): void {
    const here = this.follow(event, session);
    if (here === undefined) return;
    if (message?.type === 'request' && event.type === 'toAdapter') onRequest(here, message);
    if (message?.type === 'response' && event.type === 'fromAdapter')
      onResponse(here, message.requestSeq, message.success ? message.body : undefined);
  }

  /** Whether a caller waits for the answer to such a request. */
  isAwaited(sessionKey: string, command: string): boolean {
    const here = this.sessions.get(sessionKey);
    if (here === undefined) return false;
    for (const key of here.listeners.keys()) if (key.startsWith(command)) return true;
    for (const request of here.pending.values())
      if (request.command === command && request.waiting.length > 0) return true;
    return false;
  }

  /** The cached answer to such a request at this stop. */
  cached(sessionKey: string, command: string, args: object): Fields | undefined {
    return this.sessions.get(sessionKey)?.cache.find(command, args);
  }

  /**
   * The answer to the same request, if that request is pending at this stop. The promise resolves to undefined if the
   * request fails or its answer is outdated on arrival.
   */
  underWay(
    sessionKey: string,
    command: string,
    args: object,
  ): Promise<Fields | undefined> | undefined {
    const here = this.sessions.get(sessionKey);
    if (here === undefined) return undefined;
    const key = keyOf(command, args);
    const pending = [...here.pending.values()].find(
      (request) =>
        request.isReadOnly &&
        request.command === command &&
        request.epoch === here.session.epoch &&
        keyOfRequest(request) === key,
    );
    if (pending === undefined) return undefined;
    return new Promise((resolve) => pending.waiting.push(resolve));
  }

  /**
   * Whether scopes of several frames have this reference. Such a reference refers to the frame whose scopes were
   * requested last.
   */
  isOfSeveralFrames(sessionKey: string, reference: number): boolean {
    return this.sessions.get(sessionKey)?.issued.isOfSeveralFrames(reference) === true;
  }

  /**
   * The lowest frame id that the adapter has issued at this stop. An adapter that counts anew at each stop gives it to
   * the top frame in its first answer.
   */
  lowestFrame(sessionKey: string): number | undefined {
    return this.sessions.get(sessionKey)?.issued.lowestFrame();
  }

  /** Whether the adapter has issued this frame id at this stop. */
  hasFrame(sessionKey: string, frameId: number): boolean {
    return this.sessions.get(sessionKey)?.issued.hasFrame(frameId) === true;
  }

  /** The key of a read-only request at this stop. The same request at a later stop has another key. */
  keyOf(sessionKey: string, command: string, args: object): string {
    return `${sessionKey} ${this.sessions.get(sessionKey)?.session.epoch ?? 0} ${keyOf(command, args)}`;
  }

  /**
   * Calls the listener with each answer to such a request while the session is live. The returned function removes the
   * listener.
   */
  listen(sessionKey: string, command: string, args: object, listener: AnswerListener): () => void {
    const listeners = this.sessions.get(sessionKey)?.listeners;
    if (listeners === undefined) return () => undefined;
    const key = keyOf(command, args);
    const set = listeners.get(key) ?? new Set<AnswerListener>();
    listeners.set(key, set.add(listener));
    return () => {
      set.delete(listener);
      if (set.size === 0) listeners.delete(key);
    };
  }

  /**
   * The data stored for the session, without the data that its newest message outdates. Undefined once the session has
   * ended.
   */
  private follow({ type }: DebugEvent, session: SessionState): AnswersOfSession | undefined {
    const before = this.sessions.get(session.key);
    const isOutdated = before !== undefined && before.session.epoch !== session.epoch;
    if (isOutdated || session.lifecycle === 'terminated') forget(before);
    if (session.lifecycle === 'terminated') {
      this.sessions.delete(session.key);
      return undefined;
    }
    // After a restart the session has the same key, and its `seq` numbers start again. Earlier requests no longer
    // count.
    const isNew = before === undefined || (type === 'sessionCreated' && isOutdated);
    const here = isNew ? noAnswers(session) : before;
    if (here.session.epochOf.move !== session.epochOf.move) here.issued.clear();
    here.session = session;
    this.sessions.set(session.key, here);
    return here;
  }
}

function noAnswers(session: SessionState): AnswersOfSession {
  return {
    session,
    pending: new Map(),
    cache: new AnswerCache(),
    issued: new IssuedReferences(),
    listeners: new Map(),
  };
}

function onRequest({ session, pending, issued }: AnswersOfSession, request: RequestMessage): void {
  const { seq, command, arguments: args } = request;
  const isRead = isReadOnly(request);
  const speculative = speculativeIn(args);
  const isIssued = speculative !== undefined || issued.has(command, args);
  if (isRead ? !isIssued : effectOfRequest(request) !== 'change') return;
  pending.set(seq, {
    command,
    arguments: speculative ?? args,
    key: undefined,
    epoch: session.epoch,
    move: session.epochOf.move,
    isReadOnly: isRead,
    isSpeculative: speculative !== undefined,
    waiting: [],
  });
}

function onResponse(here: AnswersOfSession, seq: number, answer: Fields | undefined): void {
  const { session, pending, cache, issued, listeners } = here;
  const request = pending.get(seq);
  if (request === undefined) return;
  pending.delete(seq);
  const { command, arguments: args } = request;
  const counts = !request.isSpeculative || issued.has(command, args);
  const body = counts ? answer : undefined;
  const isCurrent = request.epoch === session.epoch;
  for (const resolve of request.waiting.splice(0)) resolve(isCurrent ? body : undefined);
  if (body === undefined) return;
  if (request.move === session.epochOf.move)
    issued.note(body, command === 'scopes' ? numberOf(args['frameId']) : undefined);
  if (!request.isReadOnly || !isCurrent) return;
  cache.add(seq, request, body);
  if (listeners.size === 0) return;
  for (const listener of [...(listeners.get(keyOfRequest(request)) ?? [])]) listener(body);
}

/** Removes answers that may be outdated, and ends the waits for pending ones. */
function forget(here: AnswersOfSession | undefined): void {
  if (here === undefined) return;
  here.cache.clear();
  for (const { waiting } of here.pending.values())
    for (const resolve of waiting.splice(0)) resolve(undefined);
}
