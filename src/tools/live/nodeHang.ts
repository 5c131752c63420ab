import path from 'node:path';
import { textOf } from '../../debugger/protocol';
import { keptValue } from '../../debugger/texts';
import type { SessionState } from '../../debugger/state/state';
import type { Call, ToolServices } from '../services';
import { shortVariables } from '../core/callStack';
import { readReport, type HangReport, type ThreadGroup } from './hangReport';
import { NODE_PENDING } from './nodePending';
import { explainStacks } from './stackHang';
import type { Paused } from './programPause';

/**
 * Explains what a stopped JavaScript program waits for. An idle program has stopped only in the code that this call made
 * it run, so its event loop waits.
 */
export async function explainNode(
  services: ToolServices,
  { session, ours }: Paused,
  call: Call,
): Promise<HangReport> {
  const pending = await readPending(services, session, call);
  const stacks = await explainStacks(services, session, call);
  const variables = ours === undefined ? {} : await variablesOf(services, session, ours, call);
  const groups = (stacks.groups ?? []).map((group) => {
    const { file_path, line_number } = group.waits_for;
    if (ours === undefined)
      return { ...group, waits_for: { ...group.waits_for, kind: 'debugger' } };
    // The code that this call made the program run has no file.
    if (file_path === undefined || !path.isAbsolute(file_path))
      return { ...group, stack: [], waits_for: { kind: 'event_loop', what: 'see pending' } };
    const what = 'it runs JavaScript; nothing else runs in this thread until that returns';
    return { ...group, waits_for: { kind: 'running', what, file_path, line_number }, ...variables };
  });
  return {
    groups,
    ...pending,
    total: { ...stacks.total, ...pending?.total },
  };
}

/** The variables of the function that runs: they often say why it does not end. */
async function variablesOf(
  { inspector }: ToolServices,
  session: SessionState,
  thread: number,
  { signal }: Call,
): Promise<Pick<ThreadGroup, 'variables' | 'omitted_variables'>> {
  const place = inspector.placeOf(session, thread);
  const frame = await inspector.top(session, place, signal);
  return frame?.path === undefined
    ? {}
    : await shortVariables(inspector, session, place, frame, signal);
}

/** What Node itself knows: its handles, timers and requests. Undefined in a page. */
async function readPending(
  { inspector }: ToolServices,
  session: SessionState,
  call: Call,
): Promise<HangReport | undefined> {
  // js-debug cuts long values in all other contexts.
  const args = { expression: NODE_PENDING, context: 'clipboard' };
  const { result } = await inspector.send(session, 'evaluate', args, call.signal);
  return readReport(unquoted(keptValue(result) ?? ''));
}

/** The text of a value that js-debug shows as a string literal. */
function unquoted(literal: string): string {
  try {
    return textOf(JSON.parse(literal)) ?? literal;
  } catch {
    return literal;
  }
}
