import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { call, stopOf, type StopData } from '../support/client';

/** The longest wait for a debugger of another language. */
export const WAIT = { timeout_seconds: 120 };

/** Starts a program of a few lines, and stops it at the line that contains `stop here`. */
export async function stoppedIn(
  folder: string,
  name: string,
  lines: readonly string[],
  more: object = {},
): Promise<StopData> {
  const file = path.join(folder, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  await call('set_breakpoint', {
    file_path: file,
    line_number: lines.findIndex((each) => each.includes('stop here')) + 1,
  });
  return stopOf(await call('start_debugging', { program: file, ...WAIT, ...more }));
}

export interface StackEntry {
  readonly frame_id: number;
  readonly function_name: string;
  readonly folded?: number;
  readonly start_frame?: number;
  readonly variables?: Record<string, string>;
}

/** The call stack of the stopped thread. */
export const stackOf = async (input: object = {}): Promise<readonly StackEntry[]> =>
  (await call('get_call_stack', input))['call_stack'] as StackEntry[];
