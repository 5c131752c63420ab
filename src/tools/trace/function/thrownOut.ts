import { adapterOf } from '../../../debugger/adapters/registry';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import { textOf } from '../../../debugger/protocol';
import { samePath } from '../../../debugger/sourcePath';
import type { ToolServices } from '../../services';
import { blockEnd, catchAround, caughtName, type SourceLines } from './branches';
import type { Moment } from './moment';

/** A source file as far as its lines are known. */
export interface KnownSource {
  readonly path: string | undefined;
  readonly source: SourceLines;
}

/** Returns the source of the file that a thread is in. It is often that of the call. */
export async function sourceAt(
  { workspace }: Pick<ToolServices, 'workspace'>,
  called: KnownSource,
  now: Moment | undefined,
): Promise<KnownSource> {
  const path = now?.top.path;
  if (path === undefined || samePath(path, called.path ?? '')) return called;
  return { path, source: (await workspace.readSource(path))?.lines ?? [] };
}

/** Whether a thread that has left a call is at a place of a file where an exception is caught. */
export function isCaught(
  { source, path }: KnownSource,
  caller: Frame | undefined,
  { top }: Moment,
): boolean {
  if (top.path === undefined || !samePath(top.path, path ?? '')) return false;
  const header = catchAround(source, top.line);
  if (header === undefined) return false;
  // The caller may have made the call in that block.
  return caller === undefined || caller.line < header || caller.line > blockEnd(source, header);
}

/** Whether a thread is in a block that catches exceptions. */
export function isInHandler({ source }: KnownSource, { top }: Moment): boolean {
  return catchAround(source, top.line) !== undefined;
}

/** Returns the name under which the source catches the exception at a thread's place. */
export function nameCaughtAt({ source, path }: KnownSource, { top }: Moment): string | undefined {
  if (top.path === undefined || !samePath(top.path, path ?? '')) return undefined;
  const header = catchAround(source, top.line);
  return header === undefined ? undefined : caughtName(source[header - 1]);
}

/**
 * Evaluates in the program how a thread has left a call.
 * @param left a stop in the call
 * @returns undefined if the adapter cannot tell
 */
export async function howLeft(
  { inspector }: Pick<ToolServices, 'inspector'>,
  { top: { name, path = '' } }: Moment,
  { session, top }: Moment,
  signal: AbortSignal,
): Promise<{ readonly hasThrown: boolean; readonly exception?: string | undefined } | undefined> {
  const { leftCall } = adapterOf(session.type);
  if (leftCall === undefined) return undefined;
  const args = {
    expression: leftCall.expression({ name, path }),
    frameId: top.id,
    context: 'repl',
  };
  const answer = await inspector
    .sendUnique(session, 'evaluate', args, signal)
    .catch(() => undefined);
  const text = textOf(answer?.['result']);
  return text === undefined ? undefined : leftCall.read(text);
}
