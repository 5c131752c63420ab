import { adapterOf } from '../../../debugger/adapters/registry';
import { FRAMES_OF_A_STOP } from '../../../debugger/inspection/framePage';
import { fields, listOf, numberOf, readMessage, textOf } from '../../../debugger/protocol';
import type { DebugEvent, SessionState } from '../../../debugger/state/state';
import type { ToolServices } from '../../services';
import type { Moment } from './moment';

type Services = Pick<ToolServices, 'inspector' | 'model'>;

interface Evaluation {
  readonly epoch: number;
  readonly value: Promise<string | undefined>;
}

/**
 * Evaluates the value that identifies a call in the turn in which the program stops at its beginning. Later requests
 * wait while VS Code draws the stop. It is for adapters that repeat the ids of frames: the id is the one of the top
 * frame at the previous stop, and the value counts only if the stack confirms it.
 */
export class EarlyActivation {
  private readonly observed: { dispose(): void };
  private evaluation: Evaluation | undefined;

  private constructor(
    private readonly services: Services,
    private readonly key: string,
    private readonly frameId: number,
    private readonly expression: string,
    private readonly isEntry: (session: SessionState, ids: readonly number[]) => boolean,
    private readonly signal: AbortSignal,
  ) {
    this.observed = services.model.observe((event) => this.observe(event), ['stopped']);
  }

  /**
   * @param isEntry whether a stop at these breakpoints of the adapter is at the beginning of the call
   * @returns undefined if the id of the frame cannot be foreseen
   */
  static of(
    services: Services,
    session: SessionState,
    threadId: number,
    isEntry: (session: SessionState, ids: readonly number[]) => boolean,
    signal: AbortSignal,
  ): EarlyActivation | undefined {
    const { loggedCalls, repeatsReferences } = adapterOf(session.type);
    if (loggedCalls === undefined || repeatsReferences !== true) return undefined;
    const stack = services.model.answers.cached(session.key, 'stackTrace', {
      threadId,
      startFrame: 0,
      levels: FRAMES_OF_A_STOP,
    });
    const frameId = numberOf(fields(listOf(fields(stack)['stackFrames'])[0])['id']);
    if (frameId === undefined) return undefined;
    const { activation } = loggedCalls;
    return new EarlyActivation(services, session.key, frameId, activation, isEntry, signal);
  }

  /** The value in the frame of a stop. Undefined if it was not evaluated, or if the evaluation has failed. */
  async at({ session, top }: Moment): Promise<string | undefined> {
    const { evaluation } = this;
    if (session.key !== this.key || top.id !== this.frameId) return undefined;
    return evaluation?.epoch === session.lastStop?.epoch ? await evaluation?.value : undefined;
  }

  dispose(): void {
    this.observed.dispose();
  }

  /** Called with stops after the state has been updated. */
  private observe(event: DebugEvent): void {
    if (event.type !== 'fromAdapter' || event.key !== this.key || this.signal.aborted) return;
    if (readMessage(event.message)?.type !== 'event') return;
    const session = this.services.model.state.sessions.get(event.key);
    const { hitBreakpointIds: ids, epoch } = session?.lastStop ?? {};
    if (session === undefined || ids === undefined || epoch === undefined) return;
    if (!this.isEntry(session, ids)) return;
    const args = { expression: this.expression, frameId: this.frameId, context: 'repl' };
    const value = this.services.inspector
      .sendUnique(session, 'evaluate', args, this.signal)
      .then(({ result }) => textOf(result) || undefined)
      .catch(() => undefined);
    this.evaluation = { epoch, value };
  }
}
