import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isFields } from '../../../src/debugger/protocol';
import type { DebugEvent } from '../../../src/debugger/state';

/** The project's root, from `out/test/unit/support`. */
export const ROOT = path.resolve(__dirname, '../../../..');

const TYPES: ReadonlySet<unknown> = new Set(['session_created', 'to_adapter', 'from_adapter', 'adapter_failed', 'adapter_exited', 'session_ended']);

/** The events of a recorded trace, in their order. */
export function readTrace(name: string): readonly DebugEvent[] {
  const text = readFileSync(path.join(ROOT, 'test/unit/traces', name), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const event: unknown = JSON.parse(line);
      assert.ok(isEvent(event), `not an event: ${line.slice(0, 100)}`);
      return event;
    });
}

function isEvent(value: unknown): value is DebugEvent {
  return isFields(value) && TYPES.has(value['type']) && typeof value['key'] === 'string' && typeof value['at'] === 'number';
}
