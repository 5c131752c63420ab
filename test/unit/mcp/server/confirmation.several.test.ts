import { strict as assert } from 'node:assert';
import { Interrupted } from '../../../../src/debugger/requests';
import { Confirmation } from '../../../../src/mcp/server/confirmation';
import type { Prepared } from '../../../../src/tools/preparedCalls';
import { bench, failsWith, FILE, paused } from '../../support/services';
import { CONTINUE, Person, tool } from '../../support/questions';

describe('questions of several calls', () => {
  const on = (): ReturnType<typeof bench> => paused(bench());
  const isRequired = (): boolean => true;
  const never = new AbortController().signal;
  const [ada, bo] = [{ name: 'ada' }, { name: 'bo' }];

  it('wait for each other across clients; a call that an earlier answer allows is not asked about again', async () => {
    const [person, { services }] = [new Person(), on()];
    const confirmation = new Confirmation({ isRequired, ask: person.ask });
    const confirm = async (caller: { readonly name: string }): Promise<Prepared> =>
      await confirmation.confirm(tool('continue_debugging'), CONTINUE, services, caller, never);
    const first = confirm(ada);
    await person.questions(1);
    const [second, third] = [confirm(ada), confirm(bo)];
    person.answer(0, 'all');
    assert.deepEqual([(await first).kind, (await second).kind], ['asked', 'allowed']);
    await person.questions(2);
    assert.equal(person.asked[1]?.client, 'bo');
    person.answer(1, 'allowed');
    assert.equal((await third).kind, 'asked');
    assert.equal(person.asked.length, 2);
  });

  it('are not asked for a call that is cancelled while it waits', async () => {
    const [person, { services }] = [new Person(), on()];
    const confirmation = new Confirmation({ isRequired, ask: person.ask });
    const cancelled = new AbortController();
    const first = confirmation.confirm(tool('continue_debugging'), CONTINUE, services, ada, never);
    await person.questions(1);
    const second = confirmation.confirm(
      tool('continue_debugging'),
      CONTINUE,
      services,
      bo,
      cancelled.signal,
    );
    const third = confirmation.confirm(tool('pause_debugging'), {}, services, bo, never);
    cancelled.abort();
    const ended = await second;
    assert.ok(ended.kind === 'refused' && ended.failure instanceof Interrupted);
    person.answer(0, 'allowed');
    await first;
    await person.questions(2);
    assert.match(person.asked[1]?.question.message ?? '', /^Pause/);
    person.answer(1, 'allowed');
    await third;
  });

  it('do not keep a call waiting longer than its client does; the question is asked when the call is repeated', async () => {
    const [person, { services }] = [new Person(), on()];
    const confirmation = new Confirmation({ isRequired, ask: person.ask, patienceMilliseconds: 1 });
    const confirm = async (caller: { readonly name: string }): Promise<Prepared> =>
      await confirmation.confirm(tool('continue_debugging'), CONTINUE, services, caller, never);
    await assert.rejects(confirm(ada), failsWith('not_confirmed_yet'));
    await assert.rejects(confirm(bo), { code: 'not_confirmed_yet', message: /another call/ });
    assert.equal(person.asked.length, 1);
    person.answer(0, 'declined');
    await assert.rejects(confirm(bo), failsWith('not_confirmed_yet'));
    assert.deepEqual(
      person.asked.map(({ client }) => client),
      ['ada', 'bo'],
    );
  });

  it('describe the current state of the program after a wait', async () => {
    const [person, here] = [new Person(), on()];
    const confirmation = new Confirmation({ isRequired, ask: person.ask });
    const first = confirmation.confirm(
      tool('set_breakpoint'),
      { file_path: FILE, line_number: 1 },
      here.services,
      ada,
      never,
    );
    await person.questions(1);
    const second = confirmation.confirm(
      tool('set_breakpoint'),
      { file_path: FILE, line_number: 2 },
      here.services,
      bo,
      never,
    );
    here.workspace.files.set(FILE, 'new one\nnew two');
    person.answer(0, 'allowed');
    await first;
    await person.questions(2);
    assert.match(person.asked[1]?.question.message ?? '', /new two/);
    person.answer(1, 'allowed');
    await second;
  });
});
