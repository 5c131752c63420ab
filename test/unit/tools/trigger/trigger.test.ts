import { strict as assert } from 'node:assert';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { annotationsOf } from '../../../../src/mcp/server/toolDefinitions';
import { inputSchemaOf } from '../../../../src/tools/jsonSchema';
import { prepareCall } from '../../../../src/tools/run';
import { requestOf, type TriggerInput } from '../../../../src/tools/trigger/triggerInput';
import { ask, toolNamed } from '../../support/asking';
import { readCard } from '../../support/card';
import { cardText, configured } from '../../support/cards';
import { eventOf, stopped } from '../../support/events';
import { stopOf } from '../../support/runCalls';
import { bench, FILE, failsWith, paused, running } from '../../support/services';

const SHOP = { name: 'Shop', type: 'test', request: 'launch', program: '/home/ada/app/main.js' };

describe('trigger: the card', () => {
  const lines = async (trigger: object, more: object = {}): Promise<readonly string[]> =>
    readCard(
      await cardText(configured([SHOP]), 'start_debugging', {
        ...{ configuration_name: 'Shop', trigger },
        ...more,
      }),
    );

  it('shows the whole request, and when it is sent', async () => {
    const shown = await lines({
      ...{ url: 'http://localhost:3000/items?a=1', headers: { 'x-user': 'ada' }, body: '{"a":1}' },
      after: '^listening',
    });
    assert.equal(
      shown.at(-1),
      'When it prints ^listening: send POST http://localhost:3000/items?a=1; with the headers x-user: ada; with the body {"a":1}',
    );
  });

  it('names another computer', async () => {
    assert.equal(
      (await lines({ url: 'https://shop.example/x', method: 'delete', after_port: 3000 })).at(-1),
      'When port 3000 accepts connections: send DELETE https://shop.example/x; to another computer (shop.example)',
    );
    assert.equal(
      (await lines({ url: 'http://127.0.0.1.evil.example/' })).at(-1),
      'When it runs: send GET http://127.0.0.1.evil.example/; to another computer (127.0.0.1.evil.example)',
    );
  });

  it('shows a command with its arguments and folder', async () => {
    assert.equal(
      (await lines({ command: 'curl', args: ['-d', '$(x) y'] })).at(-1),
      'When it runs: run curl -d $(x) y in app',
    );
    const on = paused(bench());
    assert.match(
      await cardText(on, 'continue_debugging', { thread_id: 1, trigger: { command: 'curl' } }),
      /^Continue from [^\n]*\n- When it runs: run `curl` in `app`$/,
    );
  });

  it('is the same for a collection, a trace and a wait', async () => {
    const on = running(bench());
    on.workspace.files.set(FILE, 'function main() {\n  f();\n  g();\n}\n');
    const trigger = { url: 'http://localhost:3000/', body: '1', after_port: 3000 };
    const probes = [{ file_path: FILE, line: 3, expressions: ['count'] }];
    for (const [name, input] of [
      ['collect_values', { probes, trigger }],
      ['trace_function', { file_path: FILE, line: 1, trigger }],
      ['wait_for_stop', { trigger }],
    ] as const)
      assert.equal(
        (await cardText(on, name, input)).split('\n- ').at(-1),
        'When port 3000 accepts connections: send `POST http://localhost:3000/`; with the body `1`',
        name,
      );
  });

  it('asks for consent to a change if it may change anything', () => {
    const consent = (trigger: object): unknown =>
      toolNamed('start_debugging')
        .check({ configuration_name: 'Shop', trigger })
        .consent(bench().services);
    assert.equal(consent({ url: 'http://localhost:3000/' }), 'control');
    assert.equal(consent({ url: 'http://[::1]:3000/' }), 'control');
    assert.equal(consent({ url: 'http://127.1:3000/' }), 'control');
    assert.equal(consent({ url: 'http://shop.example/' }), 'change');
    assert.equal(consent({ url: 'http://0.0.0.0/' }), 'change');
    assert.equal(consent({ command: 'curl' }), 'change');
    const { services } = bench();
    const command = { command: 'curl' };
    const probes = [{ file_path: FILE, line: 3 }];
    for (const [name, input] of [
      ['collect_values', { probes }],
      ['trace_function', { function_name: 'main' }],
      ['wait_for_stop', {}],
    ] as const)
      assert.equal(
        toolNamed(name)
          .check({ ...input, trigger: command })
          .consent(services),
        'change',
        name,
      );
  });

  it('is needed only for a wait that sends something', async () => {
    const on = running(bench());
    const wait = toolNamed('wait_for_stop');
    const kind = async (input: object): Promise<unknown> => {
      const { prepared, consent } = await prepareCall(wait, input, on.services, () => false);
      return [prepared.kind, consent];
    };
    assert.deepEqual(await kind({}), ['allowed', undefined]);
    const trigger = { url: 'http://localhost:3000/' };
    assert.deepEqual(await kind({ trigger }), ['asked', 'control']);
    assert.equal(annotationsOf(wait).readOnlyHint, false, 'it can send a request');
    const untrusted = paused(bench());
    untrusted.workspace.trusted = false;
    assert.equal((await ask(untrusted, 'wait_for_stop', {})).status, 'stopped');
    const refused = await ask(untrusted, 'wait_for_stop', { trigger });
    assert.equal(refused['code'], 'workspace_not_trusted');
  });
});

describe('trigger: the input', () => {
  it('is declared once, and is named by other tools', () => {
    const own = JSON.stringify(inputSchemaOf(toolNamed('start_debugging')));
    assert.match(own, /"after_port"/);
    for (const name of [
      'continue_debugging',
      'wait_for_stop',
      'collect_values',
      'trace_function',
    ]) {
      const { properties } = inputSchemaOf(toolNamed(name));
      assert.deepEqual((properties as Record<string, unknown>)['trigger'], {
        type: 'object',
        description: 'As in start_debugging.',
        additionalProperties: true,
      });
    }
  });

  it('is a request or a command', () => {
    const { services } = bench();
    const inputs: readonly TriggerInput[] = [
      {},
      { url: 'http://localhost/', command: 'x' },
      { url: 'file:///etc/passwd' },
      { url: 'localhost:3000' },
      { url: 'http://a:b@localhost/' },
      { url: 'http://localhost/', method: 'TRACE' },
      { url: 'http://localhost/', args: [] },
      { url: 'http://localhost/', headers: { 'content-length': '3' } },
      { url: 'http://localhost/', headers: { a: 'b\nc' } },
      { command: 'x', headers: {} },
    ];
    for (const input of inputs)
      assert.throws(
        () => requestOf(services, input),
        failsWith('invalid_input'),
        JSON.stringify(input),
      );
  });
});

describe('trigger: the answer', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  it('has the stop and the pending request, and later its end, once', async () => {
    const on = paused(bench());
    let answer = (): void => undefined;
    server = createServer((_request, response) => {
      answer = () => response.end('token=abc', () => undefined);
      on.model.dispatch(stopped(1, { reason: 'breakpoint' }));
    });
    const at = server;
    await new Promise<void>((resolve) => at.listen(0, '127.0.0.1', resolve));
    const { port } = at.address() as AddressInfo;
    on.host.on('continue', () => {
      queueMicrotask(() => on.model.dispatch(eventOf('continued', { threadId: 1 })));
      return {};
    });
    const trigger = { url: `http://127.0.0.1:${port}/` };
    const first = await ask(on, 'continue_debugging', { thread_id: 1, trigger });
    assert.equal(stopOf(first)['stop_id'], 2);
    assert.equal((first['trigger'] as { state: string }).state, 'pending');
    const refused = await ask(on, 'continue_debugging', { thread_id: 1, trigger });
    assert.equal(refused['code'], 'trigger_pending');
    on.host.on('continue', () => {
      queueMicrotask(() => {
        on.model.dispatch(eventOf('continued', { threadId: 1 }));
        answer();
      });
      return {};
    });
    const second = await ask(on, 'continue_debugging', { thread_id: 1 });
    assert.equal(second.status, 'timeout', JSON.stringify(second));
    assert.match(String(second['message']), /The trigger has ended/);
    const { state, http_status, body } = second['trigger'] as Record<string, unknown>;
    assert.deepEqual([state, http_status, body], ['completed', 200, 'token=abc']);
    const third = await ask(on, 'wait_for_stop', { timeout_seconds: 1 });
    assert.equal(third['trigger'], undefined);
    assert.equal(on.model.listenerCount, 0);
  });

  it('says that it was not sent', async () => {
    const on = paused(bench());
    on.host.on('continue', () => {
      queueMicrotask(() => on.model.dispatch(stopped(1, { reason: 'breakpoint' })));
      return {};
    });
    const answer = await ask(on, 'continue_debugging', {
      thread_id: 1,
      trigger: { url: 'http://127.0.0.1:1/', after: 'ready' },
    });
    const { state, message } = answer['trigger'] as Record<string, unknown>;
    assert.equal(state, 'not_sent');
    assert.match(String(message), /line that matches/);
  });
});
