import type { HostBreakpoint } from '../../debugger/host';
import { isSettingBreakpoints, type SessionState } from '../../debugger/state/state';
import type { ToolServices } from '../services';

type Services = Pick<ToolServices, 'model' | 'breakpoints'>;

/** The time that an adapter may take to set or remove a breakpoint, in milliseconds. */
const ANSWER_LIMIT_MS = 1500;

/**
 * Waits until the adapter has answered for its breakpoints and has verified this one, until the session has ended, or
 * until a time limit. An adapter may answer before the program has the breakpoint.
 * @param breakpoint if undefined, only the answer is waited for
 * @param loaded whether the file of the breakpoint has been loaded. If it has not, the adapter cannot verify it yet.
 */
export async function breakpointSet(
  services: Services,
  { key }: SessionState,
  breakpoint: HostBreakpoint | undefined,
  signal: AbortSignal,
  loaded = true,
): Promise<void> {
  const isSet = (session: SessionState): boolean => {
    if (breakpoint === undefined) return true;
    const bound = services.breakpoints.boundIn(breakpoint, [session]);
    return bound.some(({ adapter }) => adapter.verified || !loaded);
  };
  await answered(services, key, isSet, signal);
}

/**
 * Waits until the adapter has the list without the removed breakpoint, until the session has ended, or until a time
 * limit. An adapter may mix up lists for one file that arrive together.
 */
export async function breakpointGone(
  services: Services,
  { key }: SessionState,
  breakpoint: HostBreakpoint,
  signal: AbortSignal,
): Promise<void> {
  const isGone = (session: SessionState): boolean =>
    services.breakpoints.boundIn(breakpoint, [session]).length === 0;
  await answered(services, key, isGone, signal);
}

async function answered(
  { model }: Services,
  key: string,
  isDone: (session: SessionState) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const find = (): true | undefined => {
    const session = model.state.sessions.get(key);
    if (session === undefined) return true;
    return (!isSettingBreakpoints(session) && isDone(session)) || undefined;
  };
  await model.wait(find, { timeoutMs: ANSWER_LIMIT_MS, signal }).settled;
}
