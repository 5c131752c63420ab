import { adapterOf } from '../../../debugger/adapters/registry';
import { fields, textOf } from '../../../debugger/protocol';
import type { ToolServices } from '../../services';
import type { SourceLines } from './branches';
import type { Moment } from './moment';
import { assignedBy, callAt } from './recordedCallees';
import { functionsIn, javaScriptProgramCalls } from './source/functionsIn';
import { functionAround, type SourceCall } from './source/sourceFunction';
import { momentOrEnd, type Traced } from './traceEnd';

type Services = Pick<ToolServices, 'inspector' | 'model' | 'workspace'>;

/**
 * Adds the value that a JavaScript call returned if the debugger did not show it. V8 shows no value at a `return` within
 * a `for-of` loop or a `try` with `finally`. The variable to which the caller assigned the call has it.
 */
export async function withAssignedValue(
  services: Services,
  entry: Moment,
  traced: Traced,
  signal: AbortSignal,
): Promise<Traced> {
  const { life, last, endedBy } = traced;
  if (life.end.kind !== 'returned' || life.end.value !== undefined) return traced;
  if (endedBy !== undefined || last === undefined) return traced;
  if (adapterOf(entry.session.type).recorder !== 'javascript') return traced;
  const value = await assignedValue(services, entry, last, life.name, signal);
  return value === undefined
    ? traced
    : { ...traced, life: { ...life, end: { kind: 'returned', value } } };
}

async function assignedValue(
  { inspector, model, workspace }: Services,
  { top, callers: [caller] }: Moment,
  { session, threadId, top: { name, path } }: Moment,
  called: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (caller?.path === undefined || caller.name !== name || caller.path !== path) return undefined;
  // The frame may be that of another call.
  if (caller.name === top.name && caller.path === top.path) return undefined;
  const source = (await workspace.readSource(caller.path))?.lines ?? [];
  const calls = await callsAround(caller.path, source, caller.line);
  const call = callAt({ calls }, caller.line, called.split('.').at(-1) ?? called);
  if (call === undefined) return undefined;
  const now = await momentOrEnd({ inspector, model }, session.key, threadId, signal, 'variables');
  if (typeof now === 'string' || isChangedBefore(call, source, now.top.line)) return undefined;
  const shown = assignedBy(call, now.values, now.top.line, false);
  return shown ?? (await declaredValue(inspector, now, call, signal));
}

/** Reads a declared variable outside of functions. V8 does not list the variables of a module with the frame. */
async function declaredValue(
  inspector: Services['inspector'],
  { session, top }: Moment,
  { assigned: [name], isDeclared, block }: SourceCall,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (name === undefined || !isDeclared || block !== undefined) return undefined;
  const args = { expression: name, frameId: top.id, context: 'watch' };
  const answer = await inspector.sendUnique(session, 'evaluate', args, signal).catch(() => ({}));
  return textOf(fields(answer)['result']);
}

async function callsAround(
  file: string,
  source: SourceLines,
  line: number,
): Promise<readonly SourceCall[]> {
  const text = source.join('\n');
  const around = functionAround((await functionsIn(file, text)) ?? [], line);
  return around === undefined ? await javaScriptProgramCalls(file, text) : (around.calls ?? []);
}

/** Whether the program may have changed a call's variable before it reached a line. */
function isChangedBefore(
  { end, assigned }: SourceCall,
  source: SourceLines,
  line: number,
): boolean {
  const between = source.slice(end, line - 1);
  return line <= end || between.some((text) => assigned.some((name) => text.includes(name)));
}
