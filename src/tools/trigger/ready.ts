import { isSettingBreakpoints, type SessionState } from '../../debugger/state/state';

/**
 * Whether a program that a call starts runs. A session runs after its debugger has answered the lists of breakpoints that
 * VS Code has sent at the start.
 */
export function isUp(members: readonly SessionState[], noDebug: boolean): boolean {
  const runs = ({ lifecycle, threads }: SessionState): boolean =>
    lifecycle === 'running' && (threads.size > 0 || noDebug);
  return members.some(runs) && members.every(({ lifecycle }) => lifecycle !== 'starting');
}

/** Whether the debugger of a program has answered all lists of breakpoints. */
export function isSetUp(members: readonly SessionState[]): boolean {
  return !members.some(isSettingBreakpoints);
}
