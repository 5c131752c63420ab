import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { watch, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { markedLine } from '../support/markers';
import { freePort } from '../support/network';
import { answering, RealWindows, use } from './realWindows';

/** A program that stops once, creates a file when it goes on, and stops again later. */
const PROGRAM = `const { writeFileSync } = require('node:fs');
const going = __filename + '.going'; // marker: first
writeFileSync(going, '');
setTimeout(() => {
  console.log('late'); // marker: late
}, 2500);
`;

/** The limit of the wait during which a window sleeps. A slow machine may take seconds to resume the program. */
const WAIT_SECONDS = 10;

/** Tests two windows whose server was never on. Each test continues from the state at the end of the last one. */
describe('real VS Code windows that take no part, sleep and wake', () => {
  let port = 0;
  let on = '';
  let all: RealWindows;
  let one: string;
  let two: string;

  before(async () => {
    port = await freePort();
    on = `is on. Port: ${port}.`;
    all = new RealWindows(port, { autoStart: false });
    await all.start();
    [one, two] = [all.folder('one'), all.folder('two')];
  });
  after(async () => await all.end());

  it('a window that opens reports the window whose server is on, and takes part if the person chooses that', async () => {
    for (const each of [one, two]) {
      await all.show(each);
      await all.says(each, 'is off');
    }
    await all.choose(one, 'Start the MCP server');
    await all.says(one, on);
    await all.reload(two);
    assert.match(
      await all.says(two, 'in another window (one). Clients do not reach this one'),
      /↗/,
    );
    await all.picture(two, 'mcp-outside.png');
    await all.choose(two, 'Take part');
    await all.says(two, 'and clients reach this one through it');
  });

  it('a sleeping window keeps the port, no other window takes it, and a running call answers with its outcome', async () => {
    const program = path.join(one, 'src/loop.js');
    writeFileSync(program, PROGRAM);
    const [first, second] = [await all.entryOf(one), await all.entryOf(two)];
    const [inOne, inTwo, bridged] = [
      await all.connect({ roots: [one] }),
      await all.connect({ roots: [two] }),
      await all.bridge(two),
    ];
    assert.deepEqual(
      [await answering(inOne), await answering(inTwo), await answering(bridged)],
      ['one', 'two', 'two'],
    );
    for (const marker of ['first', 'late'])
      await use(inOne, 'set_breakpoint', {
        file_path: 'src/loop.js',
        line_number: markedLine(program, marker),
      });
    const stopped = await use(inOne, 'start_debugging', { configuration_name: 'one' });
    assert.equal(stopped.status, 'stopped', JSON.stringify(stopped));

    // The serving window sleeps during a wait, longer than the wait and longer than windows wait for each other.
    const going = new Promise<void>((resolve) => {
      const files = watch(path.dirname(program), (_event, name) => {
        if (name !== 'loop.js.going') return;
        files.close();
        resolve();
      });
    });
    const underWay = use(inOne, 'continue_debugging', {
      thread_id: (stopped['stop_event_data'] as { thread_id: number }).thread_id,
      timeout_seconds: WAIT_SECONDS,
    });
    const deadline = performance.now() + WAIT_SECONDS * 1000;
    const isOver = once(AbortSignal.timeout((WAIT_SECONDS + 1) * 1000), 'abort');
    await going;
    assert.ok(performance.now() < deadline, 'the window has to sleep before the wait is over');
    const asleep = performance.now();
    process.kill(first.pid, 'SIGSTOP');
    const throughSleeper = answering(inTwo);
    await all.choose(two, 'Take over here');
    await all.says(two, 'which is not responding');
    assert.equal(
      await answering(bridged),
      'two',
      'a window that is awake is reached without the one that sleeps',
    );
    await isOver;
    process.kill(first.pid, 'SIGCONT');
    console.log(`      slept for ${(performance.now() - asleep).toFixed(0)} ms`);
    const answer = await underWay;
    assert.equal(answer.status, 'stopped', JSON.stringify(answer));
    const {
      line,
      thread_id: thread,
      session_id: session,
    } = answer['stop_event_data'] as { line: number; thread_id: number; session_id: string };
    assert.equal(line, markedLine(program, 'late'));
    assert.equal(await throughSleeper, 'two');
    assert.equal(await answering(inTwo), 'two');
    await all.says(two, 'and clients reach this one through it');
    await all.says(one, on);

    // The whole machine sleeps: the client gives up in the meantime.
    for (const { pid } of [first, second]) process.kill(pid, 'SIGSTOP');
    await assert.rejects(
      inTwo.callTool({ name: 'get_debug_state', arguments: {} }, undefined, { timeout: 2000 }),
      /timed out/i,
    );
    for (const { pid } of [second, first]) process.kill(pid, 'SIGCONT');
    assert.deepEqual(
      [await answering(inOne), await answering(inTwo), await answering(bridged)],
      ['one', 'two', 'two'],
    );
    assert.deepEqual(
      (await all.registry.list()).map(({ id, serves }) => ({ id, serves })),
      [
        { id: first.id, serves: port },
        { id: second.id, serves: undefined },
      ],
    );
    await all.says(one, on);
    await all.says(two, 'and clients reach this one through it');
    assert.equal(
      (await use(inOne, 'continue_debugging', { session_id: session, thread_id: thread })).status,
      'completed',
      'the debug session goes on',
    );

    // When it is awake, it gives the port to the window that takes over.
    await all.choose(two, 'Take over here');
    await all.says(two, on);
    await all.says(one, 'in another window (two)');
    assert.deepEqual([await answering(inOne), await answering(inTwo)], ['one', 'two']);
  });

  it('a key that is renewed while the window with the port sleeps is the only valid one after it wakes, and the set-ups report it', async () => {
    await all.choose(one, 'Set up a client');
    await all.pick(one, 'Claude Code');
    await all.pick(one, 'Show it with the address and the key instead');
    await all.lists(one, 'Show it with the stdio bridge instead');
    await all.pick(one, 'Write it');
    await all.tells(one, 'Claude Code is set up in');
    const [{ pid }, old] = [await all.entryOf(two), all.key()];
    const client = await all.connect({ roots: [two] });
    const bridged = await all.bridge(two);
    assert.deepEqual([await answering(client), await answering(bridged)], ['two', 'two']);
    // The request uses a separate connection: the client's connections have the old key.
    const status = async (key: string): Promise<number | undefined> => {
      const asked = request({
        host: '127.0.0.1',
        port,
        path: '/mcp',
        method: 'POST',
        agent: false,
        headers: { Authorization: `Bearer ${key}` },
      });
      asked.end();
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      return response.resume().statusCode;
    };

    process.kill(pid, 'SIGSTOP');
    await all.choose(one, 'Renew the key');
    await all.press(one, 'Renew the key');
    await all.tells(one, 'The key was renewed');
    assert.notEqual(all.key(), old);
    // The requests are sent while the window sleeps, and answered when it wakes.
    const [late, current] = [status(old), status(all.key())];
    const refused = assert.rejects(answering(client));
    process.kill(pid, 'SIGCONT');
    assert.deepEqual([await late, await current], [401, 415]);
    await refused;
    assert.equal(await status(old), 401);
    assert.deepEqual(
      [
        await answering(await all.connect({ roots: [two] })),
        await answering(await all.connect({ roots: [one] })),
      ],
      ['two', 'one'],
    );
    assert.equal(await answering(bridged), 'two', 'the bridge has no key');

    for (const each of [one, two]) {
      await all.choose(each, 'Set up a client');
      assert.match(await all.lists(each, 'Claude Code'), /with another key/);
      await all.escape(each);
    }
    await all.choose(two, 'Set up a client');
    await all.pick(two, 'Update clients whose key');
    await all.pick(two, 'Write it');
    await all.tells(two, 'Claude Code is set up in');
    await all.choose(one, 'Set up a client');
    const listed = await all.lists(one, 'Claude Code');
    assert.match(listed, /set up/);
    assert.doesNotMatch(listed, /another key/);
    await all.escape(one);
  });

  it('a window that left reports the window whose server is on, and that the server is off when that window dies', async () => {
    await all.choose(one, 'Stop the MCP server');
    await all.says(one, 'in another window (two). Clients do not reach this one');
    process.kill((await all.entryOf(two)).pid, 'SIGKILL');
    await all.says(one, 'is off');
  });
});
