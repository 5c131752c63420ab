import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  MessageChannel,
  type Message,
  type MessageId,
} from '../../../../src/mcp/windows/messageChannel';
import { ProofDoor } from '../../../../src/mcp/windows/proofDoor';

const DEEP = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;

describe('a channel to a window', () => {
  let window: Server;
  let channel: MessageChannel;
  const posted: Message[] = [];
  let heard: () => void = () => undefined;

  /** Opens a window that answers each request with the given text, as one event of a stream. */
  async function open(answerOf: (message: Message) => string): Promise<void> {
    posted.length = 0;
    const door = new ProofDoor('00000001', 's');
    window = createServer((request, response) => {
      const { port } = window.address() as AddressInfo;
      if (door.enter(request, response, { host: '127.0.0.1', port }) === 'answered') return;
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.once('end', () => {
        const message = JSON.parse(body) as Message;
        posted.push(message);
        heard();
        response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 'x' });
        response.end(
          message.id === undefined || message.method === undefined
            ? ''
            : `data: ${answerOf(message)}\n\n`,
        );
      });
    });
    window.listen(0, '127.0.0.1');
    await once(window, 'listening');
    channel = new MessageChannel({
      window: {
        id: '00000001',
        pid: process.pid,
        port: (window.address() as AddressInfo).port,
        secret: 's',
      },
      path: '/mcp',
    });
  }

  afterEach(() => {
    channel.drop();
    window.closeAllConnections();
    window.close();
  });

  const answered = (id: MessageId): string => JSON.stringify({ jsonrpc: '2.0', id, result: {} });
  const hello: Message = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} };

  it('turns a response that is nested too deeply into an error', async () => {
    await open(({ id, method }) =>
      method === 'initialize'
        ? answered(0)
        : `{"jsonrpc":"2.0","id":${String(id)},"result":${DEEP}}`,
    );
    await channel.start(hello, { listen: false });
    const messages: Message[] = [];
    channel.onmessage = (message) => void messages.push(message);
    await channel.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' });
    assert.deepEqual(
      messages.map(({ id, error }) => [id, error?.code]),
      [[1, -32602]],
    );
  });

  it('answers a window’s request that is nested too deeply, and passes on other messages', async () => {
    await open(({ id, method }) =>
      method === 'initialize'
        ? answered(0)
        : `{"jsonrpc":"2.0","id":"w","method":"roots/list","params":${DEEP}}\n\ndata: {"jsonrpc":"2.0","method":"notifications/x","params":${DEEP}}\n\ndata: ${answered(id ?? '')}`,
    );
    await channel.start(hello, { listen: false });
    const messages: Message[] = [];
    channel.onmessage = (message) => void messages.push(message);
    const isAnswered = new Promise<void>(
      (resolve) => (heard = () => (posted.at(-1)?.id === 'w' ? resolve() : undefined)),
    );
    await channel.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' });
    await isAnswered;
    assert.equal(posted.at(-1)?.error?.code, -32602);
    assert.deepEqual(messages, [{ jsonrpc: '2.0', id: 1, result: {} }]);
  });
});
