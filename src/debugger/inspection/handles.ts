import { DebuggerError, type ReferenceKind } from '../debuggerError';
import type { DebugModel } from '../state/debugModel';
import type { LoggedObjects } from '../output/outputLog';
import { validSince, type SessionState } from '../state/state';

/** The place of a frame or a variable container: one thread of one session, at one stop. */
export interface Place {
  readonly sessionKey: string;
  readonly threadId: number;
  /**
   * The epoch since which it is valid, see `validSince`. For printed objects, the session's `epochOf.resume` at that
   * time.
   */
  readonly epoch: number;
  /** Whether the place belongs to printed objects, which have no thread and no stop. */
  readonly isPrinted?: true | undefined;
}

export interface FrameHandle extends Place {
  readonly kind: 'frame';
  /** The adapter's own frame id. */
  readonly frameId: number;
  /** The frame's description for the person. */
  readonly named?: FrameName | undefined;
}

export interface FrameName {
  readonly functionName: string;
  readonly file: string | undefined;
  /** The whole path of the file, if it has one. */
  readonly path?: string | undefined;
  readonly line: number;
}

export interface VariablesHandle extends Place {
  readonly kind: 'variables';
  /** The adapter's own variables reference. */
  readonly reference: number;
  /** The adapter's id of the frame from which it was reached, if there is one. */
  readonly frameId: number | undefined;
  /** The frame of a scope. Some adapters have the same references in all frames. */
  readonly scopeOf?: number | undefined;
  /** The expression for the container, if it is known and short enough for a person to read. */
  readonly expression?: string | undefined;
  /** The numbers of the container's members, if the adapter reports them. */
  readonly indexedVariables?: number | undefined;
  readonly namedVariables?: number | undefined;
  /** Set for a value that is computed only when it is read (a getter), with its expression if it has one. */
  readonly lazy?: { readonly expression: string | undefined } | undefined;
}

/**
 * The properties that an adapter reports about a container in addition to its reference. DAP "Variable", "Scope",
 * "evaluate".
 */
export interface MemberCounts {
  readonly indexedVariables: number | undefined;
  readonly namedVariables: number | undefined;
  readonly lazy?: boolean | undefined;
  readonly evaluateName?: string | undefined;
}

type Handle = FrameHandle | VariablesHandle;

/**
 * Numbers for frames and variable containers. Callers may keep them. Each number is assigned once in a window's
 * lifetime, so a number from an earlier stop or another session is never mistaken for a current one. DAP "Lifetime of
 * Objects References".
 */
export class HandleTable {
  private readonly handles = new Map<number, Handle>();
  private readonly numbers = new Map<string, number>();
  private last = 0;
  /** The stop of the newest frame. When a frame of another stop is added, stale handles are removed. */
  private newestStop = '';

  constructor(private readonly model: DebugModel) {}

  get size(): number {
    return this.handles.size;
  }

  frame(place: Place, frameId: number, named?: FrameName): number {
    const { sessionKey, threadId, epoch } = place;
    return this.number({ sessionKey, threadId, epoch, kind: 'frame', frameId, named });
  }

  /** The number of a container; 0 for a reference of 0, which means that there is nothing to expand. */
  variables(
    place: Place,
    reference: number,
    frameId: number | undefined,
    counts?: MemberCounts,
    scopeOf?: number,
  ): number {
    const { sessionKey, threadId, epoch, isPrinted } = place;
    return reference > 0
      ? this.number({
          sessionKey,
          threadId,
          epoch,
          isPrinted,
          kind: 'variables',
          reference,
          frameId,
          scopeOf,
          expression: readable(counts?.evaluateName),
          indexedVariables: counts?.indexedVariables,
          namedVariables: counts?.namedVariables,
          lazy: counts?.lazy === true ? { expression: counts.evaluateName } : undefined,
        })
      : 0;
  }

  /**
   * The error for a container that is not read because reading it would run code of the program. Undefined for all
   * other containers.
   */
  refusalOf(place: Place, reference: number): DebuggerError | undefined {
    const handle = this.handles.get(
      this.numbers.get(keyOf({ ...place, kind: 'variables', reference, frameId: undefined })) ?? 0,
    );
    if (handle?.kind !== 'variables' || handle.lazy === undefined) return undefined;
    const {
      lazy: { expression },
      frameId,
    } = handle;
    const frame = frameId === undefined ? undefined : this.frame(place, frameId);
    return new DebuggerError({ kind: 'lazyValue', expression, frame });
  }

  /** The number of logged objects; 0 if they can no longer be read. */
  logged(session: SessionState, { reference, epoch }: LoggedObjects): number {
    const place: Place = { sessionKey: session.key, threadId: 0, epoch, isPrinted: true };
    return isCurrent(session, place) ? this.variables(place, reference, undefined) : 0;
  }

  /** @throws DebuggerError `staleReference`, `unknownReference` */
  resolveFrame(number: number): { handle: FrameHandle; session: SessionState } {
    const { handle, session } = this.resolve(number, 'frame');
    if (handle.kind !== 'frame') throw unknownReference('frame', number);
    return { handle, session };
  }

  /** @throws DebuggerError `staleReference`, `unknownReference` */
  resolveVariables(number: number): { handle: VariablesHandle; session: SessionState } {
    const { handle, session } = this.resolve(number, 'variables');
    if (handle.kind !== 'variables') throw unknownReference('variables', number);
    return { handle, session };
  }

  /** Removes stale handles. Called when a new stop adds its first frame, so that old handles do not accumulate. */
  prune(): void {
    for (const [number, handle] of this.handles) {
      if (this.holder(handle) !== undefined) continue;
      this.handles.delete(number);
      this.numbers.delete(keyOf(handle));
    }
  }

  private resolve(
    number: number,
    reference: ReferenceKind,
  ): { handle: Handle; session: SessionState } {
    const handle = this.handles.get(number);
    if (handle === undefined)
      throw number >= 1 && number <= this.last
        ? staleReference(reference, number)
        : unknownReference(reference, number);
    const session = this.holder(handle);
    if (session === undefined) throw staleReference(reference, number);
    return { handle, session };
  }

  /** The session of a handle, if the thread is still at the handle's stop. */
  private holder(handle: Handle): SessionState | undefined {
    const session = this.model.state.sessions.get(handle.sessionKey);
    return session !== undefined && isCurrent(session, handle) ? session : undefined;
  }

  private number(handle: Handle): number {
    const key = keyOf(handle);
    const existing = this.numbers.get(key);
    if (existing !== undefined) return existing;
    if (handle.kind === 'frame') {
      const stop = placeKeyOf(handle);
      if (stop !== this.newestStop) this.prune();
      this.newestStop = stop;
    }
    this.last += 1;
    this.handles.set(this.last, handle);
    this.numbers.set(key, this.last);
    return this.last;
  }
}

/**
 * The maximum length of an expression. Longer expressions are not stored. They are not cut, because a part would name
 * another value.
 */
const MAX_OF_AN_EXPRESSION = 200;

function readable(expression: string | undefined): string | undefined {
  return (expression?.length ?? 0) > MAX_OF_AN_EXPRESSION ? undefined : expression;
}

/** Whether a thread is still at the place. */
export function isCurrent(session: SessionState, place: Place): boolean {
  if (place.isPrinted === true)
    return session.epochOf.resume === place.epoch && session.lifecycle !== 'terminated';
  return validSince(session, place.threadId) === place.epoch;
}

function keyOf(handle: Handle): string {
  const inner =
    handle.kind === 'frame' ? handle.frameId : `${handle.reference}/${handle.scopeOf ?? ''}`;
  return `${handle.kind}/${placeKeyOf(handle)}/${inner}`;
}

function placeKeyOf({ sessionKey, threadId, epoch, isPrinted }: Place): string {
  return `${sessionKey}/${isPrinted === true ? 'printed' : threadId}/${epoch}`;
}

function staleReference(reference: ReferenceKind, number: number): DebuggerError {
  return new DebuggerError({ kind: 'staleReference', reference, number });
}

function unknownReference(reference: ReferenceKind, number: number): DebuggerError {
  return new DebuggerError({ kind: 'unknownReference', reference, number });
}
