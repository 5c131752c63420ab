import { strict as assert } from 'node:assert';
import { answered, asked, refused } from '../support/events';
import { never } from '../support/fakeHost';
import { bench, failsWith, paused, type Bench } from '../support/services';

const ARGS = { source: { path: '/a.js' }, line: 3 };

/** VS Code passes requests on, but returns the responses to nobody. */
function deaf(on: Bench, answer: () => void): Bench {
  on.host.request = (key, command, args) => {
    on.model.dispatch(asked(7, command, args, key));
    answer();
    return never();
  };
  return on;
}

const places = async (on: Bench): Promise<unknown> =>
  await on.requests.sendUnique(on.session(), 'breakpointLocations', ARGS, on.call.signal);

describe('the response to a unique request', () => {
  it('is returned when the adapter sends it, even if VS Code has not passed it on', async () => {
    const on = paused(bench());
    deaf(on, () => on.model.dispatch(answered(7, 'breakpointLocations', { breakpoints: [1] })));
    assert.deepEqual(await places(on), { breakpoints: [1] });
    assert.equal(on.model.listenerCount, 0);
  });

  it('is not taken from another request or from another session', async () => {
    const on = paused(paused(bench(50)), 'b');
    deaf(on, () => {
      on.model.dispatch(asked(8, 'breakpointLocations', { ...ARGS, line: 4 }));
      on.model.dispatch(answered(8, 'breakpointLocations', { breakpoints: [4] }));
      on.model.dispatch(asked(9, 'breakpointLocations', ARGS, 'b'));
      on.model.dispatch(answered(9, 'breakpointLocations', { breakpoints: [5] }, 'b'));
    });
    await assert.rejects(places(on), failsWith('adapter_timeout'));
    assert.equal(on.model.listenerCount, 0);
  });

  it('is returned by VS Code with its message if it is a refusal', async () => {
    const on = paused(bench());
    on.host.request = (key, command, args) => {
      on.model.dispatch(asked(7, command, args, key));
      on.model.dispatch(refused(7, command, 'no places', key));
      return Promise.reject(new Error('no places'));
    };
    await assert.rejects(places(on), failsWith('adapter_error'));
    assert.equal(on.model.listenerCount, 0);
  });
});
