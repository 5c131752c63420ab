import type { StopPrefetch } from '../debugger/inspection/prefetch';
import type { DebugModel, Settled, Wait } from '../debugger/state/debugModel';
import type { DebugState } from '../debugger/state/state';
import type { Cancelled, LinePrinted, RunLimits, TimedOut } from './outcome';

/**
 * Finds the printed line that ends a wait. It is called immediately and after each change. If it throws, the wait
 * fails.
 */
export type FindLine<Line> = () => Line | undefined;

/** Arms waits for the program's next outcome. */
export class Waits {
  constructor(
    private readonly model: DebugModel,
    private readonly prefetch: Pick<StopPrefetch, 'expect'>,
  ) {}

  /** Arms a wait. The data that `prefetch` names is requested as soon as the stop arrives. */
  arm<T>(
    select: (state: DebugState) => T | undefined,
    { deadline, signal, prefetch }: RunLimits,
  ): Wait<T> {
    const over = prefetch === undefined ? undefined : this.prefetch.expect(prefetch, signal);
    const timeoutMs = Math.max(0, deadline - performance.now());
    const wait = this.model.wait(select, { timeoutMs, signal });
    if (over !== undefined) void wait.settled.then(over, over);
    return wait;
  }
}

/** Converts the end of a wait to an outcome. */
export async function outcomeOf<T>(wait: Wait<T>): Promise<T | TimedOut | Cancelled> {
  const settled: Settled<T> = await wait.settled;
  return settled.kind === 'found' ? settled.value : { kind: settled.kind };
}

/** Lets a printed line end a wait as well. The line takes precedence. */
export function orPrinted<T, Line>(
  select: (state: DebugState) => T | undefined,
  find: FindLine<Line> | undefined,
): (state: DebugState) => T | LinePrinted<Line> | undefined {
  if (find === undefined) return select;
  return (state) => {
    const line = find();
    return line === undefined ? select(state) : { kind: 'printed', line };
  };
}
