import type { SessionState } from '../../debugger/state/state';
import type { ToolServices } from '../services';
import { debuggerGone, lostSight } from './lostSight';

/** What an answer may say about a place without a hit. */
export interface WithoutHit {
  /**
   * `not_reached`: a debugger had bound the place, and has seen the program to the end of the call. `not_bound`: the
   * program may have passed the place. `unknown`: the debugger could not see the whole program.
   */
  readonly why: 'not_reached' | 'not_bound' | 'unknown';
  /** The reason if it is unknown. */
  readonly message?: string;
}

/**
 * Decides what it means that a place had no hit. All answers use it.
 * @param isBound whether a debugger has bound the place; undefined if it stops there for another breakpoint
 */
export function withoutHit(
  services: Pick<ToolServices, 'model'>,
  sessions: readonly SessionState[],
  isBound: boolean | undefined,
): WithoutHit {
  const gone = debuggerGone(sessions);
  if (gone !== undefined) return { why: 'unknown', message: gone };
  if (isBound === false) return { why: 'not_bound' };
  const lost = lostSight(services, sessions);
  return lost === undefined ? { why: 'not_reached' } : { why: 'unknown', message: lost };
}
