import { strict as assert } from 'node:assert';
import { fields, type Fields } from '../../../src/debugger/protocol';
import { type Answer } from './asking';

export const omittedOf = (answer: Answer): Fields => fields(answer['omitted']);

export const stopOf = (answer: Answer): Fields => {
  assert.equal(answer.status, 'stopped', JSON.stringify(answer));
  return fields(answer['stop_event_data']);
};

/** Values that an adapter may send in place of the expected type. */
export const NONSENSE: readonly unknown[] = [
  undefined,
  null,
  5,
  -1,
  1.5,
  Number.NaN,
  Infinity,
  1e300,
  '',
  'text',
  true,
  [],
  [1],
  {},
  { length: 3 },
  { 0: 'a' },
];
