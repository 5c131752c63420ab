import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isFields, readMessage, type ProtocolMessage } from '../../../src/debugger/protocol';
import type { DebugEvent } from '../../../src/debugger/state/state';

/** The project's root, from `out/test/unit/support`. */
export const ROOT = path.resolve(__dirname, '../../../..');

const TYPES: ReadonlySet<unknown> = new Set([
  'sessionCreated',
  'toAdapter',
  'fromAdapter',
  'adapterFailed',
  'adapterExited',
  'sessionEnded',
]);

const TRACES = path.join(ROOT, 'test/unit/traces');

/** The names of all recorded traces. */
export function traceNames(): readonly string[] {
  return readdirSync(TRACES)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
}

/** The events of a recorded trace, in their order. */
export function readTrace(name: string): readonly DebugEvent[] {
  const text = readFileSync(path.join(TRACES, name), 'utf8');
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
  return (
    isFields(value) &&
    TYPES.has(value['type']) &&
    typeof value['key'] === 'string' &&
    typeof value['at'] === 'number'
  );
}

/** The keys of a trace's sessions, in the order of their start. */
export function keysOf(trace: readonly DebugEvent[]): readonly string[] {
  return [...new Set(trace.map((event) => event.key))];
}

export function messageOf(event: DebugEvent): ProtocolMessage | undefined {
  return event.type === 'toAdapter' || event.type === 'fromAdapter'
    ? readMessage(event.message)
    : undefined;
}

/** The name of the event, or the command of the request or response. */
export function nameOf(event: DebugEvent): string | undefined {
  const message = messageOf(event);
  return message?.type === 'event' ? message.event : message?.command;
}

/** The messages of all sessions, mixed by `picks`. The order within each session is kept. */
export function mixedBy(
  picks: readonly number[],
  trace: readonly DebugEvent[],
): readonly DebugEvent[] {
  const queues = keysOf(trace).map((key) => trace.filter((event) => event.key === key));
  return picks.flatMap((pick) => {
    const waiting = queues.filter((queue) => queue.length > 0);
    return waiting[pick % Math.max(1, waiting.length)]?.shift() ?? [];
  });
}

/** Moves the event at index `at` behind `by` of the following events, as far as the protocol allows it. */
export interface Delay {
  readonly at: number;
  readonly by: number;
}

/**
 * The trace in another legal order: each event may move behind some that followed it. The messages of each side keep
 * their order, a response stays after its request, and a session's messages stay between its start and its end.
 */
export function delayedBy(
  delays: readonly Delay[],
  trace: readonly DebugEvent[],
): readonly DebugEvent[] {
  const mixed = [...trace];
  for (const { at, by } of delays) {
    for (let index = at; index < at + by; index += 1) {
      const [earlier, later] = [mixed[index], mixed[index + 1]];
      if (earlier === undefined || later === undefined || !areFree(earlier, later)) break;
      mixed.splice(index, 2, later, earlier);
    }
  }
  return mixed;
}

/** Whether two consecutive events could also have arrived in the opposite order. */
function areFree(earlier: DebugEvent, later: DebugEvent): boolean {
  if (earlier.key !== later.key) return true;
  const [one, other] = [messageOf(earlier), messageOf(later)];
  if (one === undefined || other === undefined || earlier.type === later.type) return false;
  return one.type !== 'request' || other.type !== 'response' || other.requestSeq !== one.seq;
}
