import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { processesOf } from '../../../src/editor/processTable';
import { skip } from '../../support/skip';

describe('the table of processes', () => {
  before(function () {
    if (process.platform === 'win32') skip(this, 'Windows lists processes by PowerShell');
  });

  it('names the parent, the user, the executable and the command line of a process', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)', 'a b']);
    try {
      await once(child, 'spawn');
      const table = await processesOf().list();
      const found = table.find(({ id }) => id === child.pid);
      assert.ok(found);
      assert.equal(found.parentId, process.pid);
      assert.equal(found.user, userInfo().username);
      assert.match(found.executable, /node/);
      assert.match(found.command, /setInterval\(\(\) => 0, 1000\) a b$/);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('finds a process by its environment, also if its parent has ended', async () => {
    const script = `require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { detached: true, stdio: 'ignore' }).unref()`;
    const value = `it ${process.hrtime.bigint()}`;
    const child = spawn(process.execPath, ['-e', script], {
      env: { ...process.env, AGENT_DEBUGGER_TABLE_TEST: value },
    });
    await once(child, 'exit');
    const table = processesOf();
    const found = await table.withVariable('AGENT_DEBUGGER_TABLE_TEST', value);
    for (const id of found) table.kill(id);
    assert.equal(found.length, 1);
    assert.deepEqual(await table.withVariable('AGENT_DEBUGGER_TABLE_TEST', 'it'), []);
  });

  it('finds who listens on a port', async function () {
    if (process.platform !== 'linux') skip(this, 'only Linux tells');
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    assert.deepEqual(await processesOf().listeners(port), [process.pid]);
    assert.deepEqual(await processesOf().listeningHosts(port), ['127.0.0.1']);
    server.close();
    await once(server, 'close');
    assert.deepEqual(await processesOf().listeners(port), []);
    assert.deepEqual(await processesOf().listeningHosts(port), []);
  });
});
