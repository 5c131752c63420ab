import { strict as assert } from 'node:assert';
import { AgentAccess, LastingCalls } from '../../../src/tools/access';
import { getDebugState } from '../../../src/tools/core/overview';
import { waitForStop } from '../../../src/tools/core/execution';
import { runTool } from '../../../src/tools/run';
import { bench, paused, running } from '../support/services';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('AgentAccess: the person takes over', () => {
  it('refuses every call and sends no request to the adapter while access is paused', async () => {
    const on = paused(bench());
    const { access } = on.services;
    access.setPaused(true);
    const before = on.host.requests.length;
    assert.equal(
      (await runTool(getDebugState, {}, on.services, on.call))['code'],
      'person_took_over',
    );
    assert.equal(on.host.requests.length, before);
    assert.deepEqual(access.calls, []);
    access.setPaused(false);
    assert.equal((await runTool(getDebugState, {}, on.services, on.call)).status, 'success');
  });

  it('still reports invalid input as invalid_input while access is paused', async () => {
    const on = paused(bench());
    on.services.access.setPaused(true);
    assert.equal(
      (await runTool(getDebugState, { nonsense: 1 }, on.services, on.call))['code'],
      'invalid_input',
    );
  });

  it('lists a call until it ends, however it ends', async () => {
    const on = running(bench());
    const { access } = on.services;
    const seen: number[] = [];
    const subscription = access.onDidChange(() => seen.push(access.calls.length));
    const waiting = runTool(waitForStop, {}, on.services, on.call);
    await turn();
    assert.deepEqual(access.calls, [{ doing: 'Waiting for the program to stop' }]);
    on.cancel();
    assert.equal((await waiting).status, 'interrupted');
    assert.equal(
      (
        await runTool(waitForStop, { session_id: 's9' }, on.services, {
          ...on.call,
          signal: new AbortController().signal,
        })
      )['code'],
      'session_not_found',
    );
    assert.deepEqual(seen, [1, 0, 1, 0]);
    subscription.dispose();
    access.setPaused(true);
    assert.equal(seen.length, 4);
  });

  it('lets a call that is already waiting continue to wait', async () => {
    const on = running(bench());
    const waiting = runTool(waitForStop, {}, on.services, on.call);
    await turn();
    on.services.access.setPaused(true);
    on.host.emit('stopped', { reason: 'pause', threadId: 1 });
    assert.equal((await waiting).status, 'stopped');
  });
});

describe('LastingCalls', () => {
  it('shows the oldest lasting call, and no call that ended before the delay', async () => {
    const access = new AgentAccess();
    const shown: (string | undefined)[] = [];
    let tell: () => void = () => undefined;
    const next = (): Promise<void> => new Promise((resolve) => (tell = resolve));
    const lasting = new LastingCalls(access, 5, () => {
      shown.push(lasting.call?.doing);
      tell();
    });
    access.begin('Stepping over').end();
    const first = next();
    const one = access.begin('Continuing');
    await first;
    const second = next();
    const other = access.begin('Waiting');
    await second;
    assert.deepEqual(shown, ['Continuing', 'Continuing']);
    one.end();
    assert.equal(lasting.call?.doing, 'Waiting');
    other.progress('Waiting still');
    assert.equal(lasting.call.doing, 'Waiting still');
    other.end();
    assert.equal(lasting.call, undefined);
    lasting.dispose();
    access.begin('Pausing');
    assert.equal(lasting.call, undefined);
  });
});
