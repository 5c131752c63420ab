import * as l10n from '@vscode/l10n';
import { Failure } from '../../debugger/failure';
import type { SessionState, StopState } from '../../debugger/state/state';

/** From which stops calls are just letting the program go on, and its adapter has not answered yet. */
export class Moves {
  private readonly underWay = new Set<string>();

  /**
   * Until the returned function is called, no other call moves the program from this stop: two that came at once, from
   * two clients or from one, would take it one stop further than either asked for.
   * @throws Failure `moved_meanwhile`
   */
  begin(session: SessionState, stop: StopState): () => void {
    const key = `${session.key}/${stop.id}`;
    if (this.underWay.has(key)) {
      throw new Failure(
        'moved_meanwhile',
        l10n.t('Another call has just let the program go on from this stop.'),
        'Nothing was done. Call wait_for_stop for the stop that follows, and go on from there.',
        { session_id: session.id },
      );
    }
    this.underWay.add(key);
    return () => void this.underWay.delete(key);
  }
}
