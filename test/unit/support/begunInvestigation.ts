import { strict as assert } from 'node:assert';
import { fields, listOf } from '../../../src/debugger/protocol';
import { ask, type Answer } from './asking';
import { printing } from './investigation';
import { bench, FILE, type Bench } from './services';

export const CRASH = [
  'drawn 12 cells',
  'TypeError: board.cells is undefined',
  `    at draw (${FILE}:3:5)`,
  'bye',
].join('\n');

/** A bench with an investigation that has begun. */
export interface Begun extends Bench {
  readonly sid: string;
}

/** Begins an investigation whose commands print `output`. */
export async function begun(output = CRASH, exitCode = 1): Promise<Begun> {
  const on = bench();
  on.investigation.commands = printing(() => `${output}\n`, exitCode);
  const { sid } = await ask(on, 'start_session', { title: 'The board stays empty' });
  assert.ok(typeof sid === 'string');
  return { ...on, sid };
}

/** The stored record of the investigation. */
export async function meta(
  on: Begun,
): Promise<Awaited<ReturnType<Bench['services']['investigation']['investigations']['find']>>> {
  return await on.services.investigation.investigations.find(on.sid);
}

/** The candidate chunks of an answer. */
export const chunksOf = (
  answer: Answer,
): readonly {
  readonly id: string;
  readonly title: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}[] =>
  listOf(answer['candidateChunks']).map((each) => ({
    id: String(fields(each)['id']),
    title: String(fields(each)['title']),
    metadata: fields(fields(each)['metadata']),
  }));

/** Asserts that an answer is an error in the form that the founding document requires. */
export const isError = (answer: Answer, code: string): void =>
  assert.deepEqual(
    [answer.status, answer['isError'], answer['code']],
    ['error', true, code],
    JSON.stringify(answer),
  );
