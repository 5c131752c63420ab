import path from 'node:path';
import { adapterOf } from '../../../debugger/adapters/registry';
import { textOf } from '../../../debugger/protocol';
import type { ToolServices } from '../../services';
import type { TracedFunction } from './callModel';
import type { Moment } from './moment';

/** The maximum number of variables that are read. Each one takes a request. */
const MOST_NAMES = 12;

/**
 * Returns the names of the variables outside of a function that its code may change: those found in its source, or those
 * that the debugger knows.
 * @param entry the beginning of a call
 */
export async function outsideNames(
  { inspector }: Pick<ToolServices, 'inspector'>,
  { captured }: TracedFunction,
  { session, top }: Moment,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const request = adapterOf(session.type).outsideNames;
  if (captured !== undefined || request === undefined || top.path === undefined)
    return captured ?? [];
  const expression = request.expression(top.line, path.basename(top.path));
  const args = { expression, frameId: top.id, context: 'repl' };
  const answer = await inspector
    .sendUnique(session, 'evaluate', args, signal)
    .catch(() => undefined);
  return request.read(textOf(answer?.['result']) ?? '');
}

/**
 * Adds the variables outside of a function that its frame does not show (DAP `evaluate`).
 * @param names the names of the variables. The debugger only reads them.
 */
export async function withCaptured(
  { inspector }: Pick<ToolServices, 'inspector'>,
  names: readonly string[],
  now: Moment,
  signal: AbortSignal,
): Promise<Moment> {
  const { session, top, values } = now;
  const missing = names.filter((name) => !values.has(name)).slice(0, MOST_NAMES);
  if (missing.length === 0) return now;
  const read = await Promise.all(
    missing.map(async (expression) => {
      const args = { expression, frameId: top.id, context: 'watch' };
      const answer = await inspector
        .sendUnique(session, 'evaluate', args, signal)
        .catch(() => undefined);
      const text = textOf(answer?.['result']);
      return text === undefined ? [] : [[expression, text] as const];
    }),
  );
  return { ...now, values: new Map([...values, ...read.flat()]) };
}
