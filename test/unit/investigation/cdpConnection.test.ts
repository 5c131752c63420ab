import { strict as assert } from 'node:assert';
import { CdpConnection, type Socket } from '../../../src/investigation/cdpConnection';

class FakeSocket implements Socket {
  readonly sent: string[] = [];
  isTerminated = false;
  private readonly listeners = new Map<string, (data: unknown) => void>();

  on(event: string, listener: (data: unknown) => void): this {
    this.listeners.set(event, listener);
    return this;
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.listeners.get('close')?.(undefined);
  }

  terminate(): void {
    this.isTerminated = true;
    this.close();
  }

  tell(message: object | string): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    this.listeners.get('message')?.(Buffer.from(text));
  }
}

describe('a connection to a page', () => {
  it('that is dropped reports nothing more, and refuses open and further requests', async () => {
    const socket = new FakeSocket();
    const connection = new CdpConnection(socket);
    const events: string[] = [];
    connection.onEvent = (method) => events.push(method);
    const open = connection.send('A');
    connection.drop();
    socket.tell({ method: 'Page.loaded', params: {} });
    await assert.rejects(open, /the page is gone/);
    await assert.rejects(connection.send('B'), /the page is gone/);
    assert.deepEqual([events, socket.isTerminated], [[], true]);
  });

  it('matches responses to requests, and reports events with their size', async () => {
    const socket = new FakeSocket();
    const connection = new CdpConnection(socket);
    const events: unknown[] = [];
    connection.onEvent = (method, _params, size) => events.push([method, size > 10]);
    const [one, two] = [connection.send('A'), connection.send('B')];
    socket.tell({ id: 2, error: { message: 'no such method' } });
    socket.tell({ method: 'Page.loaded', params: {} });
    socket.tell('no JSON');
    socket.tell({ id: 1, result: { value: 3 } });
    assert.deepEqual(await one, { value: 3 });
    await assert.rejects(two, /no such method/);
    assert.deepEqual(events, [['Page.loaded', true]]);
  });

  it('rejects pending and new requests at once when the page has closed', async () => {
    const socket = new FakeSocket();
    const connection = new CdpConnection(socket, 60_000);
    const early = connection.send('A');
    socket.close();
    await assert.rejects(early, /the page is gone/);
    await assert.rejects(connection.send('B'), /the page is gone/);
    assert.equal(socket.sent.length, 1);
  });

  it('gives up on a response that does not arrive', async () => {
    await assert.rejects(new CdpConnection(new FakeSocket(), 10).send('A'), /A was not answered/);
  });
});
