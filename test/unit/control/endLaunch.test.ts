import { strict as assert } from 'node:assert';
import { mock } from 'node:test';
import type { Launching } from '../../../src/control/launching';
import { RUN_VARIABLE } from '../../../src/debugger/processes/endProcesses';
import { fields } from '../../../src/debugger/protocol';
import { created } from '../support/events';
import { bench, type Bench } from '../support/services';

const COMMON = { user: 'ada', executable: '/usr/bin/node', command: 'node test.js' };

/** A launch whose program has a child that has removed the mark from its environment. */
async function launched(on: Bench, endsSurely: boolean): Promise<Launching> {
  on.host.onStart = (configuration) => {
    on.model.dispatch(created('it', { name: 'it', configuration }));
    const run = fields(configuration['env'])[RUN_VARIABLE];
    if (typeof run === 'string') on.processes.variables.set(50, { [RUN_VARIABLE]: run });
    return Promise.resolve(true);
  };
  on.processes.entries = [
    { ...COMMON, id: 50, parentId: 1 },
    { ...COMMON, id: 51, parentId: 50 },
    { ...COMMON, id: 52, parentId: 1 },
    // An editor that the program has started is ended like any other program, but never our own.
    { ...COMMON, id: 53, parentId: 51, command: 'code --vscode-utility-kind=extensionHost' },
    { ...COMMON, id: process.pid, parentId: 50, command: 'ours' },
  ];
  const configuration = { name: 'it', type: 'test', request: 'launch', env: { A: 'b' } };
  const launching = on.services.control.launching({
    launches: [{ name: 'it', folderPath: undefined, configuration }],
    stopAll: false,
    noDebug: false,
    endsSurely,
  });
  await launching.run({ deadline: performance.now() + 1, signal: on.call.signal });
  return launching;
}

describe('the end of a launch whose call promises it', () => {
  afterEach(() => mock.restoreAll());

  it('ends the process tree if the debugger does not end the session in a grace time', async () => {
    const on = bench();
    const launching = await launched(on, true);
    on.host.onStop = () => new Promise(() => undefined);
    const grace = new AbortController();
    mock.method(AbortSignal, 'timeout', () => grace.signal);
    const ending = on.services.control.endLaunch(launching, false);
    assert.deepEqual(on.processes.killed, []);
    grace.abort();
    await ending;
    assert.deepEqual(on.processes.killed, [51, 53]);
  });

  it('ends what is left after the time limit, although the session has ended', async () => {
    const on = bench();
    await on.services.control.endLaunch(await launched(on, true), true);
    assert.deepEqual(on.processes.killed, [51, 53]);
  });

  it('ends processes that outlive their sessions', async () => {
    const on = bench();
    await on.services.control.endLaunch(await launched(on, true), false);
    assert.deepEqual(on.processes.killed, [51, 53]);
  });

  it('leaves the processes of a program alone that goes on without its debugger', async () => {
    const on = bench();
    await launched(on, true);
    const session = on.session('it');
    const attached = { ...session, configuration: { ...session.configuration, request: 'attach' } };
    assert.equal(await on.services.control.end(attached, on.call.signal), true);
    assert.deepEqual(on.processes.killed, []);
  });

  it('leaves the other programs of a compound alone', async () => {
    const on = bench();
    await launched(on, true);
    const { configuration } = on.session('it');
    on.model.dispatch(created('other', { name: 'other', configuration }));
    assert.equal(await on.services.control.end(on.session('it'), on.call.signal), true);
    assert.deepEqual(on.processes.killed, []);
    assert.equal(await on.services.control.end(on.session('other'), on.call.signal), true);
    assert.deepEqual(on.processes.killed, [51, 53]);
  });

  it('leaves the processes alone if nothing was promised', async () => {
    const other = bench();
    await other.services.control.endLaunch(await launched(other, false), true);
    assert.deepEqual(other.processes.killed, []);
    assert.deepEqual(other.host.started[0]?.['env'], { A: 'b' });
  });
});
