import type { FrameHandle } from '../../debugger/inspection/handles';
import { nameOfEntry } from '../../debugger/inspection/stackAndVariables';
import type { SessionState } from '../../debugger/state/state';
import { numberOf } from '../../debugger/protocol';
import type { ToolServices } from '../services';
import { checkOwner } from '../target';

/** A container of variables in the adapter's numbers; of a scope, the frame that it belongs to. */
export interface Container {
  readonly reference: number;
  readonly scopeOf: number | undefined;
  /** What evaluates to it, where that is known. */
  readonly expression?: string | undefined;
}

/** The innermost scope of a frame that holds a variable of this name; expensive scopes are not read. */
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
 * The container that a caller named. Another session's adapter may have one of the same number.
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
