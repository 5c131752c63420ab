import path from 'node:path';
import { inThread } from '../../../syntax/reading';
import type { ToolServices } from '../../services';
import type { ThreadStack } from './threadStack';
import type { handlerAround } from './source/javascriptHandlers';

/** A place at which an exception that leaves a call is caught. */
export interface HandlerPlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** The number of calling frames that are searched. */
const MAX_FRAMES = 10;

/**
 * Returns the place in the callers of a JavaScript call where an exception that leaves the call is caught. Undefined if
 * no caller with a readable source catches it, or if the debugger cannot stop there.
 */
export async function handlerPlace(
  { workspace }: Pick<ToolServices, 'workspace'>,
  { callers }: ThreadStack,
): Promise<HandlerPlace | undefined> {
  for (const frame of callers.slice(0, MAX_FRAMES)) {
    const { path: file } = frame;
    if (file === undefined || !path.isAbsolute(file)) continue;
    const source = await workspace.readSource(file);
    if (source === undefined) continue;
    const { line, column } = frame;
    const text = source.lines.join('\n');
    const handler = await inThread<typeof handlerAround>('handlerAround', text, file, {
      line,
      column,
    });
    if (handler === 'nowhere') return undefined;
    if (handler !== undefined) return { path: file, ...handler };
  }
  return undefined;
}
