import type { TemporaryBreakpoint } from '../../../control/temporaryBreakpoints';
import type { ToolServices } from '../../services';
import { breakpointSet } from '../breakpointPlacement';
import { handlerPlace } from './handlerPlace';
import type { ThreadStack } from './threadStack';

type Services = Pick<ToolServices, 'model' | 'breakpoints' | 'control' | 'workspace'>;

/**
 * A breakpoint where an exception that leaves a JavaScript call is caught. V8 does not stop there when it steps into a
 * line that throws.
 */
export class HandlerStop {
  private constructor(
    private readonly services: Services,
    private readonly temporary: TemporaryBreakpoint,
  ) {}

  /** Returns undefined if no caller catches exceptions, or if a breakpoint of the person is there, which stops, too. */
  static async set(
    services: Services,
    entry: ThreadStack,
    signal: AbortSignal,
  ): Promise<HandlerStop | undefined> {
    const place = await handlerPlace(services, entry);
    if (place === undefined || services.breakpoints.at(place.path, place.line).length > 0)
      return undefined;
    const temporary = services.control.temporary.add({ kind: 'source', ...place });
    await breakpointSet(services, entry.session, temporary.breakpoint, signal);
    return new HandlerStop(services, temporary);
  }

  /** Whether a stop is at this breakpoint only. @param hit the ids of the breakpoints that the stop hit */
  isHit(hit: readonly number[]): boolean {
    const id = this.services.breakpoints.idOf(this.temporary.breakpoint);
    return hit.length > 0 && hit.every((other) => other === id);
  }

  dispose(): void {
    this.temporary.dispose();
  }
}
