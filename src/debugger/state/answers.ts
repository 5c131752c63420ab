import { numberOf, type Fields, type ProtocolMessage, type RequestMessage } from '../protocol';
import { foreseenIn } from '../foreseen';
import { effectOfRequest, isLook } from './epochs';
import { GivenOut } from './givenOut';
import { KeptAnswers, keyOf, keyOfRequest, type ReadRequest } from './keptAnswers';
import type { DebugEvent, SessionState } from './state';

type AnswerListener = (body: Fields) => void;

/** A question that is under way. */
interface PendingRead extends ReadRequest {
  /** The session's epoch when it was asked: its answer holds in no other. */
  readonly epoch: number;
  /** Of the session's newest move by then: what its answer gives out holds until the next. */
  readonly move: number;
  /** Otherwise it is asked for what it does, and its answer is not kept. */
  readonly isLook: boolean;
  /** Sent before the adapter had given out what it is about: it counts if that has been done by the answer. */
  readonly isForeseen: boolean;
  readonly waiting: ((body: Fields | undefined) => void)[];
}

interface AnswersOfSession {
  /** As of the newest message: `known` is of its epoch, `given` of its newest move. */
  session: SessionState;
  /** Looks that are under way, and what may change values meanwhile, by `seq`. */
  readonly asked: Map<number, PendingRead>;
  readonly known: KeptAnswers;
  readonly given: GivenOut;
  readonly listeners: Map<string, Set<AnswerListener>>;
}

/**
 * What adapters have answered to looks, whoever asked: VS Code's views ask for much of what an agent asks for. So no
 * look is sent twice at one stop, and an answer is had when the adapter gives it, not after its way through VS Code.
 * How long an answer holds is not decided here: the session's epochs say it.
 */
export class Answers {
  private readonly sessions = new Map<string, AnswersOfSession>();

  /** Sees every event and its message, with the session as it is after it. */
  observe(event: DebugEvent, message: ProtocolMessage | undefined, session: SessionState): void {
    const here = this.follow(event, session);
    if (here === undefined) return;
    if (message?.type === 'request' && event.type === 'toAdapter') ask(here, message);
    if (message?.type === 'response' && event.type === 'fromAdapter')
      answer(here, message.requestSeq, message.success ? message.body : undefined);
  }

  /** Whether somebody waits for the answer to such a look. */
  isAwaited(sessionKey: string, command: string): boolean {
    const here = this.sessions.get(sessionKey);
    if (here === undefined) return false;
    for (const key of here.listeners.keys()) if (key.startsWith(command)) return true;
    for (const asked of here.asked.values())
      if (asked.command === command && asked.waiting.length > 0) return true;
    return false;
  }

  /** What is already known, at this stop. */
  known(sessionKey: string, command: string, args: object): Fields | undefined {
    return this.sessions.get(sessionKey)?.known.find(command, args);
  }

  /** The answer to the same look, where it is under way at this stop; undefined when it fails or is outdated by then. */
  underWay(
    sessionKey: string,
    command: string,
    args: object,
  ): Promise<Fields | undefined> | undefined {
    const here = this.sessions.get(sessionKey);
    if (here === undefined) return undefined;
    const key = keyOf(command, args);
    const asked = [...here.asked.values()].find(
      (each) =>
        each.isLook &&
        each.command === command &&
        each.epoch === here.session.epoch &&
        keyOfRequest(each) === key,
    );
    return asked === undefined ? undefined : new Promise((resolve) => asked.waiting.push(resolve));
  }

  /** Whether a reference is that of several frames' scopes: it stands for the frame whose scopes were asked for last. */
  isOfSeveralFrames(sessionKey: string, reference: number): boolean {
    return this.sessions.get(sessionKey)?.given.isOfSeveralFrames(reference) === true;
  }

  /** Whether the adapter has given out this frame at this stop. */
  hasFrame(sessionKey: string, frameId: number): boolean {
    return this.sessions.get(sessionKey)?.given.hasFrame(frameId) === true;
  }

  /** Names a look at this stop of a session: the same look at a later stop has another name. */
  keyOf(sessionKey: string, command: string, args: object): string {
    return `${sessionKey} ${this.sessions.get(sessionKey)?.session.epoch ?? 0} ${keyOf(command, args)}`;
  }

  /** Calls back with the next answer to such a look, in the life of its session. The returned function ends it. */
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

  /** What is held of the session, without all that its newest message outdates; undefined once it is over. */
  private follow({ type }: DebugEvent, session: SessionState): AnswersOfSession | undefined {
    const before = this.sessions.get(session.key);
    const isOutdated = before !== undefined && before.session.epoch !== session.epoch;
    if (isOutdated || session.lifecycle === 'terminated') forget(before);
    if (session.lifecycle === 'terminated') {
      this.sessions.delete(session.key);
      return undefined;
    }
    // A restart keeps the session's key, and its adapter counts requests anew: what was asked before is no question of now.
    const isNew = before === undefined || (type === 'sessionCreated' && isOutdated);
    const here = isNew ? nothingKnown(session) : before;
    if (here.session.epochOf.move !== session.epochOf.move) here.given.clear();
    here.session = session;
    this.sessions.set(session.key, here);
    return here;
  }
}

function nothingKnown(session: SessionState): AnswersOfSession {
  return {
    session,
    asked: new Map(),
    known: new KeptAnswers(),
    given: new GivenOut(),
    listeners: new Map(),
  };
}

function ask({ session, asked, given }: AnswersOfSession, request: RequestMessage): void {
  const { seq, command, arguments: args } = request;
  const isRead = isLook(request);
  const foreseen = foreseenIn(args);
  const isGiven = foreseen !== undefined || given.has(command, args);
  if (isRead ? !isGiven : effectOfRequest(request) !== 'change') return;
  asked.set(seq, {
    command,
    arguments: foreseen ?? args,
    key: undefined,
    epoch: session.epoch,
    move: session.epochOf.move,
    isLook: isRead,
    isForeseen: foreseen !== undefined,
    waiting: [],
  });
}

function answer(here: AnswersOfSession, seq: number, answered: Fields | undefined): void {
  const { session, asked, known, given, listeners } = here;
  const question = asked.get(seq);
  if (question === undefined) return;
  asked.delete(seq);
  const counts = !question.isForeseen || given.has(question.command, question.arguments);
  const body = counts ? answered : undefined;
  const isOfNow = question.epoch === session.epoch;
  for (const resolve of question.waiting.splice(0)) resolve(isOfNow ? body : undefined);
  if (body === undefined) return;
  const { command, arguments: args } = question;
  if (question.move === session.epochOf.move)
    given.note(body, command === 'scopes' ? numberOf(args['frameId']) : undefined);
  if (!question.isLook || !isOfNow) return;
  known.keep(seq, question, body);
  if (listeners.size === 0) return;
  for (const listener of [...(listeners.get(keyOfRequest(question)) ?? [])]) listener(body);
}

/** What was read may be outdated: nobody waits any longer for what is. */
function forget(here: AnswersOfSession | undefined): void {
  if (here === undefined) return;
  here.known.clear();
  for (const { waiting } of here.asked.values())
    for (const resolve of waiting.splice(0)) resolve(undefined);
}
