import { strict as assert } from 'node:assert';
import { fields, type Fields } from '../../../src/debugger/protocol';
import type { Answer } from './asking';
import type { Bench } from './services';

/** A generous limit: the faults that these tests detect take minutes or never end. */
const MAX_MS = 10_000;
export const HUGE = 100_000_000;
const FILLED = Buffer.alloc(HUGE, 'v');

/** A text that the engine stores as one flat string, like a string from JSON. */
export function text(characters: number, end = ''): string {
  return FILLED.toString('latin1', 0, characters) + end;
}

export function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Fails if an action uses too much processor time. Wall time does not count, because the machine may be busy. */
export async function bounded<T>(action: () => Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  const value = await action();
  const { user, system } = process.cpuUsage(before);
  const milliseconds = (user + system) / 1000;
  assert.ok(milliseconds < MAX_MS, `${Math.round(milliseconds)} ms`);
  return value;
}

export function stopOf(answer: Answer): Fields {
  assert.equal(answer.status, 'stopped', JSON.stringify(answer).slice(0, 1000));
  return fields(answer['stop_event_data']);
}

export function omittedOf(holder: Fields): Fields {
  return fields(holder['omitted']);
}

export function listIn(holder: Fields, key: string): readonly Fields[] {
  return holder[key] as Fields[];
}

/** A reference to a container with the given child counts from the adapter. */
export function container(
  on: Bench,
  counts: { indexedVariables?: number; namedVariables?: number } = {},
): number {
  const { inspector } = on.services;
  return inspector.handles.variables(inspector.placeOf(on.session(), 1), 7, 10, {
    indexedVariables: counts.indexedVariables,
    namedVariables: counts.namedVariables,
  });
}
