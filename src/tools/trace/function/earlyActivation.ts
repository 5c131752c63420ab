import { activationRequest, adapterOf } from '../../../debugger/adapters/registry';
import { readMessage, type Fields } from '../../../debugger/protocol';
import type { DebugEvent, SessionState } from '../../../debugger/state/state';
import type { ToolServices } from '../../services';

type Services = Pick<ToolServices, 'inspector' | 'model'>;

/**
 * Requests the value that identifies a call in the turn in which the program stops at its beginning. Later requests
 * wait while VS Code draws the stop. It is for adapters that repeat the ids of frames: the id is the lowest one at the
 * stop before the call. The answer counts only once the adapter has issued that id again.
 */
export class EarlyActivation {
  private readonly observed: { dispose(): void };

  private constructor(
    private readonly services: Services,
    private readonly key: string,
    private readonly args: Fields,
    private readonly isEntry: (session: SessionState, ids: readonly number[]) => boolean,
  ) {
    this.observed = services.model.observe((event) => this.observe(event), ['stopped']);
  }

  /**
   * @param isEntry whether a stop at these breakpoints of the adapter is at the beginning of the call
   * @returns undefined if the id of the frame cannot be foreseen
   */
  static of(
    services: Services,
    { key, type }: SessionState,
    isEntry: (session: SessionState, ids: readonly number[]) => boolean,
  ): EarlyActivation | undefined {
    const { loggedCalls, repeatsReferences } = adapterOf(type);
    if (loggedCalls === undefined || repeatsReferences !== true) return undefined;
    const frameId = services.model.answers.lowestFrame(key);
    if (frameId === undefined) return undefined;
    return new EarlyActivation(services, key, activationRequest(loggedCalls, frameId), isEntry);
  }

  dispose(): void {
    this.observed.dispose();
  }

  /** Called with stops after the state has been updated. */
  private observe(event: DebugEvent): void {
    if (event.type !== 'fromAdapter' || event.key !== this.key) return;
    if (readMessage(event.message)?.type !== 'event') return;
    const session = this.services.model.state.sessions.get(event.key);
    const ids = session?.lastStop?.hitBreakpointIds;
    if (session !== undefined && ids !== undefined && this.isEntry(session, ids))
      this.services.inspector.sendSpeculatively(session, 'evaluate', this.args);
  }
}
