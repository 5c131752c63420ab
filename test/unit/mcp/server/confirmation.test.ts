import { strict as assert } from 'node:assert';
import { Failure } from '../../../../src/results/failure';
import { Interrupted } from '../../../../src/debugger/requests';
import { Confirmation } from '../../../../src/mcp/server/confirmation';
import type { Consent } from '../../../../src/tools/defineTool';
import { runTool } from '../../../../src/tools/run';
import { eventOf } from '../../support/events';
import { bench, failsWith, paused } from '../../support/services';
import { CONTINUE, Person, tool } from '../../support/questions';

describe('VS Code’s own question before an MCP client’s call', () => {
  const on = (): ReturnType<typeof bench> => paused(bench());
  const caller = { name: 'cline' };
  const never = new AbortController().signal;
  const isRequired = (): boolean => true;

  it('is the question of the card, with the client’s name, and an allowed call continues', async () => {
    const [person, { services }] = [new Person(), on()];
    const confirmation = new Confirmation({ isRequired, ask: person.ask });
    const call = confirmation.confirm(
      tool('continue_debugging'),
      CONTINUE,
      services,
      caller,
      never,
    );
    await person.questions(1);
    assert.deepEqual(
      person.asked[0]?.question,
      await tool('continue_debugging').check(CONTINUE).question(services),
    );
    assert.equal(person.asked[0]?.client, 'cline');
    person.answer(0, 'allowed');
    await call;
  });

  it('fails a declined call', async () => {
    const confirmation = new Confirmation({ isRequired, ask: async () => 'declined' });
    await assert.rejects(
      confirmation.confirm(tool('continue_debugging'), CONTINUE, on().services, caller, never),
      failsWith('declined_by_person'),
    );
  });

  it('allows nothing if the dialog fails', async () => {
    const confirmation = new Confirmation({
      isRequired,
      ask: () => Promise.reject(new Error('no dialogs here')),
    });
    await assert.rejects(
      confirmation.confirm(tool('continue_debugging'), CONTINUE, on().services, caller, never),
      failsWith('declined_by_person'),
    );
  });

  it('is not asked for a read, if the person has turned questions off, or for a call that will be refused anyway', async () => {
    const person = new Person();
    const bad = on();
    const confirmation = new Confirmation({ isRequired, ask: person.ask });
    await confirmation.confirm(tool('get_debug_state'), {}, bad.services, caller, never);
    await confirmation.confirm(
      tool('continue_debugging'),
      { thread_id: 'x' },
      bad.services,
      caller,
      never,
    );
    bad.services.access.setPaused(true);
    await confirmation.confirm(tool('continue_debugging'), CONTINUE, bad.services, caller, never);
    bad.services.access.setPaused(false);
    bad.workspace.trusted = false;
    await confirmation.confirm(tool('continue_debugging'), CONTINUE, bad.services, caller, never);
    const asked: Consent[] = [];
    const notRequired = new Confirmation({
      isRequired: (consent) => asked.push(consent) === 0,
      ask: person.ask,
    });
    await notRequired.confirm(tool('continue_debugging'), CONTINUE, on().services, caller, never);
    await notRequired.confirm(
      tool('set_breakpoint'),
      { file_path: '/home/ada/app/main.js', line_number: 1, condition: 'x' },
      on().services,
      caller,
      never,
    );
    assert.deepEqual(asked, ['control', 'change']);
    assert.equal(person.asked.length, 0);
  });

  it('may be answered for all calls of one kind from this client, but not for another client or kind', async () => {
    const [person, { services }] = [new Person(), on()];
    const confirmation = new Confirmation({ isRequired, ask: person.ask });
    const first = confirmation.confirm(
      tool('continue_debugging'),
      CONTINUE,
      services,
      caller,
      never,
    );
    await person.questions(1);
    person.answer(0, 'all');
    await first;
    await confirmation.confirm(tool('pause_debugging'), {}, services, caller, never);
    assert.equal(person.asked.length, 1);
    const change = confirmation.confirm(
      tool('set_breakpoint'),
      { file_path: '/home/ada/app/main.js', line_number: 1, condition: 'x' },
      services,
      caller,
      never,
    );
    await person.questions(2);
    person.answer(1, 'declined');
    await assert.rejects(change, failsWith('declined_by_person'));
    const other = confirmation.confirm(
      tool('continue_debugging'),
      CONTINUE,
      services,
      { name: 'cline' },
      never,
    );
    await person.questions(3);
    person.answer(2, 'declined');
    await assert.rejects(other, failsWith('declined_by_person'));
  });

  it('ends with the call, and a later answer is ignored', async () => {
    const [person, { services }] = [new Person(), on()];
    const confirmation = new Confirmation({ isRequired, ask: person.ask });
    const cancelled = new AbortController();
    const call = confirmation.confirm(
      tool('continue_debugging'),
      CONTINUE,
      services,
      caller,
      cancelled.signal,
    );
    await person.questions(1);
    cancelled.abort();
    const ended = await call;
    assert.ok(ended.kind === 'refused' && ended.failure instanceof Interrupted);
    assert.equal(person.asked[0]?.signal.aborted, true);
    const again = confirmation.confirm(
      tool('continue_debugging'),
      CONTINUE,
      services,
      caller,
      never,
    );
    person.answer(0, 'allowed');
    await person.questions(2);
    person.answer(1, 'declined');
    await assert.rejects(again, failsWith('declined_by_person'));
  });

  it('does not keep a call waiting until its client gives up; the same call, made again, gets the answer', async () => {
    const [person, { services }] = [new Person(), on()];
    const confirmation = new Confirmation({ isRequired, ask: person.ask, patienceMilliseconds: 1 });
    const call = async (input: object = CONTINUE): Promise<unknown> =>
      await confirmation.confirm(tool('continue_debugging'), input, services, caller, never);
    await assert.rejects(call(), failsWith('not_confirmed_yet'));
    await assert.rejects(call(), failsWith('not_confirmed_yet'));
    assert.equal(person.asked.length, 1, 'one question for both');
    person.answer(0, 'allowed');
    await call();
    await assert.rejects(call(), failsWith('not_confirmed_yet'), 'an answer counts for one call');
    assert.equal(person.asked.length, 2);
    await assert.rejects(
      call({ thread_id: 1, timeout_seconds: 5 }),
      failsWith('not_confirmed_yet'),
    );
    assert.equal(person.asked.length, 2, 'another call waits until that question is answered');
    confirmation.forget(caller);
    assert.deepEqual(
      person.asked.map((each) => each.signal.aborted),
      [false, true],
      'a client that is gone waits for none',
    );
    person.answer(1, 'allowed');
    await assert.rejects(
      call({ thread_id: 1, timeout_seconds: 5 }),
      failsWith('not_confirmed_yet'),
    );
    assert.equal(person.asked.length, 3, 'another call is another question');
  });

  it('is answered only for the stop that it was about, not for a later one', async () => {
    const [person, bench] = [new Person(), on()];
    const confirmation = new Confirmation({ isRequired, ask: person.ask, patienceMilliseconds: 1 });
    const call = async (): Promise<unknown> =>
      await confirmation.confirm(
        tool('continue_debugging'),
        CONTINUE,
        bench.services,
        caller,
        never,
      );
    await assert.rejects(call(), failsWith('not_confirmed_yet'));
    person.answer(0, 'allowed');
    for (const event of ['continued', 'stopped'])
      bench.model.dispatch(
        eventOf(event, { reason: 'step', threadId: 1, allThreadsStopped: true }),
      );
    await assert.rejects(call(), failsWith('not_confirmed_yet'));
    assert.deepEqual(
      [person.asked.length, person.asked[0]?.signal.aborted],
      [2, true],
      'the person is asked about the new stop',
    );
  });

  it('allows no action if the program has moved before the answer', async () => {
    const [person, bench] = [new Person(), on()];
    const confirmation = new Confirmation({ isRequired, ask: person.ask });
    const calling = confirmation.confirm(
      tool('continue_debugging'),
      CONTINUE,
      bench.services,
      caller,
      never,
    );
    await person.questions(1);
    for (const event of ['continued', 'stopped'])
      bench.model.dispatch(
        eventOf(event, { reason: 'step', threadId: 1, allThreadsStopped: true }),
      );
    person.answer(0, 'allowed');
    const prepared = await calling;
    assert.ok(prepared);
    assert.equal(
      (
        await runTool(tool('continue_debugging'), CONTINUE, bench.services, {
          ...bench.call,
          prepared,
        })
      )['code'],
      'moved_meanwhile',
    );
    assert.ok(!bench.host.requests.some((each) => each.command === 'continue'));
  });

  it('is asked twice, one after the other, for two equal calls at the same time', async () => {
    const [person, { services }] = [new Person(), on()];
    const confirmation = new Confirmation({ isRequired, ask: person.ask });
    const calls = [1, 2].map(
      async () =>
        await confirmation.confirm(tool('continue_debugging'), CONTINUE, services, caller, never),
    );
    const ended = Promise.allSettled(calls);
    await person.questions(1);
    person.answer(0, 'allowed');
    await person.questions(2);
    person.answer(1, 'declined');
    assert.deepEqual(
      (await ended).map((each) => each.status),
      ['fulfilled', 'rejected'],
    );
  });

  it('refuses the call with the failure if the question cannot be prepared, expected or not', async () => {
    const person = new Person();
    const confirmation = new Confirmation({ isRequired, ask: person.ask });
    const { services, workspace } = on();
    const prepare = async (): Promise<unknown> => {
      const prepared = await confirmation.confirm(
        tool('set_breakpoint'),
        { file_path: '/home/ada/app/absent.js', line_number: 1 },
        services,
        caller,
        never,
      );
      return (
        prepared.kind === 'refused' &&
        (prepared.failure instanceof Failure ? prepared.failure.code : prepared.failure.message)
      );
    };
    assert.equal(await prepare(), 'file_not_found');
    workspace.readText = () => Promise.reject(new RangeError('disk on fire'));
    assert.equal(await prepare(), 'disk on fire');
    assert.equal(person.asked.length, 0);
  });
});
