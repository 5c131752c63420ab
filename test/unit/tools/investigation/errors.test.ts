import { strict as assert } from 'node:assert';
import { ask, type Answer } from '../../support/asking';
import { bench, type Bench } from '../../support/services';

interface Begun extends Bench {
  readonly sid: string;
}

async function begun(): Promise<Begun> {
  const on = bench();
  const { sid } = await ask(on, 'start_session', { title: 'x' });
  return { ...on, sid: String(sid) };
}

const recorded = async (on: Begun) =>
  (await on.services.investigation.investigations.find(on.sid)).errors;

describe('an error of an investigation', () => {
  it('is kept with the message and the hint that the caller received', async () => {
    const on = await begun();
    const { message, hint } = await ask(on, 'analyze_capture', { sid: on.sid });
    assert.deepEqual(
      (await recorded(on)).map((error) => [error.message, error.hint]),
      [[message, hint]],
    );
  });

  it('is returned but not kept if the call has no id', async () => {
    const on = await begun();
    const answer: Answer = await ask(on, 'analyze_capture', {});
    assert.deepEqual([answer.status, answer['isError'], await recorded(on)], ['error', true, []]);
  });

  it('is not recorded if the call was cancelled', async () => {
    const on = await begun();
    on.cancel();
    const answer = await ask(on, 'analyze_capture', { sid: on.sid, captureId: 'c1' });
    assert.deepEqual([answer.status, 'isError' in answer], ['interrupted', false]);
    assert.deepEqual(await recorded(on), []);
  });
});
