import { adapterOf } from '../adapters/registry';
import type { Answers } from '../state/answers';
import type { DebugModel } from '../state/debugModel';
import { FRAMES_OF_A_STOP } from './framePage';
import { objectsToRead, readsByExpression } from './objectFields';
import { listOf, numberOf, fields, readMessage, type Fields } from '../protocol';
import type { AdapterRequests } from '../requests';
import { fieldsRequest } from './pythonFields';
import {
  MAX_OWN_SCOPES,
  ownScopes,
  readFrames,
  readScopes,
  topFrame,
  variablesOf,
} from './stackAndVariables';
import type { DebugEvent, SessionState } from '../state/state';

/**
 * The data that is requested at a stop. `frames`: the stack. `variables`: also the variables of its top frame.
 * `fields`: also the fields of objects whose value does not show them.
 */
export type Prefetched = (typeof IN_ORDER)[number];

/** Each level includes the previous ones. */
const IN_ORDER = ['frames', 'variables', 'fields'] as const;

/**
 * The number of variables of a scope that are searched for objects. The search runs while VS Code waits for the
 * message.
 */
const MAX_SEARCHED = 200;

/** A read-only request that follows from the answer to another one. */
interface FollowUp {
  readonly command: 'scopes' | 'variables';
  readonly args: Fields;
}

/** The requests about a session's newest stop, and the stopped thread. */
interface NewestStop {
  readonly threadId: number;
  readonly followUps: readonly FollowUp[];
  /**
   * The requests about the previous stop. With some adapters (delve), references depend on the requests that VS Code
   * sends in the meantime.
   */
  readonly before: readonly FollowUp[];
}

/** The data that a waiting call will read. */
interface Expected {
  readonly what: Prefetched;
  readonly signal: AbortSignal;
}

/** A stop that is being read. */
interface Stop extends Expected {
  readonly session: SessionState;
  /** The requests about the stop so far. */
  readonly followUps: FollowUp[];
}

/** The maximum number of requests that are sent before it is known that they are needed. */
const MAX_SPECULATIVE = 12;

/**
 * Requests the data for a stop's report as early as possible. Each request is sent while the message that leads to it
 * is still on its way to VS Code, because VS Code renders the stop when the message arrives and delays everything else.
 * Only stops that a call waits for are read in advance. The code that creates the report finds these requests pending.
 */
export class StopPrefetch {
  /** The names of the events that `observe` needs. */
  readonly observes = ['stopped', 'sessionEnded'] as const;
  /** The data that each waiting call will read. */
  private readonly waiting = new Set<Expected>();
  private readonly newest = new Map<string, NewestStop>();

  constructor(
    private readonly model: DebugModel,
    private readonly requests: AdapterRequests,
  ) {}

  /**
   * Registers a call that waits for a stop, until the returned function is called.
   * @param signal aborted when nobody needs the answers any more
   */
  expect(what: Prefetched, signal: AbortSignal): () => void {
    const expected = { what, signal };
    this.waiting.add(expected);
    return () => void this.waiting.delete(expected);
  }

  /** Called with stops after the state has been updated. */
  observe(event: DebugEvent): void {
    if (event.type === 'sessionEnded') this.newest.delete(event.key);
    const what = this.expected();
    if (what === undefined || event.type !== 'fromAdapter') return;
    const message = readMessage(event.message);
    if (message?.type !== 'event' || message.event !== 'stopped') return;
    const session = this.model.state.sessions.get(event.key);
    const threadId = numberOf(fields(message.body)['threadId']);
    if (session === undefined || threadId === undefined) return;
    const before = this.newest.get(session.key);
    const earlier = before?.threadId === threadId ? before.followUps : [];
    const followUps: FollowUp[] = [];
    this.newest.set(session.key, { threadId, followUps, before: earlier });
    const stop: Stop = { session, what, followUps, signal: this.signal() };
    if (
      session.lastStop?.reason === 'exception' &&
      session.capabilities.supportsExceptionInfoRequest === true
    )
      this.read(stop, 'exceptionInfo', { threadId });
    const levels = { threadId, startFrame: 0, levels: FRAMES_OF_A_STOP };
    this.read(stop, 'stackTrace', levels, (stack) => this.readTop(stop, stack));
    if (what !== 'frames' && before?.threadId === threadId)
      this.repeat(session, [...before.before, ...before.followUps]);
  }

  /** The highest level that any waiting call will read. */
  private expected(): Prefetched | undefined {
    const all = [...this.waiting].map(({ what }) => what);
    return IN_ORDER.findLast((what) => all.includes(what));
  }

  /** The signal of the waiting call if there is only one; otherwise a signal that is never aborted. */
  private signal(): AbortSignal {
    const [only, another] = this.waiting;
    return only === undefined || another !== undefined ? new AbortController().signal : only.signal;
  }

  /**
   * Sends the follow-up requests of the previous stops again, in the same turn. If the adapter issues the same
   * references again, it has answered these requests by the time the references are known to be correct. Otherwise the
   * answers are not used.
   */
  private repeat(session: SessionState, followUps: readonly FollowUp[]): void {
    if (adapterOf(session.type).repeatsReferences !== true || !this.isAlone(session)) return;
    const once = new Map(followUps.map((request) => [JSON.stringify(request), request]));
    // Scopes are requested first, because references of scopes may be resolved only after the scopes were requested.
    const inOrder = [...once.values()].sort(
      (one, other) => Number(one.command === 'variables') - Number(other.command === 'variables'),
    );
    for (const { command, args } of inOrder.slice(0, MAX_SPECULATIVE))
      this.requests.sendSpeculatively(session, command, args);
  }

  private readTop(stop: Stop, stack: Fields): void {
    const { session, what, followUps } = stop;
    const top = topFrame(readFrames(stack));
    // While another thread runs, values are read only when they are reported (`AdapterRequests.read`).
    if (top === undefined || what === 'frames' || !this.isAlone(session)) return;
    const args = { frameId: top.id };
    followUps.push({ command: 'scopes', args });
    this.read(stop, 'scopes', args, (scopes) => {
      for (const scope of ownScopes(readScopes(scopes)).slice(0, MAX_OWN_SCOPES))
        this.readScope(stop, scope.reference);
    });
    if (what === 'fields' && readsByExpression(session))
      this.read(stop, 'evaluate', fieldsRequest(top.id));
  }

  private isAlone({ key }: SessionState): boolean {
    const threads = this.model.state.sessions.get(key)?.threads.values() ?? [];
    return [...threads].every((thread) => thread.stop !== undefined);
  }

  /** Reads the variables of a scope, and the fields of objects whose value does not show them. */
  private readScope(stop: Stop, scope: number): void {
    const args = { variablesReference: scope };
    stop.followUps.push({ command: 'variables', args });
    const hasFields = stop.what === 'fields' && !readsByExpression(stop.session);
    this.read(stop, 'variables', args, (body) => {
      if (!hasFields) return;
      const first = listOf(body['variables']).slice(0, MAX_SEARCHED);
      for (const { reference } of objectsToRead(variablesOf(first))) {
        const of = { variablesReference: reference };
        stop.followUps.push({ command: 'variables', args: of });
        this.read(stop, 'variables', of);
      }
    });
  }

  /** @param then called while the response is being delivered, not a turn later */
  private read(
    { session, signal }: Stop,
    command: string,
    args: object,
    then?: (body: Fields) => void,
  ): void {
    const answers: Answers = this.model.answers;
    const cached = answers.cached(session.key, command, args);
    if (cached !== undefined) {
      then?.(cached);
      return;
    }
    let stopListening: () => void = () => undefined;
    if (then !== undefined) {
      stopListening = answers.listen(session.key, command, args, (body) => {
        stopListening();
        then(body);
      });
    }
    // After a failure, the code that creates the report sends the request again and reports the error.
    this.requests.read(session, command, args, signal).then(
      () => stopListening(),
      () => stopListening(),
    );
  }
}
