import { strict as assert } from 'node:assert';
import { createServer } from 'node:net';
import path from 'node:path';
import { freePort } from '../support/network';
import { markedLine } from '../support/markers';
import { answering, RealWindows, use } from './realWindows';

describe('real VS Code windows behind one address', () => {
  let port = 0;
  let on = '';
  let all: RealWindows;

  beforeEach(async () => {
    port = await freePort();
    on = `is on. Port: ${port}.`;
    all = new RealWindows(port);
    await all.start();
  });
  afterEach(async () => await all.end());

  it('three windows: each client reaches its own window, also after the serving window closes and the next one dies', async () => {
    const [one, two, three] = ['one', 'two', 'three'].map((name) => all.folder(name)) as [
      string,
      string,
      string,
    ];
    const first = await all.open(one);
    await all.says(one, on);
    for (const each of [two, three]) {
      await all.open(each);
      assert.match(await all.says(each, 'in another window (one)'), /↗/);
    }
    await all.picture(two, 'mcp-elsewhere.png');

    const inTwo = await all.connect({ roots: [two] });
    const inThree = await all.connect({ query: `?workspace=${encodeURIComponent(three)}` });
    const chooser = await all.connect();
    const bridged = await all.bridge(path.join(two, 'src'));
    assert.deepEqual(
      [
        await answering(inTwo),
        await answering(inThree),
        await answering(chooser),
        await answering(bridged),
      ],
      ['two', 'three', 'choose_window', 'two'],
    );
    assert.equal((await use(chooser, 'select_window', { window: 'two' })).status, 'success');

    // A debug session in a window that is not the serving one: one client drives it, and another reads it.
    await use(inTwo, 'set_breakpoint', {
      file_path: 'src/loop.js',
      line_number: markedLine(path.join(two, 'src/loop.js'), 'add'),
    });
    const stopped = await use(inTwo, 'start_debugging', { configuration_name: 'two' });
    assert.equal(stopped.status, 'stopped', JSON.stringify(stopped));
    assert.equal(
      ((await use(bridged, 'get_debug_state'))['sessions'] as unknown[]).length,
      ((await use(chooser, 'get_debug_state'))['sessions'] as unknown[]).length,
    );
    assert.deepEqual((await use(inThree, 'get_debug_state'))['sessions'], []);

    const closing = all.takenOver(first);
    await all.close(one);
    const closed = await closing;
    console.log(`      taken over ${closed.toFixed(0)} ms after the serving window was closed`);
    assert.ok(closed < 3000, `${closed} ms`);
    const { thread_id: threadId } = stopped['stop_event_data'] as { thread_id: number };
    assert.equal(
      (await use(inTwo, 'step_execution', { thread_id: threadId, step_type: 'over' })).status,
      'stopped',
      'the same session goes on',
    );
    assert.deepEqual(
      [
        await answering(inTwo),
        await answering(inThree),
        await answering(chooser),
        await answering(bridged),
      ],
      ['two', 'three', 'two', 'two'],
    );

    const second = await all.until((entries) => entries.find((each) => each.serves === port));
    const other = second.folders.includes(two) ? three : two;
    const dying = all.takenOver(second);
    process.kill(second.pid, 'SIGKILL');
    const died = await dying;
    console.log(`      taken over ${died.toFixed(0)} ms after the serving window was killed`);
    assert.ok(died < 3000, `${died} ms`);
    await all.says(other, on);
    assert.equal(await answering(other === three ? inThree : inTwo), path.basename(other));
    assert.equal(
      await answering(await all.connect({ query: `?workspace=${path.basename(other)}` })),
      path.basename(other),
    );
  });

  it('two windows: one takes over when started by hand, a reloaded one is found again, and a stop turns the server off in both', async () => {
    const [one, two] = ['one', 'two'].map((name) => all.folder(name)) as [string, string];
    await all.open(one);
    await all.says(one, on);
    await all.open(two);
    await all.says(two, 'in another window (one)');
    const client = await all.connect({ roots: [one] });
    assert.equal(await answering(client), 'one');

    await all.choose(two, 'Take over here');
    await all.says(two, on);
    await all.says(one, 'in another window (two)');
    assert.equal(await answering(client), 'one', 'its session goes on in its window');

    const bridged = await all.bridge(one);
    assert.equal(await answering(bridged), 'one');
    const before = await all.entryOf(one);
    await all.reload(one);
    await all.entryOf(one, (entry) => entry.id !== before.id);
    assert.equal(await answering(bridged), 'one', 'found again by its folder');

    await all.choose(two, 'Stop the MCP server');
    for (const each of [one, two]) await all.says(each, 'is off');
    assert.deepEqual(await all.registry.list(), []);
    assert.equal(await answering(bridged), 'no_window');
    await assert.rejects(all.connect());
    await all.choose(one, 'Start the MCP server');
    await all.says(one, on);
    await all.says(two, 'in another window (one). Clients do not reach this one');
    assert.equal(await answering(await all.connect({ query: '?workspace=one' })), 'one');
  });

  it('leaves a port that another program has alone, and the status bar shows why', async () => {
    let connections = 0;
    const foreign = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => foreign.listen(port, '127.0.0.1', resolve));
    const one = all.folder('one');
    await all.show(one);
    await all.says(one, `port ${port} is in use by another program`);
    assert.equal(connections, 0);
    await all.picture(one, 'mcp-failed.png');
    await new Promise((resolve) => foreign.close(resolve));
    await all.choose(one, 'Start the MCP server');
    await all.says(one, on);
    assert.equal(await answering(await all.connect()), 'one');
  });
});
