import { strict as assert } from 'node:assert';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { stopped } from '../../support/events';
import { bench, paused, running } from '../../support/services';
import { RunningServer } from '../support/server';
import { type Result, Heard } from '../support/protocol';

describe('the MCP protocol', () => {
  let server: RunningServer;

  let client: Client;

  beforeEach(async () => {
    server = await new RunningServer(bench()).start();
    client = await server.connect('test client');
  });

  afterEach(async () => await server.stop());

  const read = async (uri: string): Promise<Record<string, unknown>> => {
    const [content] = (await client.readResource({ uri })).contents;
    assert.equal(content?.uri, uri);
    assert.equal(content.mimeType, 'application/json');
    return JSON.parse('text' in content ? content.text : '') as Record<string, unknown>;
  };

  describe('tools', () => {
    it('state all four annotations, because some clients assume the worst for a missing one', async () => {
      const { tools } = await client.listTools();
      const hints = new Map(tools.map(({ name, annotations }) => [name, annotations]));
      assert.deepEqual(hints.get('get_debug_state'), {
        title: 'Show Debug State',
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      assert.deepEqual(hints.get('step_execution'), {
        title: 'Step',
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      });
      assert.deepEqual(hints.get('evaluate_expression'), {
        title: 'Evaluate Expression',
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: true,
      });
    });

    it('return a result whose text is its structured content, in one line below every client’s limit', async () => {
      paused(server.on);
      server.on.host.on('variables', () => ({
        variables: Array.from({ length: 3000 }, (_, at) => ({
          name: `variable ${at}`,
          value: `value\n${at}`,
          variablesReference: 0,
        })),
      }));
      for (const [name, input] of [
        ['wait_for_stop', {}],
        ['get_debug_state', {}],
        ['get_breakpoints', {}],
      ] as const) {
        const result = (await client.callTool({ name, arguments: input })) as Result;
        const text = result.content[0]?.text ?? '';
        assert.deepEqual(JSON.parse(text), result.structuredContent);
        assert.equal(text.includes('\n'), false);
        assert.ok(text.length <= 7500);
      }
    });

    it('send Cline both text and structured content only if they fit into its limit of 8,000 characters together', async () => {
      paused(server.on);
      server.on.host.on('variables', () => ({
        variables: Array.from({ length: 3000 }, (_, at) => ({
          name: `variable ${at}`,
          value: `value\n${at}`,
          variablesReference: 0,
        })),
      }));
      const cline = await server.connect('@cline/core');
      for (const [name, blocks] of [
        ['get_debug_state', 1],
        ['wait_for_stop', 0],
      ] as const) {
        const result = (await cline.callTool({ name, arguments: {} })) as Result;
        assert.equal(result.content.length, blocks, name);
        assert.ok(JSON.stringify(result).length <= 8000);
        const other = (await client.callTool({ name, arguments: {} })) as Result;
        assert.equal(other.content.length, 1);
        assert.deepEqual(result.structuredContent, other.structuredContent);
      }
    });

    it('notify clients when the list changes, and cannot be called while they are switched off', async () => {
      const changes = new Heard<string>();
      client.setNotificationHandler(ToolListChangedNotificationSchema, ({ method }) =>
        changes.add(method),
      );
      server.exposed.use(['core']);
      server.exposed.use([]);
      await changes.until(() => true);
      assert.deepEqual((await client.listTools()).tools, []);
      await assert.rejects(
        client.callTool({ name: 'get_debug_state', arguments: {} }),
        /no tool get_debug_state/,
      );
      assert.equal(changes.all.length, 1, 'the same list again is no change');
    });
  });

  describe('resources', () => {
    it('are listed, with those of each session', async () => {
      running(server.on);
      const { resources } = await client.listResources();
      assert.deepEqual(
        resources.map((each) => each.uri),
        ['debug://sessions', 'debug://stop', 'debug://sessions/s1/output'],
      );
      for (const each of resources) assert.ok(each.title && each.description && each.mimeType);
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.deepEqual(
        resourceTemplates.map((each) => each.uriTemplate),
        ['debug://sessions/{id}/output', 'vdt://sessions/{sid}/{+path}'],
      );
    });

    it('change their list when a session starts, and clients are notified', async () => {
      const changes = new Heard<string>();
      client.setNotificationHandler(ResourceListChangedNotificationSchema, ({ method }) =>
        changes.add(method),
      );
      running(server.on);
      await changes.until(() => true);
      assert.equal((await client.listResources()).resources.length, 3);
    });

    it('contain what the tools return', async () => {
      paused(server.on);
      server.on.host.emit('output', { category: 'stdout', output: 'hello\n' });
      const tool = (await client.callTool({ name: 'get_debug_state', arguments: {} })) as Result;
      assert.deepEqual(await read('debug://sessions'), tool.structuredContent);
      const output = await read('debug://sessions/s1/output');
      assert.deepEqual(
        (output['lines'] as { text: string }[]).map((each) => each.text),
        ['hello'],
      );
      const stop = (await read('debug://stop'))['stop_event_data'] as {
        reason: string;
        call_stack: unknown[];
      };
      assert.equal(stop.reason, 'breakpoint');
      assert.equal(stop.call_stack.length, 1);
      assert.ok(
        server.log.some((each) => each.tool === 'current_stop' && each.caller === 'test client'),
        'a read is in the log',
      );
    });

    it('leave the output for the call that waits for the stop', async () => {
      paused(server.on);
      server.on.host.emit('output', { category: 'stdout', output: 'printed before the stop\n' });
      assert.deepEqual(
        ((await read('debug://stop'))['stop_event_data'] as { output: string[] }).output,
        ['printed before the stop'],
      );
      const waited = (await client.callTool({ name: 'wait_for_stop', arguments: {} })) as Result;
      assert.deepEqual(
        (waited.structuredContent?.['stop_event_data'] as { output: string[] }).output,
        ['printed before the stop'],
      );
    });

    it('report that there is no stop', async () => {
      assert.equal((await read('debug://stop'))['message'], 'No program is stopped.');
      running(server.on);
      assert.equal((await read('debug://stop'))['status'], 'success');
    });

    it('do not reveal what a tool does not return', async () => {
      paused(server.on);
      server.on.host.on('variables', () => ({
        variables: [{ name: 'SHOP_API_KEY', value: "'s3cr3t-value-1234'", variablesReference: 0 }],
      }));
      server.on.host.emit('output', {
        category: 'stdout',
        output: `SHOP_API_KEY=s3cr3t-value-1234\n${'x'.repeat(20_000)}\n`,
      });
      for (const uri of ['debug://stop', 'debug://sessions', 'debug://sessions/s1/output']) {
        const text = JSON.stringify(await read(uri));
        assert.equal(text.includes('s3cr3t'), false, uri);
        assert.ok(text.length <= 7500, uri);
      }
      server.on.services.access.setPaused(true);
      await assert.rejects(read('debug://stop'), /taken over/);
    });

    it('notify subscribers of changes, and combine frequent ones', async () => {
      const updates = new Heard<string>();
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
        updates.add(params.uri),
      );
      running(server.on, 'a');
      await client.subscribeResource({ uri: 'debug://stop' });
      await client.subscribeResource({ uri: 'debug://sessions/s1/output' });
      server.on.model.dispatch(stopped(1));
      await updates.until((uri) => uri === 'debug://stop');
      await client.unsubscribeResource({ uri: 'debug://stop' });
      const before = updates.all.length;
      for (let line = 0; line < 500; line += 1)
        server.on.host.emit('output', { category: 'stdout', output: `${line}\n` });
      await updates.until((uri) => uri.endsWith('/output'));
      server.on.model.dispatch(stopped(1, { reason: 'pause' }));
      await client.ping();
      assert.ok(updates.all.length - before <= 2, String(updates.all.length - before));
      assert.equal(updates.all.slice(before).includes('debug://stop'), false);
    });
  });

  it('declares its capabilities', () => {
    assert.deepEqual(client.getServerCapabilities(), {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      logging: {},
      completions: {},
    });
    assert.equal(client.getServerVersion()?.version, '1.2.3');
  });

  it('keeps no listener of a client that disconnects', async () => {
    await client.subscribeResource({ uri: 'debug://sessions' });
    const before = server.on.model.listenerCount;
    const other = await server.connect('other');
    await other.subscribeResource({ uri: 'debug://stop' });
    await other.close();
    await server.now.closeSessions();
    assert.equal(server.on.model.listenerCount, before);
    await server.now.close();
    assert.equal(server.on.model.listenerCount, before - 1);
  });
});
