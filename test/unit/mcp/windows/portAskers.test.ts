import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { TAKES } from '../../../../src/mcp/windows/attendance';
import { WindowRegistry } from '../../../../src/mcp/windows/registry';
import { openConnection } from '../../../../src/mcp/windows/windowConnection';
import { answering, TestWindows, type TestWindow } from '../../support/mcpWindows';

describe('a window that requests the port and disappears', () => {
  let all: TestWindows;
  beforeEach(async () => {
    all = new TestWindows();
    await all.prepare();
  });
  afterEach(async () => await all.end());

  /** Requests the port like a window that is about to take it. The connection can be closed at any moment. */
  async function asker(): Promise<{
    asked: Socket;
    one: TestWindow;
    hears: (text: string) => Promise<void>;
    gone: () => Promise<void>;
  }> {
    const one = await all.open('one');
    const [entry] = await new WindowRegistry(all.home).list();
    assert.ok(entry);
    const { socket: asked, authorization } = await openConnection(entry);
    asked.write(
      `POST /yield?port=${all.port} HTTP/1.1\r\nHost: 127.0.0.1:${entry.port}\r\nAuthorization: ${authorization}\r\nExpect: 100-continue\r\nContent-Length: ${TAKES.length}\r\n\r\n`,
    );
    const gone = async (): Promise<void> => {
      asked.destroySoon();
      await once(asked.resume(), 'close');
    };
    const hears = async (text: string): Promise<void> => {
      const [data] = (await once(asked, 'data')) as [Buffer];
      assert.match(data.toString(), new RegExp(`^HTTP/1.1 ${text}`));
    };
    return { asked, one, hears, gone };
  }

  it('does not get the port if it disappears before the suspended window has answered', async () => {
    const { one, gone } = await asker();
    // When a process wakes up, the request and the end of the connection arrive in the same turn.
    await gone();
    assert.equal(await answering(await all.connect()), 'one');
    assert.deepEqual(
      one.states.map((each) => each.kind),
      ['starting', 'on', 'on'],
    );
  });

  it('does not get the port if it disappears at the moment of the answer', async () => {
    const { one, hears, gone } = await asker();
    await hears('100 Continue');
    assert.equal(
      await answering(await all.connect()),
      'one',
      'as long as it has not said that it takes it',
    );
    await gone();
    assert.equal(await answering(await all.connect()), 'one');
    assert.equal(
      one.states.filter((each) => each.kind === 'starting').length,
      1,
      'the port was never given up',
    );
  });

  it('loses the port again if it disappears after it has confirmed', async () => {
    const { one, asked, hears, gone } = await asker();
    await hears('100 Continue');
    asked.write(TAKES);
    await hears('200 OK');
    await assert.rejects(all.connect());
    await gone();
    await one.becomes('starting');
    await one.becomes('on');
    assert.equal(await answering(await all.connect()), 'one');
  });
});
