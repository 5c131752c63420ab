import { adapterOf } from '../../../debugger/adapters/registry';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import { READING_FIELDS } from '../../../debugger/inspection/pythonFields';
import { countOf, textOf } from '../../../debugger/protocol';
import { samePath } from '../../../debugger/sourcePath';
import type { ToolServices } from '../../services';
import { blockEnd, catchAround, caughtName, type SourceLines } from './branches';
import { isSameFrame, type ThreadStack } from './threadStack';

/** A source file as far as its lines are known. */
export interface KnownSource {
  readonly path: string | undefined;
  readonly source: SourceLines;
}

/** Returns the source of the file that a thread is in. It is often that of the call. */
export async function sourceAt(
  { workspace }: Pick<ToolServices, 'workspace'>,
  called: KnownSource,
  now: ThreadStack | undefined,
): Promise<KnownSource> {
  const path = now?.top.path;
  if (path === undefined || samePath(path, called.path ?? '')) return called;
  return { path, source: (await workspace.readSource(path))?.lines ?? [] };
}

/** Whether a thread that has left a call is at a place of a file where an exception is caught. */
export function isCaught(
  { source, path }: KnownSource,
  caller: Frame | undefined,
  { top }: ThreadStack,
): boolean {
  if (top.path === undefined || !samePath(top.path, path ?? '')) return false;
  const header = catchAround(source, top.line);
  if (header === undefined) return false;
  // The caller may have made the call in that block.
  return caller === undefined || caller.line < header || caller.line > blockEnd(source, header);
}

/** Whether a thread is in a block that catches exceptions. */
export function isInHandler({ source }: KnownSource, { top }: ThreadStack): boolean {
  return catchAround(source, top.line) !== undefined;
}

/** Returns the name under which the source catches the exception at a thread's place. */
export function nameCaughtAt(
  { source, path }: KnownSource,
  { top }: ThreadStack,
): string | undefined {
  if (top.path === undefined || !samePath(top.path, path ?? '')) return undefined;
  const header = catchAround(source, top.line);
  return header === undefined ? undefined : caughtName(source[header - 1]);
}

/** How a thread has left a call. */
export interface HowLeft {
  readonly hasThrown: boolean;
  /** The exception that has left the call, if it is known. */
  readonly exception?: string | undefined;
  /** The reference of an object with the last variables of the call. 0 if there is none. */
  readonly reference: number;
}

/**
 * Evaluates in the program how a thread has left a call.
 * @param left the frame of the call
 * @returns undefined if the adapter cannot tell
 */
export async function howLeft(
  { inspector }: Pick<ToolServices, 'inspector'>,
  { name, path = '' }: Pick<Frame, 'name' | 'path'>,
  { session, top }: ThreadStack,
  signal: AbortSignal,
): Promise<HowLeft | undefined> {
  const { leftCall } = adapterOf(session.type);
  if (leftCall === undefined) return undefined;
  const args = {
    expression: leftCall.expression({ name, path, fields: READING_FIELDS }),
    frameId: top.id,
    context: 'repl',
  };
  const answer = await inspector
    .sendUnique(session, 'evaluate', args, signal)
    .catch(() => undefined);
  const how = leftCall.read(textOf(answer?.['result']) ?? '');
  return how && { ...how, reference: countOf(answer?.['variablesReference']) ?? 0 };
}

/**
 * Whether a thread has returned from a call together with its caller, without another stop in the caller.
 * @param left the last stop in the call
 */
export async function hasReturnedWithCaller(
  services: Pick<ToolServices, 'inspector'>,
  { callers }: ThreadStack,
  now: ThreadStack,
  signal: AbortSignal,
): Promise<boolean> {
  const remaining = [now.top, ...now.callers];
  for (const caller of callers) {
    if (remaining.some((frame) => isSameFrame(frame, caller))) return false;
    const left = await howLeft(services, caller, now, signal);
    if (left !== undefined) return !left.hasThrown;
  }
  return false;
}
