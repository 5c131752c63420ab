import { readException, type ReportedException } from './exceptionDetails';
import { notStopped, threadNotFound } from '../debuggerError';
import { FRAMES_OF_A_STOP, readFramePage, type FramePage } from './framePage';
import type { HandleTable, Place } from './handles';
import type { DebugModel } from '../state/debugModel';
import type { AdapterRequests } from '../requests';
import { SharedScopes } from './sharedScopes';
import {
  framesOf,
  readScopes,
  topFrame,
  type Frame,
  type Scope,
  type Variable,
} from './stackAndVariables';
import { StopRequests } from './stopRequests';
import { countOf, fields, listOf, wholeOf, type Fields } from '../protocol';
import { keptText, keptValue, wholeText } from '../texts';
import { validSince, type SessionState, type StopState } from '../state/state';

type Paging = {
  readonly start?: number;
  readonly count?: number;
  readonly filter?: 'indexed' | 'named';
};

/** The value of an expression. */
export type Evaluated = Pick<
  Variable,
  | 'value'
  | 'type'
  | 'reference'
  | 'namedVariables'
  | 'indexedVariables'
  | 'memoryReference'
  | 'lazy'
>;

/** Reads the state of a stopped program. Each response is checked against the stop for which it was requested. */
export class Inspector {
  private readonly stops: StopRequests;
  private readonly sharedScopes: SharedScopes;
  /** The frames that calls without a frame act on, by their thread. Each holds for one stop. */
  private readonly preferred = new Map<string, { readonly epoch: number; readonly frame: Frame }>();

  constructor(
    private readonly model: DebugModel,
    private readonly requests: AdapterRequests,
    readonly handles: HandleTable,
  ) {
    this.stops = new StopRequests(model, requests);
    this.sharedScopes = new SharedScopes(requests, this.stops);
  }

  /** The place of a stopped thread. @throws DebuggerError `notStopped`, `threadNotFound` */
  placeOf(session: SessionState, threadId: number): Place & { readonly stop: StopState } {
    const thread = session.threads.get(threadId);
    if (thread === undefined) throw threadNotFound(session, threadId);
    const { stop } = thread;
    const epoch = validSince(session, threadId);
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
    // An adapter without this capability may answer a request for any page with the whole stack, and without a total
    // that shows it.
    const from = session.capabilities.supportsDelayedStackTraceLoading === true ? startFrame : 0;
    const requested = { startFrame: from, levels: startFrame - from + levels };
    const args = { threadId: place.threadId, ...requested };
    const body = await this.stops.read(session, place, 'stackTrace', args, signal);
    return readFramePage(body, { startFrame, levels }, requested);
  }

  /** The innermost frame of a stopped thread. VS Code itself requests it at each stop, so it is usually cached. */
  async top(session: SessionState, place: Place, signal: AbortSignal): Promise<Frame | undefined> {
    const cached = this.model.answers.cached(session.key, 'stackTrace', {
      threadId: place.threadId,
      startFrame: 0,
      levels: 1,
    });
    const top =
      cached === undefined ? undefined : topFrame(framesOf(listOf(cached['stackFrames'])));
    return top ?? topFrame((await this.frames(session, place, 0, FRAMES_OF_A_STOP, signal)).frames);
  }

  /**
   * Makes a frame of a stop the one that calls without a frame act on. The innermost frame of a failure is often one of
   * a library.
   */
  prefer({ sessionKey, threadId, epoch }: Place, frame: Frame): void {
    for (const [key, { epoch: other }] of this.preferred)
      if (key.startsWith(`${sessionKey}/`) && other !== epoch) this.preferred.delete(key);
    this.preferred.set(`${sessionKey}/${threadId}`, { epoch, frame });
  }

  /** The thread of a preferred frame, if the session has one at its present stop. */
  preferredThread({ key, threads }: SessionState): number | undefined {
    const session = this.model.state.sessions.get(key);
    return [...threads.keys()].find((threadId) => {
      const preferred = this.preferred.get(`${key}/${threadId}`);
      return (
        preferred !== undefined && session && validSince(session, threadId) === preferred.epoch
      );
    });
  }

  /** The frame that calls without a frame act on: a preferred one, otherwise the innermost. */
  async current(
    session: SessionState,
    place: Place,
    signal: AbortSignal,
  ): Promise<Frame | undefined> {
    const preferred = this.preferred.get(`${place.sessionKey}/${place.threadId}`);
    if (preferred?.epoch === place.epoch) return preferred.frame;
    return await this.top(session, place, signal);
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
    const body = await this.stops.read(session, place, 'scopes', { frameId }, signal);
    const isShared = readScopes(body).some((scope) =>
      this.model.answers.isOfSeveralFrames(session.key, scope.reference),
    );
    if (isShared) this.sharedScopes.returnToShown(session, frameId);
    return body;
  }

  /**
   * The members of a container as the adapter sent them. Out of a million members, only those that are shown have to be
   * parsed (`variablesOf`).
   * @param scopeOf the frame, if the container is one of its scopes
   * @throws DebuggerError `lazyValue` if reading them would run code of the program
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
    const body = isShared()
      ? undefined
      : await this.stops.read(session, place, 'variables', args, signal);
    // In the meantime, another frame's scopes may have been requested.
    const own =
      body !== undefined && !isShared()
        ? body
        : await this.sharedScopes.variables(session, place, scopeOf, args, signal);
    return listOf(own['variables']);
  }

  /**
   * Sends a request about a member of a container.
   * @param scopeOf the frame, if the container is a scope
   * @throws Superseded if the thread has moved
   */
  async ofMember(
    session: SessionState,
    place: Place,
    scopeOf: number | undefined,
    request: { readonly command: string; readonly args: object },
    signal: AbortSignal,
  ): Promise<Fields> {
    return await this.sharedScopes.ofMember(session, place, scopeOf, request, signal);
  }

  /** @param by `sendObserved` only for adapters that ignore unknown arguments */
  async evaluate(
    session: SessionState,
    place: Place,
    frameId: number,
    expression: string,
    context: string,
    signal: AbortSignal,
    by: 'send' | 'sendObserved' = 'send',
  ): Promise<Evaluated> {
    const args = { expression, frameId, context };
    const body = await this.requests[by](session, 'evaluate', args, signal);
    // The response counts even if the program has moved in the meantime, because the expression itself may have resumed
    // it.
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

  /** Sends DAP `exceptionInfo`; returns undefined if the adapter does not support it. */
  async exception(
    session: SessionState,
    place: Place,
    signal: AbortSignal,
  ): Promise<ReportedException | undefined> {
    if (session.capabilities.supportsExceptionInfoRequest !== true) return undefined;
    const args = { threadId: place.threadId };
    return readException(await this.stops.read(session, place, 'exceptionInfo', args, signal));
  }

  /** The threads of a session. They are requested if earlier messages have not reported them with their names. */
  async threads(
    session: SessionState,
    signal: AbortSignal,
  ): Promise<readonly { id: number; name: string | undefined }[]> {
    const reported = [...session.threads.values()];
    if (reported.length > 0 && reported.every((thread) => thread.name !== undefined))
      return reported;
    const body = await this.requests.send(session, 'threads', {}, signal);
    return listOf(body['threads']).flatMap((entry) => {
      const thread = fields(entry);
      const id = wholeOf(thread['id']);
      return id === undefined ? [] : [{ id, name: keptText(thread['name']) }];
    });
  }

  /** Sends a request that is not read-only, within the limits that apply to all requests. */
  async send(
    session: SessionState,
    command: string,
    args: object,
    signal: AbortSignal,
  ): Promise<Fields> {
    return await this.requests.send(session, command, args, signal);
  }

  /** Sends a read-only request in advance, see `AdapterRequests.sendSpeculatively`. */
  sendSpeculatively(session: SessionState, command: string, args: object): void {
    this.requests.sendSpeculatively(session, command, args);
  }

  /** Sends a request that is not read-only and has unique arguments, see `AdapterRequests.sendUnique`. */
  async sendUnique(
    session: SessionState,
    command: string,
    args: object,
    signal: AbortSignal,
  ): Promise<Fields> {
    return await this.requests.sendUnique(session, command, args, signal);
  }

  /**
   * Sends a request whose arguments may not be unique, and uses the response as soon as the adapter sends it, see
   * `AdapterRequests.sendObserved`.
   */
  async sendObserved(
    session: SessionState,
    command: string,
    args: object,
    signal: AbortSignal,
  ): Promise<Fields> {
    return await this.requests.sendObserved(session, command, args, signal);
  }

  /**
   * Limits several requests together to the time limit of a single one. Requests without a response by then fail as
   * unanswered.
   */
  async limited<T>(signal: AbortSignal, read: (limited: AbortSignal) => Promise<T>): Promise<T> {
    return await this.stops.limited(signal, read);
  }

  /** Sends a read-only request about the stop at `place`. @throws Superseded if the thread has moved */
  async read(
    session: SessionState,
    place: Place,
    command: string,
    args: object,
    signal: AbortSignal,
  ): Promise<Fields> {
    return await this.stops.read(session, place, command, args, signal);
  }

  /** Whether a thread is still at the place. */
  stillHolds(place: Place): boolean {
    return this.stops.stillHolds(place);
  }
}
