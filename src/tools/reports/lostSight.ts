import * as l10n from '@vscode/l10n';
import { adapterOf } from '../../debugger/adapters/registry';
import type { SessionState } from '../../debugger/state/state';
import type { ToolServices } from '../services';

/** What happened to a debugger that ended, or lost the program, before the program ended. */
export function debuggerGone(sessions: readonly SessionState[]): string | undefined {
  for (const { type, end } of sessions) {
    const cause = end?.message ?? l10n.t('no reason given');
    if (end?.reason === 'adapterGone')
      return l10n.t('The debug adapter “{0}” is gone: {1}', type, cause);
    if (end?.reason === 'programLost')
      return l10n.t(
        'The debugger “{0}” has lost the program, which may still run: {1}',
        type,
        cause,
      );
  }
  return undefined;
}

/**
 * Why lines of a program may have run although their breakpoints were not hit: the debugger is gone, or the program took
 * away what its debugger sees them by. Undefined if nothing of that kind was reported.
 */
export function lostSight(
  { model }: Pick<ToolServices, 'model'>,
  sessions: readonly SessionState[],
): string | undefined {
  const gone = debuggerGone(sessions);
  if (gone !== undefined) return gone;
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
