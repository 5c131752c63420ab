import { setMaxListeners } from 'node:events';
import { readException, type ReportedException } from './exceptionDetails';
import { DebuggerError, notStopped, threadNotFound } from '../debuggerError';
import { isCurrent, type HandleTable, type Place } from './handles';
import type { DebugModel } from '../state/debugModel';
import { Interrupted, type AdapterRequests } from '../requests';
import {
  framesOf,
  readScopes,
  topFrame,
  type Frame,
  type Scope,
  type Variable,
} from './stackAndVariables';
import { countOf, fields, listOf, wholeOf, type Fields } from '../protocol';
import { keptText, keptValue, wholeText } from '../texts';
import { heldSince, type SessionState, type StopState } from '../state/state';

/** How many frames a stop's answer asks for; the rest is counted and can be fetched. */
export const FRAMES_OF_A_STOP = 20;

export interface FramePage {
  readonly frames: readonly Frame[];
  /** How many there are in all, as far as that is known. */
  readonly total: number | undefined;
  /** Where the next page begins; undefined at the end of the stack. */
  readonly next: number | undefined;
  /** How many the adapter sent that are none. */
  readonly unreadable: number;
}

/** With a total like this adapters say that there may be more: js-debug does, before it has loaded an asynchronous stack. */
const UNKNOWN_TOTAL = 1_000_000;

/** The program went on while its stop was being looked at: what was read may belong to another place. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** Why a look of several questions was ended: nobody cancelled it. */
class TimeIsUp extends Error {
  override readonly name = 'TimeIsUp';
}

type Paging = {
  readonly start?: number;
  readonly count?: number;
  readonly filter?: 'indexed' | 'named';
};

/** Looks into a stopped program. Each answer is checked against the stop that it was asked for. */
export class Inspector {
  /** By session: the end of the newest look that has to be alone. */
  private readonly turns = new Map<string, Promise<void>>();

  constructor(
    private readonly model: DebugModel,
    private readonly requests: AdapterRequests,
    readonly handles: HandleTable,
  ) {}

  /** The place of a thread that is stopped now. @throws DebuggerError `notStopped`, `threadNotFound` */
  placeOf(session: SessionState, threadId: number): Place & { readonly stop: StopState } {
    const thread = session.threads.get(threadId);
    if (thread === undefined) throw threadNotFound(session, threadId);
    const { stop } = thread;
    const epoch = heldSince(session, threadId);
    if (stop === undefined || epoch === undefined) throw notStopped(session, threadId);
    return { sessionKey: session.key, threadId, epoch, stop };
  }

  async frames(
    session: SessionState,
    place: Place,
    startFrame: number,
    levels: number,
    signal: AbortSignal,
  ): Promise<FramePage> {
    // An adapter that does not say that it pages may answer any page with the whole stack, and no total to tell it by.
    const from = session.capabilities.supportsDelayedStackTraceLoading === true ? startFrame : 0;
    const asked = startFrame - from + levels;
    const body = await this.ask(
      session,
      place,
      'stackTrace',
      { threadId: place.threadId, startFrame: from, levels: asked },
      signal,
    );
    const sent = listOf(body['stackFrames']);
    const claimed = countOf(body['totalFrames']) ?? 0;
    const isWhole =
      from < startFrame || sent.length > asked || (startFrame > 0 && claimed === sent.length);
    const page = isWhole ? sent.slice(startFrame, startFrame + levels) : sent;
    const frames = framesOf(page);
    const unreadable = page.length - frames.length;
    const read = startFrame + page.length;
    // A page that is not full is the end, whatever the total says. DAP "StackTraceResponse".
    if (page.length < levels) {
      const behind = isWhole ? sent.length : undefined;
      const total = page.length > 0 || startFrame === 0 ? read : behind;
      return { frames, unreadable, next: undefined, total };
    }
    const total = Math.max(claimed, sent.length > asked ? sent.length : 0);
    const isKnown = total >= read && (total < UNKNOWN_TOTAL || total === sent.length);
    return {
      frames,
      unreadable,
      total: isKnown ? total : undefined,
      next: isKnown && total === read ? undefined : read,
    };
  }

  /** The frame that a stopped thread is in; VS Code itself asks for it at each stop, so it is mostly known. */
  async top(session: SessionState, place: Place, signal: AbortSignal): Promise<Frame | undefined> {
    const known = this.model.answers.known(session.key, 'stackTrace', {
      threadId: place.threadId,
      startFrame: 0,
      levels: 1,
    });
    const top = known === undefined ? undefined : topFrame(framesOf(listOf(known['stackFrames'])));
    return top ?? topFrame((await this.frames(session, place, 0, FRAMES_OF_A_STOP, signal)).frames);
  }

  async scopes(
    session: SessionState,
    place: Place,
    frameId: number,
    signal: AbortSignal,
  ): Promise<{ readonly scopes: readonly Scope[]; readonly unreadable: number }> {
    const body = await this.scopesBody(session, place, frameId, signal);
    const scopes = readScopes(body);
    return { scopes, unreadable: listOf(body['scopes']).length - scopes.length };
  }

  /** The scopes as the adapter sent them. DAP "ScopesResponse". */
  async scopesBody(
    session: SessionState,
    place: Place,
    frameId: number,
    signal: AbortSignal,
  ): Promise<Fields> {
    const body = await this.ask(session, place, 'scopes', { frameId }, signal);
    const isShared = readScopes(body).some((scope) =>
      this.model.answers.isOfSeveralFrames(session.key, scope.reference),
    );
    if (isShared) this.returnToShown(session, frameId);
    return body;
  }

  /**
   * The members of a container as the adapter sent them: of a million, only those that are shown need to be read (`variablesOf`).
   * @param scopeOf the frame, where the container is one of its scopes
   * @throws DebuggerError `lazyValue` where that would run code of the program
   */
  async variables(
    session: SessionState,
    place: Place,
    reference: number,
    paging: Paging,
    signal: AbortSignal,
    scopeOf?: number,
  ): Promise<readonly unknown[]> {
    const refusal = this.handles.refusalOf(place, reference);
    if (refusal !== undefined) throw refusal;
    const args = { variablesReference: reference, ...paging };
    const isShared = (): boolean =>
      scopeOf !== undefined && this.model.answers.isOfSeveralFrames(session.key, reference);
    const body = isShared() ? undefined : await this.ask(session, place, 'variables', args, signal);
    // Meanwhile another frame's scopes may have been asked for.
    const own =
      body !== undefined && !isShared()
        ? body
        : await this.inTurn(session, () => this.askInFrame(session, place, scopeOf, args, signal));
    return listOf(own['variables']);
  }

  /** lldb-dap: the references of scopes stand for the frame whose scopes were asked for last, so both requests leave in one turn. */
  private async askInFrame(
    session: SessionState,
    place: Place,
    frameId: number | undefined,
    args: object,
    signal: AbortSignal,
  ): Promise<Fields> {
    return await this.checked(session, place, 'variables', signal, async () => {
      const answers = Promise.all([
        this.requests.send(session, 'scopes', { frameId }, signal),
        this.requests.send(session, 'variables', args, signal),
      ]);
      this.returnToShown(session, frameId);
      return (await answers)[1];
    });
  }

  /**
   * A request about a member of a container. Where that is a scope, the scopes of its frame are asked for in the same
   * turn: lldb-dap's references stand for the frame whose scopes were asked for last.
   * @throws Superseded when the thread is not where it was any more
   */
  async ofMember(
    session: SessionState,
    place: Place,
    scopeOf: number | undefined,
    request: { readonly command: string; readonly args: object },
    signal: AbortSignal,
  ): Promise<Fields> {
    if (!this.stillHolds(place)) throw new Superseded();
    const send = (): Promise<Fields> =>
      this.requests.send(session, request.command, request.args, signal);
    if (scopeOf === undefined) return await send();
    return await this.inTurn(session, async () => {
      if (!this.stillHolds(place)) throw new Superseded();
      const scopes = this.requests.send(session, 'scopes', { frameId: scopeOf }, signal);
      const answers = Promise.all([scopes, send()]);
      this.returnToShown(session, scopeOf);
      return (await answers)[1];
    });
  }

  /** VS Code's views read a scope when the person opens it: its reference is to stand for the frame that they show. */
  private returnToShown(session: SessionState, frameId: number | undefined): void {
    const shown = this.requests.shownFrame(session);
    if (shown !== undefined && shown !== frameId)
      this.requests
        .send(session, 'scopes', { frameId: shown }, new AbortController().signal)
        .catch(() => undefined);
  }

  /** One after another in a session. */
  private async inTurn<T>(session: SessionState, read: () => Promise<T>): Promise<T> {
    const before = this.turns.get(session.key) ?? Promise.resolve();
    const turn = before.then(read);
    const over = turn.then(
      () => undefined,
      () => undefined,
    );
    this.turns.set(session.key, over);
    try {
      return await turn;
    } finally {
      if (this.turns.get(session.key) === over) this.turns.delete(session.key);
    }
  }

  async evaluate(
    session: SessionState,
    place: Place,
    frameId: number,
    expression: string,
    context: string,
    signal: AbortSignal,
  ): Promise<
    Pick<
      Variable,
      | 'value'
      | 'type'
      | 'reference'
      | 'namedVariables'
      | 'indexedVariables'
      | 'memoryReference'
      | 'lazy'
    >
  > {
    // The answer counts even when the program moved on meanwhile: an expression may well have let it go on.
    const body = await this.requests.send(
      session,
      'evaluate',
      { expression, frameId, context },
      signal,
    );
    return {
      value: keptValue(body['result']) ?? '',
      type: keptText(body['type']),
      reference: this.stillHolds(place) ? (countOf(body['variablesReference']) ?? 0) : 0,
      namedVariables: countOf(body['namedVariables']),
      indexedVariables: countOf(body['indexedVariables']),
      memoryReference: wholeText(body['memoryReference']),
      lazy: fields(body['presentationHint'])['lazy'] === true,
    };
  }

  /** DAP `exceptionInfo`, where the adapter has it. */
  async exception(
    session: SessionState,
    place: Place,
    signal: AbortSignal,
  ): Promise<ReportedException | undefined> {
    if (session.capabilities.supportsExceptionInfoRequest !== true) return undefined;
    return readException(
      await this.ask(session, place, 'exceptionInfo', { threadId: place.threadId }, signal),
    );
  }

  /** The threads, asked for where the messages have not told of them. */
  async threads(
    session: SessionState,
    signal: AbortSignal,
  ): Promise<readonly { id: number; name: string | undefined }[]> {
    const known = [...session.threads.values()];
    if (known.length > 0 && known.every((thread) => thread.name !== undefined)) return known;
    const body = await this.requests.send(session, 'threads', {}, signal);
    return listOf(body['threads']).flatMap((each) => {
      const id = wholeOf(fields(each)['id']);
      return id === undefined ? [] : [{ id, name: keptText(fields(each)['name']) }];
    });
  }

  /** A request that is no look, within the limits of all requests. */
  async send(
    session: SessionState,
    command: string,
    args: object,
    signal: AbortSignal,
  ): Promise<Fields> {
    return await this.requests.send(session, command, args, signal);
  }

  /** The same for a request whose answer is that of any that equals it. */
  async sendUnique(
    session: SessionState,
    command: string,
    args: object,
    signal: AbortSignal,
  ): Promise<Fields> {
    return await this.requests.sendUnique(session, command, args, signal);
  }

  /** A look of several questions takes no longer than one of them may: what has not been answered by then is unanswered. */
  async limited<T>(signal: AbortSignal, read: (limited: AbortSignal) => Promise<T>): Promise<T> {
    const limit = new AbortController();
    // Each question listens to it, and there may be hundreds at once.
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

  /** A question that changes nothing, of the stop at `place`. @throws Superseded when the thread is not where it was any more */
  async read(
    session: SessionState,
    place: Place,
    command: string,
    args: object,
    signal: AbortSignal,
  ): Promise<Fields> {
    return await this.ask(session, place, command, args, signal);
  }

  stillHolds(place: Place): boolean {
    const session = this.model.state.sessions.get(place.sessionKey);
    return session !== undefined && isCurrent(session, place);
  }

  /** @throws Superseded when the thread is not where it was any more */
  private async ask(
    session: SessionState,
    place: Place,
    command: string,
    args: object,
    signal: AbortSignal,
  ): Promise<Fields> {
    return await this.checked(session, place, command, signal, () =>
      this.requests.read(session, command, args, signal),
    );
  }

  /** @throws Superseded when the thread is not where it was any more */
  private async checked(
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
}
