import { DebuggerError, type ReferenceKind } from '../debuggerError';
import type { DebugModel } from '../state/debugModel';
import type { LoggedObjects } from '../output/outputLog';
import { heldSince, type SessionState } from '../state/state';

/** Where a frame or a container of variables belongs: one thread of one session, held by one stop. */
export interface Place {
  readonly sessionKey: string;
  readonly threadId: number;
  /** Since when it is good, see `heldSince`; of what was printed, the session's `epochOf.resume` by then. */
  readonly epoch: number;
  /** What was printed belongs to no thread and no stop. */
  readonly isPrinted?: true | undefined;
}

export interface FrameHandle extends Place {
  readonly kind: 'frame';
  /** The adapter's own frame id. */
  readonly frameId: number;
  /** What a person calls it. */
  readonly named?: FrameName | undefined;
}

export interface FrameName {
  readonly functionName: string;
  readonly file: string | undefined;
  readonly line: number;
}

export interface VariablesHandle extends Place {
  readonly kind: 'variables';
  /** The adapter's own variables reference. */
  readonly reference: number;
  /** The adapter's frame that it was reached from, where there is one. */
  readonly frameId: number | undefined;
  /** Of a scope, its frame: some adapters have the same references in each frame. */
  readonly scopeOf?: number | undefined;
  /** What evaluates to it, where that is known and a person can read it. */
  readonly expression?: string | undefined;
  /** How many members it has, as far as its adapter said. */
  readonly indexedVariables?: number | undefined;
  readonly namedVariables?: number | undefined;
  /** Of a value that is computed only when it is read (a getter), with the expression for it, where it has one. */
  readonly lazy?: { readonly expression: string | undefined } | undefined;
}

/** What an adapter said of a container beside its reference. DAP "Variable", "Scope", "evaluate". */
export interface MemberCounts {
  readonly indexedVariables: number | undefined;
  readonly namedVariables: number | undefined;
  readonly lazy?: boolean | undefined;
  readonly evaluateName?: string | undefined;
}

type Handle = FrameHandle | VariablesHandle;

/**
 * Numbers for frames and variable containers that callers may keep: each is given once in a window's life, so one of
 * an earlier stop or of another session can never be taken for one of now. DAP "Lifetime of Objects References".
 */
export class HandleTable {
  private readonly handles = new Map<number, Handle>();
  private readonly numbers = new Map<string, number>();
  private last = 0;
  /** Of which stop the newest frame is: when another's comes, what has become stale is forgotten. */
  private newestStop = '';

  constructor(private readonly model: DebugModel) {}

  get size(): number {
    return this.handles.size;
  }

  frame(place: Place, frameId: number, named?: FrameName): number {
    const { sessionKey, threadId, epoch } = place;
    return this.number({ sessionKey, threadId, epoch, kind: 'frame', frameId, named });
  }

  /** 0 stays 0: there is nothing to expand. */
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

  /** Why a container is not read: to read it would run code of the program. Undefined for all others. */
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

  /** For objects that were logged; 0 where they can no longer be read. */
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

  /** Forgets what is stale. Called when a new stop makes its first handle, so that old stops do not pile up. */
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

  /** The session, while the thread is still held by the handle's stop. */
  private holder(handle: Handle): SessionState | undefined {
    const session = this.model.state.sessions.get(handle.sessionKey);
    return session !== undefined && isCurrent(session, handle) ? session : undefined;
  }

  private number(handle: Handle): number {
    const key = keyOf(handle);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
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

/** Longer expressions are not kept: a part of one would name another value. */
const MOST_OF_AN_EXPRESSION = 200;

function readable(expression: string | undefined): string | undefined {
  return (expression?.length ?? 0) > MOST_OF_AN_EXPRESSION ? undefined : expression;
}

/** Whether a thread is still where it was when the place was noted. */
export function isCurrent(session: SessionState, place: Place): boolean {
  if (place.isPrinted === true)
    return session.epochOf.resume === place.epoch && session.lifecycle !== 'terminated';
  return heldSince(session, place.threadId) === place.epoch;
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
