import type { FrameHandle } from '../../debugger/inspection/handles';
import { nameOfEntry } from '../../debugger/inspection/stackAndVariables';
import type { SessionState } from '../../debugger/state/state';
import { numberOf } from '../../debugger/protocol';
import type { ToolServices } from '../services';
import { checkOwner } from '../target';

/** A variable container with the adapter's own ids. */
export interface Container {
  readonly reference: number;
  /** The frame that the container belongs to, if it is a scope. */
  readonly scopeOf: number | undefined;
  /** An expression that evaluates to the container, if known. */
  readonly expression?: string | undefined;
}

/** Returns the innermost scope of a frame that has a variable with this name. Expensive scopes are not read. */
export async function scopeOfVariable(
  { inspector }: ToolServices,
  session: SessionState,
  frame: FrameHandle,
  name: string,
  signal: AbortSignal,
): Promise<Container | undefined> {
  const { scopes } = await inspector.scopes(session, frame, frame.frameId, signal);
  for (const scope of scopes) {
    if (scope.expensive || scope.reference === 0) continue;
    const members = await inspector.variables(
      session,
      frame,
      scope.reference,
      {},
      signal,
      frame.frameId,
    );
    if (members.some((member) => nameOfEntry(member) === name))
      return { reference: scope.reference, scopeOf: frame.frameId };
  }
  return undefined;
}

/**
 * Returns the container that a caller named. It checks the session, because the adapter of another session may use the
 * same number.
 * @throws DebuggerError `staleReference`, `unknownReference`; Failure `wrong_session`
 */
export function namedContainer(
  { inspector }: ToolServices,
  session: SessionState,
  reference: number,
): Container {
  const { handle, session: owner } = inspector.handles.resolveVariables(reference);
  checkOwner(owner, session, 'variables_reference');
  const { reference: own, scopeOf, expression } = handle;
  return { reference: own, scopeOf: numberOf(scopeOf), expression };
}
