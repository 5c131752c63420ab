import { strict as assert } from 'node:assert';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { WindowRegistry } from '../../../src/mcp/windows/registry';
import { TOOLS } from '../../../src/tools/catalog';
import { answering, TestWindows, use } from '../../unit/support/mcpWindows';
import { endedProcess, entryOfKilled, SECRET, Squatter, type Behaviour } from './squatter';

const BRIDGE = path.resolve(__dirname, '../../../src/mcp/stdio/main.js');
const BEHAVIOURS: readonly Behaviour[] = ['plays a window', 'says no', 'hangs up', 'says nothing'];

/** The only data that a program on a window's port may receive before it has proven that it is the window. */
const CHALLENGES =
  /^(GET \/prove HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\nagent-debugger-nonce: [\w-]{43}\r\n\r\n)*$/;

describe('another user’s program on the port of a window that was killed', () => {
  let all: TestWindows;
  const clients: Client[] = [];
  const squatters: Squatter[] = [];

  beforeEach(async () => {
    all = new TestWindows();
    await all.prepare();
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((each) => each.close()));
    await all.end();
    await Promise.all(squatters.splice(0).map((each) => each.close()));
  });

  async function squat(
    behaviour: Behaviour,
    port = 0,
  ): Promise<{ squatter: Squatter; port: number }> {
    const squatter = new Squatter(behaviour);
    squatters.push(squatter);
    return { squatter, port: await squatter.listen(port) };
  }

  async function bridge(cwd: string): Promise<Client> {
    const client = new Client({ name: 'stdio client', version: '1' });
    clients.push(client);
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [BRIDGE],
        cwd,
        env: { PATH: process.env['PATH'] ?? '', AGENT_DEBUGGER_HOME: all.home },
        stderr: 'inherit',
      }),
    );
    return client;
  }

  const learnsNothing = (squatter: Squatter): void => assert.match(squatter.received, CHALLENGES);

  for (const behaviour of BEHAVIOURS) {
    it(`that ${behaviour} learns nothing from the bridge, which reports that there is no window`, async () => {
      const { squatter, port } = await squat(behaviour);
      const { folders } = await entryOfKilled(all, { port });
      const client = await bridge(folders[0] ?? '');
      assert.notEqual(client.getServerVersion()?.name, 'evil');
      const answer = await use(client, 'evaluate_expression', {
        expression: 'theSecretOfMyProgram',
      });
      assert.equal(answer.code, 'no_window');
      assert.deepEqual((await client.listTools()).tools, []);
      assert.notEqual(squatter.received, '', 'it was asked');
      learnsNothing(squatter);
    });

    it(`that ${behaviour} does not keep the bridge from an open window`, async () => {
      const { squatter, port } = await squat(behaviour);
      const { folders } = await entryOfKilled(all, { port });
      const one = await all.open('one');
      const client = await bridge(folders[0] ?? '');
      assert.equal(await answering(client), 'one');
      assert.deepEqual(
        (await client.listTools()).tools
          .map((each) => each.name)
          .filter((name) => name !== 'select_window'),
        TOOLS.map((each) => each.name),
      );
      assert.equal(one.window.state.kind, 'on');
      learnsNothing(squatter);
    });

    it(`that ${behaviour} learns nothing from another window: no session, no message, no folder`, async () => {
      const { squatter, port } = await squat(behaviour);
      const one = await all.open('one');
      const killed = await entryOfKilled(all, { port });
      const named = await all.connect({
        query: `?workspace=${encodeURIComponent(killed.folders[0] ?? '')}`,
      });
      assert.equal(
        (await use(named, 'evaluate_expression', { expression: 'theSecretOfMyProgram' })).status,
        'error',
      );
      await entryOfKilled(all, { port });
      const chooser = await all.connect({ name: 'chooser' });
      assert.equal((await use(chooser, 'select_window', { window: killed.id })).status, 'error');
      await entryOfKilled(all, { port });
      await one.window.renewKey();
      learnsNothing(squatter);
    });
  }

  it('is detected even if the process id now belongs to another process', async () => {
    const { squatter, port } = await squat('plays a window');
    const { folders } = await entryOfKilled(all, { port, pid: process.pid });
    const client = await bridge(folders[0] ?? '');
    assert.equal(
      (await use(client, 'evaluate_expression', { expression: 'theSecretOfMyProgram' })).code,
      'no_window',
    );
    learnsNothing(squatter);
    assert.deepEqual(await new WindowRegistry(all.home).list(), [], 'and the entry is cleaned up');
  });

  it('gets no client of a window that is killed while it is used', async () => {
    const one = await all.open('one');
    const two = await all.open('two');
    const [direct, bridged] = [
      await all.connect({ roots: [`file://${two.folder}`] }),
      await bridge(two.folder),
    ];
    assert.deepEqual([await answering(direct), await answering(bridged)], ['two', 'two']);
    const registry = new WindowRegistry(all.home);
    const entry = (await registry.list()).find((each) => each.id === two.window.id);
    assert.ok(entry);
    two.window.dispose();
    await two.window.updateDescription();
    const { squatter } = await squat('plays a window', entry.port);
    await registry.write({ ...entry, pid: await endedProcess() });
    for (const client of [direct, bridged]) {
      const answer = await use(client, 'evaluate_expression', {
        expression: 'theSecretOfMyProgram',
      });
      assert.notEqual(answer['evil'], true);
    }
    assert.equal(squatter.received.includes(entry.secret), false);
    learnsNothing(squatter);
    assert.equal(one.window.state.kind, 'on');
  });

  for (const behaviour of BEHAVIOURS) {
    it(`that ${behaviour} and also has the clients’ port is treated as another program, not as our window`, async () => {
      const { squatter, port } = await squat(behaviour);
      const { squatter: onClientsPort } = await squat(behaviour, all.port);
      await entryOfKilled(all, { port, serves: all.port });
      all.answerLimitMs = 500;
      const one = await all.open('one');
      await one.becomes('failed');
      assert.equal((one.window.state as { isPortTaken?: boolean }).isPortTaken, true);
      await entryOfKilled(all, { port, serves: all.port });
      await one.window.start({ fromOthers: true });
      await one.becomes('failed');
      assert.equal(onClientsPort.received, '');
      assert.equal(squatter.received.includes(SECRET), false);
      learnsNothing(squatter);
    });
  }
});
