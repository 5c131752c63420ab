import { adapterOf } from '../../../debugger/adapters/registry';
import type { ToolServices } from '../../services';
import { evaluated } from './evaluated';
import { valueBehind } from './valueBehind';
import type { TracedFunction } from './callModel';
import { isSameFrame, type ThreadStack } from './threadStack';
import { functionsIn, javaScriptProgramCalls } from './source/functionsIn';
import { stackOrEnd, type Traced } from './traceEnd';

type Services = Pick<ToolServices, 'inspector' | 'model' | 'workspace'>;

/**
 * Adds the value that a JavaScript call returned if the debugger did not show it. V8 shows no value at a `return` within
 * a `for-of` loop or a `try` with `finally`. The caller may still have it: see `valueBehind`.
 */
export async function withAssignedValue(
  services: Services,
  called: TracedFunction,
  entry: ThreadStack,
  traced: Traced,
  signal: AbortSignal,
): Promise<Traced> {
  const { history, last, endedBy } = traced;
  if (history.end.kind !== 'returned' || history.end.value !== undefined) return traced;
  if (endedBy !== undefined || last === undefined || called.suspends !== undefined) return traced;
  if (adapterOf(entry.session.type).recorder !== 'javascript') return traced;
  const value = await assignedValue(services, entry, last, history.name, signal);
  return value === undefined
    ? traced
    : { ...traced, history: { ...history, end: { kind: 'returned', value } } };
}

async function assignedValue(
  { inspector, model, workspace }: Services,
  { top, callers: [caller], total }: ThreadStack,
  last: ThreadStack,
  called: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { session, threadId } = last;
  if (caller?.path === undefined || !isSameFrame(caller, last.top)) return undefined;
  // The frame may be that of another call of the function.
  if (isSameFrame(caller, top)) return undefined;
  if (total !== undefined && last.total !== undefined && last.total !== total - 1) return undefined;
  const lines = (await workspace.readSource(caller.path))?.lines ?? [];
  const text = lines.join('\n');
  const found = valueBehind(
    {
      lines,
      functions: (await functionsIn(caller.path, text)) ?? [],
      calls: await javaScriptProgramCalls(caller.path, text),
    },
    { called: caller.line, stopped: last.top.line },
    called.split('.').at(-1) ?? called,
  );
  if (found === undefined) return undefined;
  // V8 does not list the variables of a module with the frame. To evaluate a name runs no code of the program.
  if (found.variable !== undefined && found.isOutside)
    return await evaluated({ inspector }, last, found.variable, signal);
  const now = await stackOrEnd({ inspector, model }, session.key, threadId, signal, 'variables');
  if (typeof now === 'string') return undefined;
  return found.variable === undefined ? now.returned[0]?.value : now.values.get(found.variable);
}
