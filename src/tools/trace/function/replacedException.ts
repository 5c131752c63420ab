import path from 'node:path';
import { adapterOf } from '../../../debugger/adapters/registry';
import { inThread } from '../../../syntax/reading';
import type { ToolServices } from '../../services';
import type { ThreadStack } from './threadStack';
import type { isReplacedAt } from './source/javascriptHandlers';

/**
 * Whether the traced call, or a function that it has called, replaces the exception at which a JavaScript thread has
 * stopped: by a `return` in a `finally`, for example. The call then goes on.
 * @param total the number of frames at the beginning of the call
 */
export async function isReplaced(
  { workspace }: Pick<ToolServices, 'workspace'>,
  total: number | undefined,
  { session, top, callers, total: now }: ThreadStack,
): Promise<boolean> {
  if (adapterOf(session.type).recorder !== 'javascript') return false;
  if (total === undefined || now === undefined || now < total) return false;
  for (const frame of [top, ...callers].slice(0, now - total + 1)) {
    const { path: file } = frame;
    if (file === undefined || !path.isAbsolute(file)) continue;
    const source = await workspace.readSource(file);
    if (source === undefined) continue;
    const { line, column } = frame;
    const text = source.lines.join('\n');
    if (await inThread<typeof isReplacedAt>('isReplacedAt', text, file, { line, column }))
      return true;
  }
  return false;
}
