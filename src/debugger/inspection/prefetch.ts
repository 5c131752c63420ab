import { adapterOf } from '../adapters/registry';
import type { Answers } from '../state/answers';
import type { DebugModel } from '../state/debugModel';
import { FRAMES_OF_A_STOP } from './inspector';
import { objectsToRead, readsByExpression } from './objectFields';
import { listOf, numberOf, fields, readMessage, type Fields } from '../protocol';
import type { AdapterRequests } from '../requests';
import { fieldsQuestion } from './pythonFields';
import {
  MOST_OWN_SCOPES,
  ownScopes,
  readFrames,
  readScopes,
  topFrame,
  variablesOf,
} from './stackAndVariables';
import type { DebugEvent, SessionState } from '../state/state';

/** What of a stop is asked for: the stack, the variables of its top frame as well, and the fields of those that show none. */
export type Prefetched = (typeof IN_ORDER)[number];

/** The least first. */
const IN_ORDER = ['frames', 'variables', 'fields'] as const;

/** A scope may have any number of variables, and this is done while VS Code waits for the message. */
const MOST_LOOKED_THROUGH = 200;

/** A look that followed from another one at a stop. */
interface Look {
  readonly command: 'scopes' | 'variables';
  readonly args: Fields;
}

/** What was asked of a session's newest stop, and of which thread. */
interface Asked {
  readonly threadId: number;
  readonly looks: readonly Look[];
  /** The same of the stop before it: the numbers of some depend on what VS Code has asked meanwhile (delve). */
  readonly before: readonly Look[];
}

/** What a call that waits will read. */
interface Expected {
  readonly what: Prefetched;
  readonly signal: AbortSignal;
}

/** A stop that is read. */
interface Stop extends Expected {
  readonly session: SessionState;
  /** What has been asked of it. */
  readonly looks: Look[];
}

/** Looks that are sent before it is known that they are needed. */
const MOST_FORESEEN = 12;

/**
 * Asks for what a stop's answer will hold, the moment that it can be asked: each request leaves while the message that
 * it follows from is still on its way to VS Code, which draws the stop as soon as it has it and lets all others wait.
 * Only for stops that a call waits for; whoever makes the answer finds these requests under way.
 */
export class StopPrefetch {
  /** The events that it has to see. */
  readonly observes = ['stopped', 'sessionEnded'] as const;
  /** What each call that waits will read. */
  private readonly waiting = new Set<Expected>();
  private readonly asked = new Map<string, Asked>();

  constructor(
    private readonly model: DebugModel,
    private readonly requests: AdapterRequests,
  ) {}

  /**
   * A call waits for a stop, until the returned function is called.
   * @param signal aborted when nobody waits for the answers any more
   */
  expect(what: Prefetched, signal: AbortSignal): () => void {
    const expected = { what, signal };
    this.waiting.add(expected);
    return () => void this.waiting.delete(expected);
  }

  /** Sees stops, after the state has changed with them. */
  observe(event: DebugEvent): void {
    if (event.type === 'sessionEnded') this.asked.delete(event.key);
    const what = this.wanted();
    if (what === undefined || event.type !== 'fromAdapter') return;
    const message = readMessage(event.message);
    if (message?.type !== 'event' || message.event !== 'stopped') return;
    const session = this.model.state.sessions.get(event.key);
    const threadId = numberOf(fields(message.body)['threadId']);
    if (session === undefined || threadId === undefined) return;
    const before = this.asked.get(session.key);
    const earlier = before?.threadId === threadId ? before.looks : [];
    const looks: Look[] = [];
    this.asked.set(session.key, { threadId, looks, before: earlier });
    const stop: Stop = { session, what, looks, signal: this.signal() };
    if (
      session.lastStop?.reason === 'exception' &&
      session.capabilities.supportsExceptionInfoRequest === true
    )
      this.read(stop, 'exceptionInfo', { threadId });
    const levels = { threadId, startFrame: 0, levels: FRAMES_OF_A_STOP };
    this.read(stop, 'stackTrace', levels, (stack) => this.readTop(stop, stack));
    if (what !== 'frames' && before?.threadId === threadId)
      this.readAgain(session, [...before.before, ...before.looks]);
  }

  /** The most that any call will read. */
  private wanted(): Prefetched | undefined {
    const all = [...this.waiting].map(({ what }) => what);
    return IN_ORDER.findLast((each) => all.includes(each));
  }

  /** Of the only call that waits. */
  private signal(): AbortSignal {
    const [only, another] = this.waiting;
    return only === undefined || another !== undefined ? new AbortController().signal : only.signal;
  }

  /**
   * Asks what followed from the stack at the stops before, in the same turn: an adapter that gives out the same numbers
   * again has answered by the time at which it is known that these are the numbers. Of others nobody asks.
   */
  private readAgain(session: SessionState, looks: readonly Look[]): void {
    if (adapterOf(session.type).repeatsReferences !== true || !this.isAlone(session)) return;
    const once = new Map(looks.map((each) => [JSON.stringify(each), each]));
    // What a scope's number stands for is known when the scopes have been asked for.
    const inOrder = [...once.values()].sort(
      (one, other) => Number(one.command === 'variables') - Number(other.command === 'variables'),
    );
    for (const { command, args } of inOrder.slice(0, MOST_FORESEEN))
      this.requests.foresee(session, command, args);
  }

  private readTop(stop: Stop, stack: Fields): void {
    const { session, what, looks } = stop;
    const top = topFrame(readFrames(stack));
    // While another thread runs, values are asked for when they are told (`AdapterRequests.look`).
    if (top === undefined || what === 'frames' || !this.isAlone(session)) return;
    const args = { frameId: top.id };
    looks.push({ command: 'scopes', args });
    this.read(stop, 'scopes', args, (scopes) => {
      for (const scope of ownScopes(readScopes(scopes)).slice(0, MOST_OWN_SCOPES))
        this.readScope(stop, scope.reference);
    });
    if (what === 'fields' && readsByExpression(session))
      this.read(stop, 'evaluate', fieldsQuestion(top.id));
  }

  private isAlone({ key }: SessionState): boolean {
    const threads = this.model.state.sessions.get(key)?.threads.values() ?? [];
    return [...threads].every((thread) => thread.stop !== undefined);
  }

  /** A scope's variables, and the fields of those that show none. */
  private readScope(stop: Stop, scope: number): void {
    const args = { variablesReference: scope };
    stop.looks.push({ command: 'variables', args });
    const hasFields = stop.what === 'fields' && !readsByExpression(stop.session);
    this.read(stop, 'variables', args, (body) => {
      if (!hasFields) return;
      const first = listOf(body['variables']).slice(0, MOST_LOOKED_THROUGH);
      for (const { reference } of objectsToRead(variablesOf(first))) {
        const of = { variablesReference: reference };
        stop.looks.push({ command: 'variables', args: of });
        this.read(stop, 'variables', of);
      }
    });
  }

  /** `then` is called while the answer is being delivered, not a turn later. */
  private read(
    { session, signal }: Stop,
    command: string,
    args: object,
    then?: (body: Fields) => void,
  ): void {
    const answers: Answers = this.model.answers;
    const known = answers.known(session.key, command, args);
    if (known !== undefined) {
      then?.(known);
      return;
    }
    let stop: () => void = () => undefined;
    if (then !== undefined) {
      stop = answers.listen(session.key, command, args, (body) => {
        stop();
        then(body);
      });
    }
    // Whoever makes the answer meets a failure again and tells of it.
    this.requests.read(session, command, args, signal).then(
      () => stop(),
      () => stop(),
    );
  }
}
