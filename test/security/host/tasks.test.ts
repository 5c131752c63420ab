import { strict as assert } from 'node:assert';
import { cleanUp } from '../../host/support/client';
import { AskedPerson } from './support';

describe('a project whose tasks hide behind harmless names', () => {
  let person: AskedPerson;
  before(async () => (person = await AskedPerson.meet()));
  afterEach(cleanUp);
  after(() => person.leave());

  it('shows on the card what a task runs, and what the tasks run that it depends on', async () => {
    const input = { configuration_name: 'Task' };
    const { question = '' } = await person.call('start_debugging', input, 'declined');
    const card = question.replaceAll('\u200b', '');
    assert.match(card, /The task `build` runs `echo built`/);
    assert.match(card, /The task `prepare` runs `echo evil task`/);
    assert.match(card, /Runs the task `build` first/);
  });

  it('shows on the card of a restart the program, its arguments and its environment', async () => {
    const input = {
      program: 'src/good.js',
      args: ['--to', 'the server'],
      env: { NODE_OPTIONS: '--no-warnings' },
      stop_on_entry: true,
    };
    const { result } = await person.call('start_debugging', input, 'allowed');
    assert.equal(result.status, 'stopped', JSON.stringify(result));
    const { question = '' } = await person.call('restart_debugging', {}, 'declined');
    const card = question.replaceAll('\u200b', '');
    assert.match(card, /Runs `src\/good\.js --to "the server"`/);
    assert.match(card, /With the environment `NODE_OPTIONS=--no-warnings/);
    assert.ok(card.split('\n').length < 12, card);
  });
});
