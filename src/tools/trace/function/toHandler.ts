import { isUncaught } from '../../../debugger/breakpoints/exceptionBreakpoints';
import type { ToolServices } from '../../services';
import { isInTry } from './branches';
import type { ThreadStack } from './threadStack';
import { isOwn } from './ownFrames';
import { howLeft } from './thrownOut';

type Services = Pick<ToolServices, 'inspector' | 'workspace' | 'exceptions' | 'stops'>;

/** A place of the program, or the end of its run, with the exception that is known there. */
interface Place {
  readonly now: ThreadStack | undefined;
  readonly exception?: string | undefined;
}

/**
 * Runs a Python program from the end of a call, which an exception has left, to the place where the exception is known:
 * where one of the person's own functions handles it, or where the debugger reports it as uncaught. If there is no such
 * place, the program does not move.
 * @param entry the beginning of the call
 * @param move makes one step from a stop
 */
export async function toHandler<T extends Place>(
  services: Services,
  entry: ThreadStack,
  left: T,
  move: (now: ThreadStack) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const canMove = await isReported(services, entry);
  let place = left;
  for (let moves = 0; place.now !== undefined; moves += 1) {
    const how = await howLeft(services, entry.top, place.now, signal);
    if (how?.exception !== undefined) return { ...place, exception: how.exception };
    if (!canMove || how?.hasThrown === false || moves > entry.callers.length) return place;
    place = await move(place.now);
  }
  return place;
}

/** Whether the program stops where an exception that leaves a call is handled or reported as uncaught. */
async function isReported(services: Services, { session, callers }: ThreadStack): Promise<boolean> {
  for (const frame of callers) {
    // A library may handle any exception.
    if (!isOwn(services, frame) || frame.path === undefined) return false;
    const source = await services.workspace.readSource(frame.path);
    if (source !== undefined && isInTry(source.lines, frame.line)) return true;
  }
  return services.exceptions.active(session).some(({ filter }) => isUncaught(filter));
}
