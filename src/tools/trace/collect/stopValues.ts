import { adapterOf } from '../../../debugger/adapters/registry';
import type { Stopped } from '../../../control/outcome';
import type { Evaluated } from '../../../debugger/inspection/inspector';
import { readFrames } from '../../../debugger/inspection/stackAndVariables';
import { fields, listOf, numberOf, readMessage, textOf } from '../../../debugger/protocol';
import { Interrupted } from '../../../debugger/requests';
import { cutText } from '../../../debugger/texts';
import { stoppedThread, type DebugEvent, type SessionState } from '../../../debugger/state/state';
import type { RecordedValue } from '../../../recording/recordedRows';
import { asFailure } from '../../../results/debuggerFailures';
import type { ToolServices } from '../../services';
import { FRAMES_OF_A_HIT, placeOfStop, type StopPlace } from './stopPlace';

/** The maximum number of characters of one value. */
const MAX_OF_A_VALUE = 300;

const MEMBERS_SHOWN = 10;

/** Matches the text with which debuggers show an object without its members. */
const ADDRESS = /^(?:0x[\da-f]+|.{0,200}@ ?(?:0x)?[\da-f]+)?$/i;

/** A stop at a hit, with the evaluations in its top frame that were sent together with the request for the stack. */
export interface HitPlace extends StopPlace {
  readonly evaluations?: ReadonlyMap<string, Promise<Evaluated>>;
}

/** The requests that were sent together in the turn of a stop. The adapter answers them in this order. */
interface EarlyReads {
  readonly epoch: number;
  /** Undefined if the adapter refused the request, or if the program has continued. */
  readonly place: Promise<StopPlace | undefined>;
  /** The frame in which the expressions are evaluated. */
  readonly frameId: number;
  readonly evaluations: ReadonlyMap<string, Promise<Evaluated>>;
}

/** What a collection needs to know at a stop before it has read the stop. */
export interface Foreseen {
  /** Whether the session belongs to the run, and the run still moves it. */
  isOfRun(session: SessionState): boolean;
  /** Returns the expressions that will be evaluated at a stop at these breakpoints of the adapter. */
  expressionsAt(session: SessionState, ids: readonly number[]): readonly string[];
}

/**
 * Evaluates expressions at stops. The stack is requested in the turn of the stop. So are expressions without side
 * effects, if the adapter repeats the ids of frames. Later requests would wait while VS Code renders the stop.
 */
export class StopValues {
  /** The id of the top frame at the previous hit of each thread. */
  private readonly frames = new Map<string, number>();
  /** The requests about the newest stop of each thread. */
  private readonly early = new Map<string, EarlyReads>();
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
  async placeOf(stop: Stopped): Promise<HitPlace | undefined> {
    const { services, signal } = this;
    const early = this.earlyReads(stop);
    const place = await early?.place;
    if (place === undefined) return await placeOfStop(services, stop, FRAMES_OF_A_HIT, signal);
    const isConfirmed = place.frames[0]?.id === early?.frameId;
    return isConfirmed ? { ...place, evaluations: early?.evaluations } : place;
  }

  private earlyReads({ sessionKey, stop }: Stopped): EarlyReads | undefined {
    const there = stoppedThread(this.services.model.state, sessionKey);
    const early = there && this.early.get(`${sessionKey}/${there.threadId}`);
    return early?.epoch === stop.epoch ? early : undefined;
  }

  /** @throws Interrupted */
  async evaluated(expression: string, place: HitPlace): Promise<RecordedValue> {
    const { session, threadId, frames, evaluations } = place;
    const [top] = frames;
    if (top === undefined) return undefined;
    this.frames.set(`${session.key}/${threadId}`, top.id);
    try {
      const { value, reference } = await (evaluations?.get(expression) ??
        this.send(session, threadId, top.id, expression));
      const shown =
        reference > 0 && ADDRESS.test(value) ? await this.members(session, reference) : undefined;
      return cutText(shown ?? value, MAX_OF_A_VALUE);
    } catch (error) {
      // An interrupted hit does not count, so it cannot refute the claim.
      if (error instanceof Interrupted) throw error;
      return { error: cutText(asFailure(error)?.message ?? String(error), MAX_OF_A_VALUE) };
    }
  }

  private send(
    session: SessionState,
    threadId: number,
    frameId: number,
    expression: string,
  ): Promise<Evaluated> {
    const { inspector } = this.services;
    const place = inspector.placeOf(session, threadId);
    const by = adapterOf(session.type).repeatsReferences === true ? 'sendObserved' : 'send';
    return inspector.evaluate(session, place, frameId, expression, 'watch', this.signal, by);
  }

  /** Called with stops after the state has been updated. */
  private observe(event: DebugEvent): void {
    if (event.type !== 'fromAdapter' || this.signal.aborted) return;
    const message = readMessage(event.message);
    if (message?.type !== 'event' || message.event !== 'stopped') return;
    const session = this.services.model.state.sessions.get(event.key);
    const threadId = numberOf(fields(message.body)['threadId']);
    if (session?.lastStop === undefined || threadId === undefined) return;
    if (session.threads.get(threadId)?.stop === undefined) return;
    if (!session.lastStop.reason.includes('breakpoint') || !this.foreseen.isOfRun(session)) return;
    const key = `${session.key}/${threadId}`;
    const frameId = this.frames.get(key);
    const expressions = this.earlyExpressions(session);
    if (frameId === undefined || expressions.length === 0) this.requestStack(session, threadId);
    else this.early.set(key, this.readEarly(session, threadId, frameId, expressions));
  }

  /** Returns the expressions to send together with the request for the stack. */
  private earlyExpressions(session: SessionState): readonly string[] {
    const ids = session.lastStop?.hitBreakpointIds;
    const isAlone = [...session.threads.values()].every((thread) => thread.stop !== undefined);
    if (adapterOf(session.type).repeatsReferences !== true || ids === undefined || !isAlone)
      return [];
    return this.foreseen.expressionsAt(session, ids).filter(isPure);
  }

  private readEarly(
    session: SessionState,
    threadId: number,
    frameId: number,
    expressions: readonly string[],
  ): EarlyReads {
    const epoch = session.lastStop?.epoch ?? 0;
    const place = this.earlyPlace(session, threadId, epoch);
    const evaluations = new Map<string, Promise<Evaluated>>();
    for (const expression of expressions) {
      const evaluation = this.send(session, threadId, frameId, expression);
      // The error is reported to the reader of the value, if there is one.
      evaluation.catch(() => undefined);
      evaluations.set(expression, evaluation);
    }
    return { epoch, place, frameId, evaluations };
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
    epoch: number,
  ): Promise<StopPlace | undefined> {
    const { inspector, model } = this.services;
    const args = { threadId, startFrame: 0, levels: FRAMES_OF_A_HIT };
    try {
      const stack = await inspector.sendObserved(session, 'stackTrace', args, this.signal);
      const now = model.state.sessions.get(session.key);
      if (now?.threads.get(threadId)?.stop?.epoch !== epoch) return undefined;
      return { session: now, threadId, frames: readFrames(stack) };
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

/** Matches names, members, numbers, and operators that change nothing. Calls and index operators may run any code. */
const PURE = /^(?:[\w.\s!]|->|[<>]|[=!<>]=|&&|\|\||\+(?!\+)|-(?![->])|\*|\/|%)+$/;

const CHANGES = /<<=|>>=|\b(?:delete|new|await|yield|throw)\b/;

/** Whether the evaluation of an expression changes nothing, so that it may be evaluated even if the result is unused. */
function isPure(expression: string): boolean {
  return PURE.test(expression) && !CHANGES.test(expression);
}
