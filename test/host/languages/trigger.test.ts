import { strict as assert } from 'node:assert';
import {
  call,
  cleanUp,
  errorOf,
  inWorkspace,
  marked,
  stopOf,
  type Answer,
} from '../support/client';
import { freePort } from '../support/freePort';
import { LANGUAGES, skipWhereMissing } from './language';

const WAIT = { timeout_seconds: 120 };

interface Trigger {
  readonly state: string;
  readonly http_status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly exit_code?: number;
  readonly output?: string;
  readonly duration_ms?: number;
  readonly message?: string;
}

/** What became of the trigger of a call. */
function triggerOf(answer: Answer): Trigger {
  assert.ok(answer['trigger'] !== undefined, JSON.stringify(answer));
  return answer['trigger'] as Trigger;
}

const SERVERS = [
  { language: 'Node', file: 'node/live.js', method: 'GET' },
  { language: 'Python', file: 'python/live.py', method: 'POST' },
] as const;

describe('a trigger', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  const needs = (context: Mocha.Context, name: string): void => {
    const language = LANGUAGES.find((each) => each.name === name);
    assert.ok(language);
    skipWhereMissing(context, language);
  };

  for (const { language, file, method } of SERVERS) {
    it(`${language}: starts a server, sends it a request, stops in its handler, and reports the answer of a later call`, async function () {
      needs(this, language);
      const port = await freePort();
      const line = marked(file, 'handler');
      const trigger = {
        url: `http://127.0.0.1:${port}/price`,
        method,
        after: '^listening',
        ...(method === 'POST' ? { body: '3' } : {}),
      };
      const started = await call('start_debugging', {
        ...{ program: inWorkspace(file), args: [String(port)], trigger, ...WAIT },
        breakpoints: [{ file_path: file, line_number: line }],
      });
      const stop = stopOf(started);
      assert.equal(stop.line, line, JSON.stringify(started));
      assert.equal(triggerOf(started).state, 'pending');

      const stepped = await call('step_execution', {
        ...{ thread_id: stop.thread_id, step_type: 'out', ...WAIT },
      });
      assert.equal(triggerOf(stepped).state, 'pending', JSON.stringify(stepped));
      const again = await call('wait_for_stop', {});
      assert.equal(triggerOf(again).state, 'pending', 'the program still stands');
      const refused = await call('continue_debugging', { thread_id: stop.thread_id, trigger });
      errorOf(refused, 'trigger_pending');

      const answered = await call('continue_debugging', { thread_id: stop.thread_id, ...WAIT });
      assert.equal(answered.status, 'timeout', JSON.stringify(answered));
      assert.match(String(answered['message']), /trigger has ended/);
      const { state, http_status, body, headers = {}, duration_ms = 0 } = triggerOf(answered);
      assert.deepEqual([state, http_status], ['completed', 200], JSON.stringify(answered));
      assert.match(String(body), /21/);
      assert.ok(Object.keys(headers).length > 0);
      assert.ok(duration_ms > 0);
      const ended = await call('wait_for_stop', { timeout_seconds: 1 });
      assert.equal(ended['trigger'], undefined, 'an end is reported once');
    });
  }

  for (const { language, file, method } of SERVERS) {
    const asking = (port: number): object => ({
      url: `http://127.0.0.1:${port}/price`,
      method,
      ...(method === 'POST' ? { body: '3' } : {}),
    });
    const probes = [{ file_path: file, line: marked(file, 'handler'), expressions: ['count'] }];
    const rowsOf = (answer: Answer): unknown => {
      assert.equal(answer['ended_by'], 'trigger', JSON.stringify(answer));
      assert.equal(triggerOf(answer).http_status, 200, JSON.stringify(answer));
      return answer['hits'];
    };

    it(`${language}: collects and traces in a server that the call starts, or that runs already`, async function () {
      needs(this, language);
      const port = await freePort();
      const server = { program: inWorkspace(file), args: [String(port)] };
      const trigger = { ...asking(port), after: '^listening' };
      const collected = await call('collect_values', {
        ...{ ...server, trigger, probes, max_seconds: 120 },
      });
      assert.deepEqual([rowsOf(collected), collected.status], [1, 'completed']);
      assert.equal(collected['program'], 'ended', 'the call has started it');

      const traced = await call('trace_function', {
        ...{ ...server, trigger, function_name: 'price', file_path: file, max_seconds: 120 },
      });
      assert.equal(traced['returned'], '21', JSON.stringify(traced));
      assert.deepEqual([traced.status, triggerOf(traced).state], ['stopped', 'pending']);
      const { thread_id } = traced;
      const answered = await call('continue_debugging', { thread_id, ...WAIT });
      assert.equal(triggerOf(answered).http_status, 200, JSON.stringify(answered));

      const live = { session_id: traced['session_id'], trigger: asking(port), max_seconds: 120 };
      const again = await call('collect_values', { ...live, probes });
      assert.deepEqual([rowsOf(again), again['program']], [1, 'running']);
      const missed = await call('trace_function', {
        ...{ ...live, function_name: 'price', file_path: file, call: 5 },
      });
      assert.deepEqual([missed['ended_by'], missed['reached']], ['trigger', false]);
      const call2 = await call('trace_function', {
        ...{ ...live, function_name: 'price', file_path: file },
      });
      assert.equal(call2['returned'], '21', JSON.stringify(call2));
    });
  }

  it('Node: wait_for_stop sends a request to a program that runs', async function () {
    needs(this, 'Node');
    const port = await freePort();
    const file = 'node/live.js';
    const started = await call('start_debugging', {
      ...{
        program: inWorkspace(file),
        args: [String(port)],
        output_pattern: '^listening',
        ...WAIT,
      },
    });
    assert.equal(started.status, 'timeout', JSON.stringify(started));
    const line = marked(file, 'handler');
    await call('set_breakpoint', { file_path: file, line_number: line });
    const url = `http://127.0.0.1:${port}/price`;
    const stopped = await call('wait_for_stop', { trigger: { url }, ...WAIT });
    assert.equal(stopOf(stopped).line, line);
    assert.equal(triggerOf(stopped).state, 'pending');
  });

  /** Starts the Node server with a trigger, and no breakpoint. */
  const start = async (
    trigger: object,
    more: object = {},
    args: string[] = [],
  ): Promise<Answer> => {
    const port = await freePort();
    const text = JSON.stringify(trigger).replaceAll('PORT', String(port));
    return await call('start_debugging', {
      program: inWorkspace('node/live.js'),
      args: [String(port), ...args],
      trigger: JSON.parse(text) as object,
      ...WAIT,
      ...more,
    });
  };

  it('is sent as soon as its port listens, and ends the wait when nothing stops', async function () {
    needs(this, 'Node');
    const port = await freePort();
    const answer = await call('start_debugging', {
      ...{ program: inWorkspace('node/live.js'), args: [String(port)], ...WAIT },
      trigger: { url: `http://127.0.0.1:${port}/price`, after_port: port },
    });
    assert.equal(answer.status, 'timeout', JSON.stringify(answer));
    assert.equal(triggerOf(answer).http_status, 200);
  });

  it('reports a redirect, and does not follow it', async function () {
    needs(this, 'Node');
    const { state, http_status, message } = triggerOf(
      await start({ url: 'http://127.0.0.1:PORT/moved', after: '^listening' }),
    );
    assert.deepEqual([state, http_status], ['completed', 302]);
    assert.match(String(message), /redirects to http:\/\/shop\.example\/price/);
  });

  it('reads an answer of 100 MB in bounds', async function () {
    needs(this, 'Node');
    const {
      state,
      body = '',
      message,
    } = triggerOf(await start({ url: 'http://127.0.0.1:PORT/large', after: '^listening' }));
    assert.equal(state, 'completed');
    assert.ok(body.length < 3000 && body.endsWith('end'), String(body.length));
    assert.match(String(message), /104857603 bytes/);
  });

  it('that is never answered ends with the session', async function () {
    needs(this, 'Node');
    const answer = await start(
      { url: 'http://127.0.0.1:PORT/never', after: '^listening' },
      { output_pattern: '^never answered' },
    );
    assert.equal(answer.status, 'timeout', JSON.stringify(answer));
    assert.equal(triggerOf(answer).state, 'pending');
    const stopped = await call('stop_debugging', {});
    const { state, message } = triggerOf(stopped);
    assert.equal(state, 'failed', JSON.stringify(stopped));
    assert.match(String(message), /aborted|closed without an answer/);
  });

  it('that is refused ends the wait and says so', async function () {
    needs(this, 'Node');
    const other = await freePort();
    const answer = await start({ url: `http://127.0.0.1:${other}/`, after: '^listening' });
    assert.equal(answer.status, 'timeout', JSON.stringify(answer));
    const { state, message } = triggerOf(answer);
    assert.equal(state, 'failed');
    assert.match(String(message), /refused/);
  });

  it('is not sent if the server ends before it is ready', async function () {
    needs(this, 'Node');
    const answer = await start({ url: 'http://127.0.0.1:PORT/price', after: '^listening' }, {}, [
      'fails',
    ]);
    assert.equal(answer.status, 'completed', JSON.stringify(answer));
    assert.equal(answer['exit_code'], 4);
    assert.equal(triggerOf(answer).state, 'not_sent');
  });

  it('reports the answer of a server that ends after it', async function () {
    needs(this, 'Node');
    const answer = await start({ url: 'http://127.0.0.1:PORT/quit', after: '^listening' });
    assert.equal(triggerOf(answer).body, 'bye');
    // On a busy machine, the program may end later than half a second after its answer.
    const isRunning = answer.status === 'timeout' && answer['exit_code'] === undefined;
    const end = isRunning ? await call('wait_for_stop', WAIT) : answer;
    assert.equal(end['exit_code'], 3, JSON.stringify([answer, end]));
  });

  it('runs a command without a shell, and reports its exit code and output', async function () {
    needs(this, 'Node');
    const script =
      'fetch(process.argv[1]).then((r) => r.text()).then((t) => { console.log(t, process.argv[2]); process.exit(5); })';
    const answer = await start({
      command: process.platform === 'win32' ? 'node.exe' : 'node',
      args: ['-e', script, 'http://127.0.0.1:PORT/price', '$(echo x) `y` ; z'],
      after: '^listening',
    });
    const { state, exit_code, output } = triggerOf(answer);
    assert.deepEqual([state, exit_code], ['completed', 5], JSON.stringify(answer));
    assert.match(String(output), /"price":21.* \$\(echo x\) `y` ; z/);
  });

  it('that is wrong is refused before anything is started', async function () {
    needs(this, 'Node');
    for (const trigger of [
      {},
      { url: 'ftp://localhost/' },
      { url: 'http://me:secret@localhost/' },
      { url: 'http://localhost/', command: 'ls' },
      { url: 'http://localhost/', method: 'CONNECT' },
      { url: 'http://localhost/', headers: { 'a b': 'c' } },
      { url: 'http://localhost/', headers: { a: 'b\r\nc: d' } },
      { url: 'http://localhost/', after: '(?=x)' },
      { url: 'http://localhost/', after: 'x', after_port: 3 },
      { command: 'ls', body: 'x' },
    ])
      errorOf(
        await call('start_debugging', { program: inWorkspace('node/live.js'), trigger }),
        'invalid_input',
      );
    const state = await call('get_debug_state', {});
    const live = (state['sessions'] as { state: string }[]).filter(
      (each) => each.state !== 'terminated',
    );
    assert.deepEqual(live, []);
  });
});
