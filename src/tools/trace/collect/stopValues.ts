import { adapterOf } from '../../../debugger/adapters/registry';
import { Interrupted } from '../../../debugger/requests';
import type { Stopped } from '../../../control/outcome';
import type { Evaluated } from '../../../debugger/inspection/inspector';
import { readFrames } from '../../../debugger/inspection/stackAndVariables';
import { asFailure } from '../../../results/debuggerFailures';
import { fields, listOf, numberOf, readMessage, textOf } from '../../../debugger/protocol';
import { cutText } from '../../../debugger/texts';
import type { DebugEvent, SessionState } from '../../../debugger/state/state';
import type { RecordedValue } from '../../../recording/recordedRows';
import type { ToolServices } from '../../services';
import { FRAMES_OF_A_HIT, placeOfStop, type StopPlace } from './stopPlace';

/** The maximum number of characters of one value. */
const MOST_OF_A_VALUE = 300;

const MEMBERS_SHOWN = 10;

/** Matches the text with which debuggers show an object without its members. */
const ADDRESS = /^(?:0x[\da-f]+|.{0,200}@ ?(?:0x)?[\da-f]+)?$/i;

/** The requests that were sent together in the turn of a stop. The adapter answers them in this order. */
interface Early {
  readonly sessionKey: string;
  readonly epoch: number;
  /** Undefined if the adapter refused the request. */
  readonly place: Promise<StopPlace | undefined>;
  readonly frameId: number;
  readonly evaluations: Map<string, Promise<Evaluated>>;
}

/** What a collection needs to know at a stop before it has read the stop. */
export interface Foreseen {
  /** Whether the session belongs to the run. */
  isOfRun(session: SessionState): boolean;
  /** Returns the expressions that are certain to be evaluated at a stop at these breakpoints of the adapter. */
  certainAt(session: SessionState, ids: readonly number[]): readonly string[];
}

/**
 * Evaluates expressions at stops. The stack is requested in the turn of the stop. So are the expressions, if the
 * adapter repeats the ids of frames. Later requests would wait while VS Code renders the stop.
 */
export class StopValues {
  /** The id of the top frame at the previous hit of each thread. */
  private readonly frames = new Map<string, number>();
  private early: Early | undefined;
  private readonly observed: { dispose(): void };

  constructor(
    private readonly services: ToolServices,
    private readonly signal: AbortSignal,
    private readonly foreseen: Foreseen,
  ) {
    this.observed = services.model.observe((event) => this.observe(event), ['stopped']);
  }

  dispose(): void {
    this.observed.dispose();
  }

  /** Returns the place of a stop as `placeOfStop`. */
  async placeOf(stop: Stopped): Promise<StopPlace | undefined> {
    const { early, services, signal } = this;
    const isEarly = early?.sessionKey === stop.sessionKey && early.epoch === stop.stop.epoch;
    const place = isEarly ? await early.place : undefined;
    return place ?? (await placeOfStop(services, stop, FRAMES_OF_A_HIT, signal));
  }

  /** @throws Interrupted */
  async evaluated(expression: string, place: StopPlace): Promise<RecordedValue> {
    const [top] = place.frames;
    if (top === undefined) return undefined;
    try {
      const { value, reference } = await this.evaluation(expression, place, top.id);
      const shown =
        reference > 0 && ADDRESS.test(value)
          ? await this.members(place.session, reference)
          : undefined;
      return cutText(shown ?? value, MOST_OF_A_VALUE);
    } catch (error) {
      // An interrupted hit does not count, so it cannot refute the claim.
      if (error instanceof Interrupted) throw error;
      return { error: cutText(asFailure(error)?.message ?? String(error), MOST_OF_A_VALUE) };
    }
  }

  /** Returns the evaluation that was sent early, or sends one. */
  private evaluation(
    expression: string,
    { session, threadId }: StopPlace,
    frameId: number,
  ): Promise<Evaluated> {
    this.frames.set(`${session.key}/${threadId}`, frameId);
    const { early } = this;
    if (
      early?.sessionKey !== session.key ||
      early.epoch !== session.lastStop?.epoch ||
      early.frameId !== frameId
    )
      return this.send(session, threadId, frameId, expression);
    const sent = early.evaluations.get(expression);
    // An expression may have side effects, so each evaluation is used once.
    early.evaluations.delete(expression);
    return sent ?? this.send(session, threadId, frameId, expression);
  }

  private send(
    session: SessionState,
    threadId: number,
    frameId: number,
    expression: string,
  ): Promise<Evaluated> {
    const { inspector } = this.services;
    const place = inspector.placeOf(session, threadId);
    const args = [session, place, frameId, expression, 'watch', this.signal] as const;
    return adapterOf(session.type).repeatsReferences === true
      ? inspector.evaluateObserved(...args)
      : inspector.evaluate(...args);
  }

  /** Called with stops after the state has been updated. */
  private observe(event: DebugEvent): void {
    if (event.type !== 'fromAdapter') return;
    const message = readMessage(event.message);
    if (message?.type !== 'event' || message.event !== 'stopped') return;
    this.early = undefined;
    const session = this.services.model.state.sessions.get(event.key);
    const threadId = numberOf(fields(message.body)['threadId']);
    if (session?.lastStop === undefined || threadId === undefined) return;
    if (!this.foreseen.isOfRun(session)) return;
    const frameId = this.frames.get(`${session.key}/${threadId}`);
    const { epoch, hitBreakpointIds } = session.lastStop;
    const expressions =
      hitBreakpointIds === undefined || !isAlone(session)
        ? []
        : this.foreseen.certainAt(session, hitBreakpointIds);
    const { repeatsReferences } = adapterOf(session.type);
    if (frameId === undefined || expressions.length === 0 || repeatsReferences !== true) {
      this.requestStack(session, threadId);
      return;
    }
    const place = this.earlyPlace(session, threadId);
    const evaluations = new Map<string, Promise<Evaluated>>();
    for (const expression of expressions) {
      const evaluation = this.send(session, threadId, frameId, expression);
      // The error is reported to the reader of the value, if there is one.
      evaluation.catch(() => undefined);
      evaluations.set(expression, evaluation);
    }
    this.early = { sessionKey: session.key, epoch, place, frameId, evaluations };
  }

  /** Requests the frames that the collection will read. An error is reported to their reader. */
  private requestStack(session: SessionState, threadId: number): void {
    const { inspector } = this.services;
    const place = inspector.placeOf(session, threadId);
    inspector.frames(session, place, 0, FRAMES_OF_A_HIT, this.signal).catch(() => undefined);
  }

  /**
   * Requests the frames before expressions are sent. An expression may change the program, so other answers that arrive
   * after it was sent do not count.
   */
  private async earlyPlace(
    session: SessionState,
    threadId: number,
  ): Promise<StopPlace | undefined> {
    const args = { threadId, startFrame: 0, levels: FRAMES_OF_A_HIT };
    try {
      const { inspector } = this.services;
      const stack = await inspector.sendObserved(session, 'stackTrace', args, this.signal);
      return { session, threadId, frames: readFrames(stack) };
    } catch {
      return undefined;
    }
  }

  /** Returns the members of an object that its debugger shows only as an address. */
  private async members(session: SessionState, reference: number): Promise<string | undefined> {
    const args = { variablesReference: reference };
    const body = await this.services.inspector.send(session, 'variables', args, this.signal);
    const members = listOf(body['variables']).map(fields);
    const shown = members
      .slice(0, MEMBERS_SHOWN)
      .map(({ name, value }) => `${textOf(name) ?? ''}: ${textOf(value) ?? ''}`);
    const more = members.length - shown.length;
    return members.length === 0
      ? undefined
      : `{${shown.join(', ')}${more > 0 ? `, … ${more} more` : ''}}`;
  }
}

/** Whether all threads of a session are stopped. */
function isAlone({ threads }: SessionState): boolean {
  return [...threads.values()].every((thread) => thread.stop !== undefined);
}
