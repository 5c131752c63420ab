import { strict as assert } from 'node:assert';
import { fields, type Fields } from '../../../src/debugger/protocol';
import type { Answer } from './asking';
import type { Bench } from './services';

/** Generous: what these tests are against takes minutes or does not end. */
const MOST_MS = 10_000;
export const HUGE = 100_000_000;
const FILLED = Buffer.alloc(HUGE, 'v');

/** A text that engines hold as one flat string, as it comes from JSON. */
export function text(characters: number, end = ''): string {
  return FILLED.toString('latin1', 0, characters) + end;
}

export function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Fails where an action keeps the processor busy for long. The machine may be busy with something else meanwhile. */
export async function bounded<T>(action: () => Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  const value = await action();
  const { user, system } = process.cpuUsage(before);
  const milliseconds = (user + system) / 1000;
  assert.ok(milliseconds < MOST_MS, `${Math.round(milliseconds)} ms`);
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

/** A reference to a container of which the adapter says what is given. */
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
