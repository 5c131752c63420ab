import * as l10n from '@vscode/l10n';
import { adapterOf } from '../../debugger/adapters/registry';
import type { SessionState } from '../../debugger/state/state';
import type { ToolServices } from '../services';

/**
 * Why lines of a program may have run although their breakpoints were not hit: the program took away what its debugger
 * sees them by. Undefined if nothing of that kind was reported.
 */
export function lostSight(
  { model }: Pick<ToolServices, 'model'>,
  sessions: readonly SessionState[],
): string | undefined {
  const isLost = sessions.some((session) => {
    const { reportsLostSight } = adapterOf(session.type);
    return (
      reportsLostSight !== undefined &&
      model
        .output(session)
        .read({ since: 0 })
        .some(({ text }) => reportsLostSight(text))
    );
  });
  return isLost
    ? l10n.t(
        'The program has replaced the trace function of its debugger (sys.settrace). Lines that ran after that were not seen.',
      )
    : undefined;
}
