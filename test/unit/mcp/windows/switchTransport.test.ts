import { strict as assert } from 'node:assert';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { MessageChannel, type Message } from '../../../../src/mcp/windows/messageChannel';
import type { WindowEntry } from '../../../../src/mcp/windows/registry';
import { SwitchTransport, type SwitchOptions } from '../../../../src/mcp/windows/switchTransport';

const windowNamed = (id: string, folder: string): WindowEntry => ({
  id,
  pid: process.pid,
  machine: 'here',
  port: 1,
  secret: 's',
  folders: [folder],
  name: '',
  editor: 'Test',
  version: '1',
  startedAt: '2026-01-01T00:00:00.000Z',
});

const ONE = windowNamed('00000001', '/home/ada/one');
const TWO = windowNamed('00000002', '/home/ada/two');

/** A session in another window. The test plays the part of that window. */
class ScriptedChannel extends MessageChannel {
  readonly sent: Message[] = [];
  isClosed = false;

  constructor(
    window: WindowEntry,
    private readonly onSent: () => void,
  ) {
    super({ window, path: '/mcp' });
  }

  override async start(): Promise<Message> {
    return { jsonrpc: '2.0', id: 'agent-debugger', result: {} };
  }

  override async send(message: Message): Promise<void> {
    this.sent.push(message);
    this.onSent();
  }

  override async close(): Promise<void> {
    this.isClosed = true;
  }

  override drop(): void {
    this.isClosed = true;
  }

  answer(id: number): void {
    this.onmessage({ jsonrpc: '2.0', id, result: { from: 'the window' } }, id);
  }
}

/** A client of window one, and the messages on both of its sides. */
class ScriptedClient {
  /** The messages that the client has received. */
  readonly received: JSONRPCMessage[] = [];
  /** The messages that this window's own server has received. */
  readonly served: JSONRPCMessage[] = [];
  readonly channels: ScriptedChannel[] = [];
  readonly transport: SwitchTransport;
  private readonly inner: Transport;
  private readonly waiting = new Set<() => void>();

  constructor(options: Partial<SwitchOptions> = {}) {
    this.inner = {
      start: async () => undefined,
      close: async () => undefined,
      send: async (message) => {
        this.received.push(message);
        this.changed();
      },
    };
    this.transport = new SwitchTransport(this.inner, {
      windows: {
        ownId: ONE.id,
        list: async () => [ONE, TWO],
        comesBack: async () => undefined,
        channelTo: (window) => {
          const channel = new ScriptedChannel(window, () => this.changed());
          this.channels.push(channel);
          return channel;
        },
        onDidChange: () => ({ dispose: () => undefined }),
      },
      wish: {},
      log: () => undefined,
      ...options,
    });
    this.transport.onmessage = (message) => {
      this.served.push(message);
      this.changed();
    };
  }

  async begin(capabilities: object = {}): Promise<this> {
    await this.transport.start();
    this.say({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities,
        clientInfo: { name: 'x', version: '1' },
      },
    });
    return this;
  }

  say(message: object): void {
    this.inner.onmessage?.(message as JSONRPCMessage);
  }

  call(id: number, name: string, input: object = {}): void {
    this.say({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } });
  }

  cancel(requestId: number): void {
    this.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  }

  /** Resolves when the condition is true. It is checked after each message on any side. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.waiting.add(resolve));
  }

  /** Waits for the request with this method, or the response with this id, that the client receives. */
  async hears(key: string | number): Promise<Record<string, unknown>> {
    const find = (): JSONRPCMessage | undefined =>
      this.received.find((message) =>
        typeof key === 'string'
          ? 'method' in message && message.method === key
          : !('method' in message) && 'id' in message && message.id === key,
      );
    await this.until(() => find() !== undefined);
    return { ...find() };
  }

  private changed(): void {
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }

  get channel(): ScriptedChannel {
    const [channel] = this.channels;
    assert.ok(channel);
    return channel;
  }
}

const structured = (answer: Record<string, unknown>): Record<string, unknown> =>
  (answer['result'] as { structuredContent: Record<string, unknown> }).structuredContent;

const idsOf = (messages: readonly object[]): unknown[] =>
  messages.map((message) => ('id' in message ? message.id : undefined));

describe('a client’s session in one of several windows', () => {
  /** A client whose call with id 1 is open in window two. */
  async function waitingInTwo(): Promise<ScriptedClient> {
    const client = await new ScriptedClient({ wish: { workspace: 'two' } }).begin();
    client.call(1, 'wait_for_stop');
    await client.until(() => client.channels[0]?.sent.length === 1);
    return client;
  }

  const ROOT_OF_TWO = { roots: [{ uri: 'file:///home/ada/two' }] };

  it('sends a call that is cancelled while the window is being chosen to no window, and another call to its window', async () => {
    const client = await new ScriptedClient().begin({ roots: {} });
    client.call(1, 'set_breakpoint');
    client.call(2, 'get_debug_state');
    const asked = await client.hears('roots/list');
    client.cancel(1);
    client.say({ jsonrpc: '2.0', id: asked['id'], result: ROOT_OF_TWO });
    await client.until(() => (client.channels[0]?.sent.length ?? 0) > 0);
    assert.deepEqual(idsOf(client.channel.sent), [2]);
    client.channel.answer(2);
    await client.hears(2);
    assert.equal(idsOf(client.received).includes(1), false, 'no answer to what was cancelled');
    assert.deepEqual(
      client.served.map((message) => 'method' in message && message.method),
      ['initialize'],
      'this window’s server hears of none of it',
    );
  });

  it('does not make a call here that is cancelled while this window is being chosen', async () => {
    const client = await new ScriptedClient().begin({ roots: {} });
    client.call(1, 'set_breakpoint');
    client.call(2, 'get_debug_state');
    const asked = await client.hears('roots/list');
    client.cancel(1);
    client.say({
      jsonrpc: '2.0',
      id: asked['id'],
      result: { roots: [{ uri: 'file:///home/ada/one' }] },
    });
    await client.until(() => client.served.length > 1);
    assert.deepEqual(idsOf(client.served), [0, 2]);
  });

  it('keeps the open call of a window that is left until the window has answered', async () => {
    const client = await waitingInTwo();
    client.call(2, 'select_window', { window: 'one' });
    assert.equal(structured(await client.hears(2))['status'], 'success');
    assert.deepEqual(idsOf(client.channel.sent), [1]);
    assert.equal(client.channel.isClosed, false, 'its call is still open');
    client.call(3, 'get_debug_state');
    assert.deepEqual(idsOf(client.served), [0, 3], 'the next call is made here');
    client.channel.answer(1);
    assert.deepEqual((await client.hears(1))['result'], { from: 'the window' });
    assert.equal(client.channel.isClosed, true);
  });

  it('answers the open call of a window that is left and then lost', async () => {
    const client = await waitingInTwo();
    client.call(2, 'select_window', { window: 'one' });
    await client.hears(2);
    client.channel.onlost();
    assert.equal(structured(await client.hears(1))['code'], 'window_closed');
    client.call(3, 'get_debug_state');
    assert.deepEqual(idsOf(client.served), [0, 3], 'the window that was chosen is not lost');
  });

  it('closes the session in a window that is left as soon as its call is cancelled', async () => {
    const client = await waitingInTwo();
    client.call(2, 'select_window', { window: 'one' });
    await client.hears(2);
    client.cancel(1);
    await Promise.resolve();
    assert.deepEqual(
      client.channel.sent.map((message) => message.method),
      ['tools/call', 'notifications/cancelled'],
    );
    assert.equal(client.channel.isClosed, true);
  });
});
