import { strict as assert } from 'node:assert';
import { injectedMessage } from '../../../../src/debugger/breakpoints/injectedLines';
import { once } from 'node:events';
import WebSocket from 'ws';
import { fields, type Fields } from '../../../../src/debugger/protocol';
import { ProofDoor } from '../../../../src/mcp/windows/proofDoor';
import { Redactor } from '../../../../src/results/redact';
import type { RelaySetting } from '../../../../src/mcp/server/relay/relayServer';
import { ended, eventOf } from '../../support/events';
import { bench, paused, type Bench } from '../../support/services';
import { RunningServer } from '../support/server';

/** A front end that follows a session as a web page would: it sends the key as a subprotocol. */
class FrontEnd {
  readonly messages: Fields[] = [];
  private waiting: (() => void)[] = [];
  closed: { code: number; reason: string } | undefined;

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data) => {
      this.messages.push(fields(JSON.parse((data as Buffer).toString('utf8'))));
      this.happened();
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
      this.happened();
    });
    socket.on('error', () => undefined);
  }

  async until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  async event(name: string): Promise<Fields> {
    return await this.until(() => this.messages.find((each) => each['event'] === name));
  }

  async ask(command: string, args: object = {}, seq = 7): Promise<Fields> {
    this.socket.send(JSON.stringify({ seq, type: 'request', command, arguments: args }));
    return await this.until(() => this.messages.find((each) => each['request_seq'] === seq));
  }

  private happened(): void {
    for (const each of this.waiting.splice(0)) each();
  }
}

describe('the relay for front ends', () => {
  let on: Bench;
  let server: RunningServer;
  let setting: RelaySetting;
  const sockets: WebSocket[] = [];
  beforeEach(async () => {
    setting = 'read';
    on = paused(bench());
    server = await new RunningServer(on, { relay: () => setting }).start();
  });
  afterEach(async () => {
    for (const each of sockets.splice(0)) each.terminate();
    await server.stop();
  });

  const address = (query = ''): string => `ws://127.0.0.1:${server.port}/dap${query}`;
  const opening = (query = '', key = server.authorization.slice(7), origin?: string): WebSocket => {
    const socket = new WebSocket(
      address(query),
      ['agent-debugger.dap', `agent-debugger.key.${key}`],
      {
        ...(origin === undefined ? {} : { origin }),
      },
    );
    sockets.push(socket);
    return socket;
  };
  const connect = async (query = ''): Promise<FrontEnd> => {
    const front = new FrontEnd(opening(query));
    await once(front.socket, 'open');
    await front.event('agentDebugger');
    return front;
  };
  /** The HTTP status with which a connection is refused. */
  const refusalOf = async (socket: WebSocket): Promise<number> => {
    socket.on('error', () => undefined);
    const [, response] = (await once(socket, 'unexpected-response')) as [
      unknown,
      { statusCode: number },
    ];
    return response.statusCode;
  };

  it('sends the session first, and never sends the key back', async () => {
    const front = await connect('?session=s1');
    const body = fields((await front.event('agentDebugger'))['body']);
    assert.deepEqual(
      [body['session_id'], body['state'], body['rights']],
      ['s1', 'stopped', 'read'],
    );
    assert.equal(front.socket.protocol, 'agent-debugger.dap');
  });

  it('sends the adapter’s events to several viewers, in order and without credentials', async () => {
    const fronts = [await connect(), await connect()];
    on.host.emit('output', {
      category: 'stdout',
      output: 'token ghp_16C7e42F292c6912E7710c838347Ae178B4a\n',
    });
    // A line that a logpoint of a call prints.
    on.host.emit('output', { category: 'stdout', output: injectedMessage('nonce', 1, ['x']) });
    on.host.emit('continued', { threadId: 1 });
    for (const front of fronts) {
      await front.event('continued');
      assert.deepEqual(
        front.messages.map((each) => each['event']),
        ['agentDebugger', 'output', 'continued'],
      );
      assert.deepEqual(
        front.messages.map((each) => each['seq']),
        [1, 2, 3],
      );
      assert.ok(!JSON.stringify(front.messages).includes('ghp_16C7'));
    }
  });

  it('answers requests that change nothing with the adapter’s responses', async () => {
    const front = await connect();
    const { success, body } = await front.ask('stackTrace', { threadId: 1 });
    assert.equal(success, true);
    assert.match(JSON.stringify(body), /main\.js/);
  });

  it('reads only scopes and values whose references it has sent at this stop', async () => {
    on.host.on('variables', () => ({
      variables: [
        { name: 'count', value: '3', variablesReference: 0 },
        { name: 'total', value: '…', variablesReference: 8, presentationHint: { lazy: true } },
      ],
    }));
    const front = await connect();
    assert.equal((await front.ask('scopes', { frameId: 10 }, 1))['success'], false, 'not yet');
    await front.ask('stackTrace', { threadId: 1 }, 2);
    const { body } = await front.ask('scopes', { frameId: 10 }, 3);
    assert.match(JSON.stringify(body), /"Local"/);
    const values = await front.ask('variables', { variablesReference: 7 }, 4);
    assert.match(JSON.stringify(values['body']), /"count"/);
    const sent = on.host.sent('variables').length;
    const lazy = await front.ask('variables', { variablesReference: 8 }, 5);
    assert.match(String(lazy['message']), /would run code/);
    assert.equal((await front.ask('variables', { variablesReference: 99 }, 6))['success'], false);
    assert.equal(on.host.sent('variables').length, sent, 'neither was sent');
    on.host.on('continue', () => ({}));
    on.model.dispatch(eventOf('continued', { threadId: 1 }));
    const late = await front.ask('variables', { variablesReference: 7 }, 8);
    assert.equal(late['success'], false, 'of a stop that is over');
  });

  it('closes the connection if one of the person’s redaction patterns cannot be used', async () => {
    const strict = paused(bench());
    const redactor = new Redactor(() => ({ enabled: true, patterns: ['('] }));
    const services = { ...strict.services, redactor };
    const other = await new RunningServer(
      { ...strict, services },
      { relay: () => 'control' },
    ).start();
    try {
      const socket = new WebSocket(`ws://127.0.0.1:${other.port}/dap`, [
        'agent-debugger.dap',
        `agent-debugger.key.${other.authorization.slice(7)}`,
      ]);
      const [code] = (await once(socket, 'close')) as [number];
      assert.equal(code, 1011);
      assert.equal(strict.host.moves.length, 0);
    } finally {
      await other.stop();
    }
  });

  it('stops at once even if a viewer does not respond', async () => {
    const front = await connect();
    front.socket.pause();
    const begun = performance.now();
    await server.stop();
    assert.ok(performance.now() - begun < 5000);
  });

  it('is not available on a port that requires a proof', async () => {
    const own = await server.now.open(0, new ProofDoor('window', 'secret'));
    const socket = new WebSocket(`ws://127.0.0.1:${own.port}/dap`, [
      'agent-debugger.dap',
      `agent-debugger.key.${server.authorization.slice(7)}`,
    ]);
    sockets.push(socket);
    assert.notEqual(await refusalOf(socket), 101);
  });

  it('refuses requests that move or change the program, until the person allows moves', async () => {
    const front = await connect();
    const refused = await front.ask('continue', { threadId: 1 });
    assert.match(String(refused['message']), /read-only/);
    for (const command of ['evaluate', 'disconnect', 'setVariable', 'setBreakpoints', 'launch'])
      assert.equal((await front.ask(command, {}, command.length))['success'], false, command);
    assert.equal(on.host.moves.length, 0);
    setting = 'control';
    const moved = await front.ask('next', { threadId: 1 }, 99);
    assert.equal(moved['success'], true);
    assert.deepEqual(
      on.host.moves.map((each) => [each.command, each.threadId]),
      [['next', 1]],
    );
    assert.equal((await front.ask('evaluate', { expression: '1' }, 100))['success'], false);
    const inherited = await front.ask('constructor', { threadId: 1 }, 101);
    assert.match(String(inherited['message']), /does not forward constructor/);
    assert.equal(on.host.moves.length, 1);
  });

  it('does not move a program that another call has leased or that the person has taken over', async () => {
    setting = 'control';
    const front = await connect();
    const lease = on.services.control.leases.acquire(on.session(), 'trace_function');
    assert.equal((await front.ask('next', { threadId: 1 }, 1))['success'], false);
    lease.dispose();
    on.services.access.setPaused(true);
    assert.equal((await front.ask('next', { threadId: 1 }, 2))['success'], false);
    assert.equal(on.host.moves.length, 0);
  });

  it('refuses a wrong key, other origins and unknown sessions, and all connections while it is off', async () => {
    assert.equal(await refusalOf(opening('', 'wrong')), 401);
    assert.equal(await refusalOf(opening('', undefined, 'https://example.com')), 403);
    assert.equal(await refusalOf(opening('?session=s9')), 404);
    setting = 'off';
    server.now.relayChanged();
    assert.notEqual(await refusalOf(opening()), 101);
  });

  it('disconnects viewers when it is switched off and when the session ends', async () => {
    const front = await connect();
    setting = 'off';
    server.now.relayChanged();
    assert.equal((await front.until(() => front.closed)).code, 1000);
    setting = 'read';
    server.now.relayChanged();
    const next = await connect();
    on.model.dispatch(ended());
    assert.match((await next.until(() => next.closed)).reason, /ended/);
  });

  it('sends the events from before the end of the session, then disconnects viewers', async () => {
    const front = await connect();
    on.host.emit('output', { category: 'stdout', output: 'last words\n' });
    on.host.emit('exited', { exitCode: 3 });
    on.model.dispatch(ended());
    await front.until(() => front.closed);
    assert.deepEqual(
      front.messages.map((each) => each['event']),
      ['agentDebugger', 'output', 'exited'],
    );
  });

  it('returns a source by the adapter’s reference, and never a file by its path', async () => {
    on.host.on('source', () => ({ content: 'made by the adapter' }));
    const front = await connect();
    const secret = { source: { path: '/home/ada/.env', sourceReference: 0 }, sourceReference: 0 };
    assert.match(String((await front.ask('source', secret, 1))['message']), /sourceReference/);
    assert.equal(on.host.sent('source').length, 0);
    const known = { source: { path: '/home/ada/.env', sourceReference: 4 }, sourceReference: 4 };
    assert.equal((await front.ask('source', known, 2))['success'], true);
    assert.deepEqual(on.host.sent('source'), [
      { source: { sourceReference: 4 }, sourceReference: 4 },
    ]);
  });

  it('disconnects a viewer that sends too many requests, an invalid request or too much data', async () => {
    const flooding = await connect();
    for (let seq = 1; seq <= 300; seq += 1)
      flooding.socket.send(JSON.stringify({ seq, type: 'request', command: 'threads' }));
    assert.equal((await flooding.until(() => flooding.closed)).code, 1008);
    const silly = await connect();
    silly.socket.send('hello');
    assert.equal((await silly.until(() => silly.closed)).code, 1008);
    const large = await connect();
    large.socket.send('x'.repeat(100_000));
    assert.equal((await large.until(() => large.closed)).code, 1009);
  });

  it('keeps a viewer that reads, even if the program prints thousands of lines at once', async () => {
    const front = await connect();
    for (let line = 1; line <= 2000; line += 1)
      on.model.dispatch(eventOf('output', { category: 'stdout', output: `line ${line}\n` }));
    await front.until(() => front.closed ?? (front.messages.length > 2000 || undefined));
    assert.equal(front.closed, undefined);
    assert.match(JSON.stringify(front.messages.at(-1)), /line 2000/);
  });

  it('disconnects a viewer that does not read', async () => {
    const front = await connect();
    front.socket.pause();
    const text = 'x'.repeat(10_000);
    for (let times = 0; times < 600; times += 1)
      on.model.dispatch(eventOf('output', { category: 'stdout', output: `${text}\n` }));
    assert.equal((await connect()).closed, undefined, 'others are served');
    front.socket.resume();
    assert.ok((await front.until(() => front.closed)).code > 1000);
  });

  it('treats an upgrade to another protocol as an ordinary request while it is off', async () => {
    setting = 'off';
    server.now.relayChanged();
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const upgrading = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' };
    const [plain, offered] = [
      await server.ask({ body }),
      await server.ask({ body, headers: upgrading }),
    ];
    assert.deepEqual([offered.status, offered.body], [plain.status, plain.body]);
  });
});
