import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BoundedText } from '../../../../src/control/triggers/boundedText';
import { runCommand } from '../../../../src/control/triggers/commandTrigger';
import { sendHttp } from '../../../../src/control/triggers/httpTrigger';
import type { TriggerPlan } from '../../../../src/control/triggers/triggers';
import { ended, eventOf } from '../../support/events';
import { bench, running, type Bench } from '../../support/services';

const servers: Server[] = [];

/** Starts a server on a free port. @returns its address */
async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

const get = (url: URL): TriggerPlan['request'] & { kind: 'http' } => ({
  ...{ kind: 'http', url, method: 'GET', headers: {}, body: undefined },
});
const never = new AbortController().signal;

/** Arms a trigger for the session `a`. */
function arm(on: Bench, more: Partial<TriggerPlan> & Pick<TriggerPlan, 'request'>) {
  return on.services.triggers.arm({
    sessions: () => [on.session()],
    isReady: () => true,
    ...more,
  });
}

function print(on: Bench, output: string): void {
  on.model.dispatch(eventOf('output', { category: 'stdout', output }));
}

describe('triggers', () => {
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('are sent after a line that the program prints from then on, once', async () => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked += 1;
      response.end('ok');
    });
    const on = running(bench());
    print(on, 'ready\n');
    const trigger = arm(on, { request: get(url), after: /ready/ });
    assert.equal(trigger.state, 'waiting');
    print(on, 'not yet\n');
    assert.equal(trigger.state, 'waiting');
    print(on, 'ready\nready\n');
    assert.equal(trigger.state, 'pending');
    print(on, 'ready\n');
    await trigger.settled;
    assert.equal(trigger.state, 'ended');
    assert.equal(asked, 1);
    assert.ok(trigger.durationMs >= 0);
    assert.equal(on.model.listenerCount, 0);
  });

  it('are not sent any more after the call that armed them', async () => {
    const on = running(bench());
    const trigger = arm(on, { request: get(new URL('http://127.0.0.1:1/')), after: /ready/ });
    trigger.disarm();
    print(on, 'ready\n');
    await trigger.settled;
    assert.deepEqual([trigger.state, trigger.end], ['notSent', undefined]);
    assert.equal(on.model.listenerCount, 0);
  });

  it('repeat a refused request until its port listens, and send it then', async () => {
    const url = await serve((_request, response) => response.end());
    const [server] = servers.splice(0);
    const closed = new Promise((resolve) => server?.close(resolve));
    server?.closeAllConnections();
    await closed;
    const on = running(bench());
    const trigger = arm(on, { request: get(url), afterPort: Number(url.port) });
    const late = createServer((_request, response) => response.end('late'));
    servers.push(late);
    await new Promise<void>((resolve) => late.listen(Number(url.port), '127.0.0.1', resolve));
    await trigger.settled;
    assert.ok(trigger.end?.kind === 'answered');
    assert.equal(trigger.end.body.text, 'late');
  });

  it('wait for another port, and give up with the call', async () => {
    const url = await serve((_request, response) => response.end());
    const on = running(bench());
    const sent = arm(on, {
      request: { kind: 'command', command: process.execPath, args: ['-e', ''], cwd: undefined },
      afterPort: Number(url.port),
    });
    await sent.settled;
    assert.equal(sent.end?.kind, 'exited');
    const given = arm(on, {
      request: { kind: 'command', command: process.execPath, args: ['-e', ''], cwd: undefined },
      afterPort: 1,
    });
    given.disarm();
    await given.settled;
    assert.equal(given.state, 'notSent');
  });

  it('that are pending belong to their program, and are ended some time after it', async () => {
    let close = (): void => undefined;
    const isClosed = new Promise<void>((resolve) => (close = resolve));
    const url = await serve((request) => void request.socket.once('close', close));
    const on = running(bench());
    const { triggers } = on.services;
    const trigger = arm(on, { request: get(url) });
    assert.equal(triggers.of(on.session()), trigger);
    running(on, 'b');
    assert.equal(triggers.of(on.session('b')), undefined);
    on.model.dispatch(ended());
    await trigger.settled;
    assert.equal(trigger.end?.kind, 'aborted');
    await isClosed;
    triggers.dispose();
  });

  it('report a pattern that takes too long as their failure', async () => {
    const on = running(bench());
    const after = {
      test: () => {
        throw new Error('too slow');
      },
    };
    const trigger = arm(on, { request: get(new URL('http://127.0.0.1:1/')), after });
    print(on, 'x\n');
    await trigger.settled;
    assert.deepEqual(trigger.end, { kind: 'failed', code: undefined, message: 'too slow' });
  });
});

describe('requests of triggers', () => {
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('send method, headers and body, and follow no redirect', async () => {
    let seen: unknown;
    const url = await serve((request, response) => {
      void request.toArray().then((chunks: Buffer[]) => {
        seen = [request.method, request.headers['x-a'], Buffer.concat(chunks).toString()];
        response.writeHead(302, { location: '/other' }).end('moved');
      });
    });
    const end = await sendHttp(
      { ...get(url), method: 'PUT', headers: { 'x-a': '1' }, body: 'né' },
      never,
    );
    assert.deepEqual(seen, ['PUT', '1', 'né']);
    assert.ok(end.kind === 'answered');
    assert.deepEqual([end.status, end.headers['location']], [302, '/other']);
    assert.deepEqual(end.body, { text: 'moved', bytes: 5, isCut: false });
  });

  it('say that an answer came only in part', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('part', () => response.destroy());
    });
    const end = await sendHttp(get(url), never);
    assert.ok(end.kind === 'answered' && end.isPartial);
    assert.equal(end.body.text, 'part');
  });

  it('tell why there is no answer: refused, no HTTP, no TLS', async () => {
    const url = await serve((request) => void request.socket.destroy());
    const reset = await sendHttp(get(url), never);
    assert.ok(reset.kind === 'failed' && reset.code === 'ECONNRESET');
    const secure = await sendHttp(get(new URL(`https://127.0.0.1:${url.port}/`)), never);
    assert.ok(secure.kind === 'failed', JSON.stringify(secure));
    assert.match(secure.message, /SSL|TLS|EPROTO|wrong version/i);
    const aborted = await sendHttp(get(url), AbortSignal.abort());
    assert.equal(aborted.kind, 'aborted');
  });

  it('keep the beginning and the end of a long text, and count all of it', () => {
    const text = new BoundedText();
    text.add(Buffer.from(`begin${'x'.repeat(1000)}`));
    for (let part = 0; part < 100; part += 1) text.add(Buffer.alloc(100_000, 'y'));
    text.add(Buffer.from('end'));
    const read = text.read();
    assert.equal(read.bytes, 10_001_008);
    assert.ok(read.text.length < 3000);
    assert.match(read.text, /^beginx+y+\n\[9999008 bytes left out\]\ny+end$/);
    const short = new BoundedText();
    short.add(Buffer.from('x'.repeat(1900)));
    assert.deepEqual(short.read(), { text: 'x'.repeat(1900), bytes: 1900, isCut: false });
  });
});

describe('commands of triggers', () => {
  const ENVIRONMENT = { PATH: process.env['PATH'] ?? '', GREETING: 'good day' };
  const run = async (script: string, signal = never, ...args: string[]) =>
    await runCommand(
      { kind: 'command', command: process.execPath, args: ['-e', script, ...args], cwd: undefined },
      ENVIRONMENT,
      signal,
    );

  it('run without a shell and without input', async () => {
    const end = await run(
      "process.stdin.on('end', () => { console.log(process.argv[1]); console.error('e'); process.exit(3); }).resume()",
      never,
      '$(id);`id`',
    );
    assert.ok(end.kind === 'exited');
    assert.equal(end.code, 3);
    assert.ok(end.output.text.includes('$(id);`id`') && end.output.text.includes('e\n'));
  });

  it('get only the environment that is meant for them', async () => {
    const end = await run('console.log(JSON.stringify(Object.keys(process.env).sort()))');
    assert.ok(end.kind === 'exited');
    assert.deepEqual(JSON.parse(end.output.text), ['GREETING', 'PATH']);
  });

  it('are ended with what they have started', async () => {
    const controller = new AbortController();
    const end = run('setInterval(() => undefined, 1000)', controller.signal);
    controller.abort();
    assert.equal((await end).kind, 'aborted');
    if (process.platform !== 'linux') return;
    const left = await runCommand(
      {
        kind: 'command',
        command: '/bin/sh',
        args: ['-c', 'sleep 1000 & echo $!'],
        cwd: undefined,
      },
      ENVIRONMENT,
      never,
    );
    assert.ok(left.kind === 'exited' && left.code === 0);
    const pid = Number(left.output.text.trim());
    assert.ok(pid > 1);
    // An ended process stays in the table until its parent has asked for its exit code. One that just ends is running (R),
    // and one that waits for its thousand seconds is asleep (S).
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
    assert.match(stat, /\) [ZXR]/, 'the background process is ended');
  });

  it('that do not exist, or whose arguments cannot be passed, fail', async () => {
    const absent = await runCommand(
      { kind: 'command', command: '/absent/command', args: [], cwd: undefined },
      ENVIRONMENT,
      never,
    );
    assert.ok(absent.kind === 'failed' && absent.code === 'ENOENT');
    const zero = await run('', never, 'a\0b');
    assert.equal(zero.kind, 'failed');
  });
});
