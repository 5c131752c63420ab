import { adapterOf } from '../../../debugger/adapters/registry';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import type { ToolServices } from '../../services';
import { evaluated } from './evaluated';
import { isSameFrame, type ThreadStack } from './threadStack';

/** A panic that runs deferred functions. */
export interface Panic {
  readonly value: string | undefined;
  /** Whether the call itself has deferred the function, which may recover. Only closures in the call are recognized. */
  readonly isOwn: boolean;
}

/**
 * Reads the panic that has left a call, if a thread has stopped in a deferred function that the panic runs. The frames of
 * the call are still on the stack there.
 * @param call a stop in the call
 * @returns undefined if the stop is not in such a function
 */
export async function panicThrough(
  services: Pick<ToolServices, 'inspector'>,
  call: ThreadStack,
  now: ThreadStack,
  signal: AbortSignal,
): Promise<Panic | undefined> {
  const { session, top } = now;
  const { panics } = adapterOf(session.type);
  if (panics === undefined) return undefined;
  if (!isPanicBetween(call, now)) return undefined;
  const value = panics.read((await evaluated(services, now, panics.expression, signal)) ?? '');
  return { value, isOwn: top.name.startsWith(`${call.top.name}.`) };
}

/** Whether a stop is in a function that a panic runs which has passed through a call. */
export function isPanicBetween({ top, total }: ThreadStack, now: ThreadStack): boolean {
  // A deferred function may call the same function again. The number of frames is known only if all of them were read.
  const isCounted = total !== undefined && now.callers.length + 1 === now.total;
  return framesBelow(now).some(
    ({ frame, count }) => isSameFrame(frame, top) && (!isCounted || count === total),
  );
}

/**
 * Returns the frames below a panic that runs deferred functions, without those of the runtime, each with the number of
 * frames of the stack up to it.
 */
export function framesBelow({
  session,
  callers,
  total = 0,
}: ThreadStack): readonly { readonly frame: Frame; readonly count: number }[] {
  const at = callers.findIndex(({ name }) => name === adapterOf(session.type).panics?.frame);
  if (at < 0) return [];
  return callers
    .map((frame, index) => ({ frame, count: total - 1 - index }))
    .slice(at)
    .filter(({ frame }) => !isOfRuntime(frame));
}

/** Returns the function that the runtime has called at a stop. In Go, those are deferred functions. */
export function deferredAt({ session, top, callers }: ThreadStack): Frame | undefined {
  if (adapterOf(session.type).deferred === undefined) return undefined;
  const frames = [top, ...callers];
  const runtime = frames.findIndex(isOfRuntime);
  return runtime > 0 ? frames[runtime - 1] : undefined;
}

/** Whether a frame is of Go's runtime. */
export function isOfRuntime({ name }: Frame): boolean {
  return name.startsWith('runtime.');
}
