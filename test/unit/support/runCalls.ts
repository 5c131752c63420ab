import { strict as assert } from 'node:assert';
import { isFields, type Fields } from '../../../src/debugger/protocol';
import type { ToolResult } from '../../../src/tools/defineTool';
import { runTool } from '../../../src/tools/run';
import type { Call } from '../../../src/tools/services';
import { toolNamed } from './asking';
import type { Bench } from './services';

/** Calls a tool that continues, pauses, waits for or ends the program. */
export function call(
  on: Bench,
  name: string,
  input: object,
  more: Partial<Call> = {},
): Promise<ToolResult> {
  return runTool(toolNamed(name), input, on.services, { ...on.call, ...more });
}

export function step(on: Bench, more: object = {}, call_: Partial<Call> = {}): Promise<ToolResult> {
  return call(on, 'step_execution', { thread_id: 1, step_type: 'over', ...more }, call_);
}

/** The stop that a result reports. */
export function stopOf(result: ToolResult): Fields {
  assert.equal(result.status, 'stopped', JSON.stringify(result));
  assert.ok(isFields(result['stop_event_data']));
  return result['stop_event_data'];
}

/** Waits until everything that needs no message from outside has finished. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The adapter reports a stop. */
export function stops(on: Bench, reason = 'step', threadId = 1): void {
  on.host.emit('stopped', { reason, threadId });
}
