import { SerialQueue } from '../../util/serialQueue';
import type { Fields } from '../protocol';
import type { AdapterRequests } from '../requests';
import type { SessionState } from '../state/state';
import type { Place } from './handles';
import { Superseded, type StopRequests } from './stopRequests';

/**
 * Sends requests for scopes whose references are the same in several frames. lldb-dap uses the same references for all
 * frames, and they refer to the frame whose scopes were requested last. So the frame's scopes are requested again in
 * the same turn.
 */
export class SharedScopes {
  /** The sessions in which such a request is being sent. */
  private readonly turns = new Map<string, SerialQueue>();

  constructor(
    private readonly requests: AdapterRequests,
    private readonly stops: StopRequests,
  ) {}

  /** The variables of a frame's scope. @throws Superseded if the thread has moved */
  async variables(
    session: SessionState,
    place: Place,
    frameId: number | undefined,
    args: object,
    signal: AbortSignal,
  ): Promise<Fields> {
    return await this.inTurn(session, () =>
      this.stops.checked(session, place, 'variables', signal, async () => {
        const answers = Promise.all([
          this.requests.send(session, 'scopes', { frameId }, signal),
          this.requests.send(session, 'variables', args, signal),
        ]);
        this.returnToShown(session, frameId);
        return (await answers)[1];
      }),
    );
  }

  /**
   * Sends a request about a member of a container. If the container is a scope, its frame's scopes are requested first.
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
    if (!this.stops.stillHolds(place)) throw new Superseded();
    const send = (): Promise<Fields> =>
      this.requests.send(session, request.command, request.args, signal);
    if (scopeOf === undefined) return await send();
    return await this.inTurn(session, async () => {
      if (!this.stops.stillHolds(place)) throw new Superseded();
      const scopes = this.requests.send(session, 'scopes', { frameId: scopeOf }, signal);
      const answers = Promise.all([scopes, send()]);
      this.returnToShown(session, scopeOf);
      return (await answers)[1];
    });
  }

  /**
   * Requests the scopes of the frame that VS Code's views show, if it is another frame. The views read a scope when the
   * person expands it, so the scope's reference has to refer to the shown frame.
   */
  returnToShown(session: SessionState, frameId: number | undefined): void {
    const shown = this.requests.shownFrame(session);
    if (shown === undefined || shown === frameId) return;
    this.requests
      .send(session, 'scopes', { frameId: shown }, new AbortController().signal)
      .catch(() => undefined);
  }

  /** Runs the actions of each session one after another. */
  private async inTurn<T>({ key }: SessionState, action: () => Promise<T>): Promise<T> {
    const turns = this.turns.get(key) ?? new SerialQueue();
    this.turns.set(key, turns);
    try {
      return await turns.run(action);
    } finally {
      if (!turns.isBusy) this.turns.delete(key);
    }
  }
}
