import { strict as assert } from 'node:assert';
import { cleanUp, switchAdvanced } from '../../host/support/client';
import { AskedPerson } from './support';

describe('an agent that asks the debugger for a door of its own', () => {
  let person: AskedPerson;
  before(async () => {
    person = await AskedPerson.meet();
    await switchAdvanced(true);
  });
  afterEach(cleanUp);
  after(async () => {
    await switchAdvanced(false);
    await person.leave();
  });

  it('gets no socket of the Chrome DevTools Protocol, and the person is not even asked', async () => {
    const start = { program: 'src/good.js', stop_on_entry: true };
    const started = await person.call('start_debugging', start, 'allowed');
    assert.equal(started.result.status, 'stopped', JSON.stringify(started.result));
    for (const command of ['requestCDPProxy', 'enableNetworking', 'networkCall']) {
      const { result, question } = await person.call('custom_request', { command }, 'allowed');
      assert.equal(result['code'], 'not_supported', JSON.stringify(result));
      assert.equal(question, undefined);
    }
    const own = { command: 'toggleSkipFileStatus', arguments: {} };
    const { question = '' } = await person.call('custom_request', own, 'declined');
    assert.match(question, /you may grant \*\*everything\*\*/);
  });
});
