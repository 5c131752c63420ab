import { strict as assert } from 'node:assert';
import {
  LoggingMessageNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ended, exited, failed, stopped, told } from '../../support/events';
import { bench, FILE, paused, running } from '../../support/services';
import { RunningServer } from '../support/server';

type Result = {
  readonly structuredContent?: Record<string, unknown>;
  readonly content: readonly { readonly text?: string }[];
  readonly isError?: boolean;
};

/** What comes from the server without being asked for. */
class Heard<T> {
  readonly all: T[] = [];
  private readonly waiting = new Set<() => void>();

  add(each: T): void {
    this.all.push(each);
    for (const look of this.waiting) look();
  }

  async until(condition: (each: T) => boolean): Promise<T> {
    return await new Promise((resolve) => {
      const look = (): void => {
        const found = this.all.find(condition);
        if (found === undefined) return;
        this.waiting.delete(look);
        resolve(found);
      };
      this.waiting.add(look);
      look();
    });
  }
}

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
    it('state all four annotations, so that clients which take silence for the worst run what moves the program', async () => {
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

    it('a result’s text is its structured content, in one line under every client’s limit', async () => {
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
        ['no_such_input', {}],
      ] as const) {
        if (name === 'no_such_input') continue;
        const result = (await client.callTool({ name, arguments: input })) as Result;
        const text = result.content[0]?.text ?? '';
        assert.deepEqual(JSON.parse(text), result.structuredContent);
        assert.equal(text.includes('\n'), false);
        assert.ok(text.length <= 7500);
      }
    });

    it('Cline, which gives its model no more than 8,000 characters of text and structured content together, has both only where they fit', async () => {
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

    it('clients are notified when the list changes, and a tool that is switched off cannot be called', async () => {
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
        ['debug://sessions/{id}/output'],
      );
    });

    it('the list changes when a session starts, and clients are notified', async () => {
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

    it('looking at the stop takes nothing from the call that waits for it', async () => {
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

    it('subscribers are notified of changes, together when they are frequent', async () => {
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

  describe('log messages', () => {
    it('report sessions, stops, ends and hand-overs, from the client’s level upwards', async () => {
      const messages = new Heard<{
        level: string;
        event: unknown;
        data: Record<string, unknown>;
      }>();
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
        const data = params.data as Record<string, unknown>;
        messages.add({ level: params.level, event: data['event'], data });
      });
      running(server.on, 'a');
      for (const reason of ['step', 'breakpoint', 'exception'])
        server.on.model.dispatch(stopped(1, { reason, text: 'not told' }));
      server.on.model.dispatch(exited(3));
      running(server.on, 'b');
      server.on.model.dispatch(
        failed(
          'the adapter is gone, password=hunter2secret https://ada:hunter2secret@example.org',
          'b',
        ),
      );
      server.on.model.dispatch(ended('b'));
      server.on.services.access.setPaused(true);
      server.on.services.access.setPaused(false);
      await messages.until((each) => each.event === 'person_gave_back');
      const heard = [...messages.all];
      assert.deepEqual(
        heard
          .map((each) => `${each.level} ${String(each.event)}`)
          .filter((each, at, all) => all.indexOf(each) === at),
        [
          'info started',
          'info stopped',
          'warning stopped',
          'error ended',
          'notice person_took_over',
          'notice person_gave_back',
        ],
      );
      assert.equal(JSON.stringify(heard).includes('hunter2secret@'), false, 'no credentials');
      assert.equal(JSON.stringify(heard).includes('not told'), false);
      await client.setLoggingLevel('debug');
      running(server.on, 'c');
      server.on.model.dispatch(stopped(1, { reason: 'step' }, 'c'));
      await messages.until((each) => each.level === 'debug');
      await client.setLoggingLevel('error');
      const before = messages.all.length;
      server.on.services.access.setPaused(true);
      server.on.services.access.setPaused(false);
      running(server.on, 'd');
      server.on.model.dispatch(exited(1, undefined, 'd'));
      await messages.until((each) => each.level === 'error' && each.data['name'] === 'program d');
      assert.equal(messages.all.length, before + 1);
    });
  });

  describe('prompts', () => {
    const texts = async (name: string, given: Record<string, string>): Promise<string> => {
      const { messages } = await client.getPrompt({ name, arguments: given });
      return messages
        .map(({ content }) => (content.type === 'text' ? content.text : JSON.stringify(content)))
        .join('\n');
    };

    it('are listed with their arguments', async () => {
      const { prompts } = await client.listPrompts();
      assert.deepEqual(
        prompts.map((each) => [
          each.name,
          each.arguments?.map(
            (argument) => `${argument.name}${argument.required === true ? '' : '?'}`,
          ),
        ]),
        [
          ['debug', ['problem', 'configuration_name?', 'file?']],
          ['explain-exception', ['session_id?']],
          ['investigate', ['symptom', 'reproduce?', 'suspects?']],
        ],
      );
      for (const each of prompts) assert.ok(each.title && each.description);
    });

    it('contain the problem, the procedure and existing tools', async () => {
      const debug = await texts('debug', {
        problem: 'Bo pays too little',
        configuration_name: 'Shop',
        file: '',
      });
      assert.match(debug, /Bo pays too little/);
      assert.match(debug, /"Shop"/);
      assert.equal(
        debug.includes('get_debugger_configurations'),
        false,
        'it is known which one to start',
      );
      assert.match(await texts('debug', { problem: 'x' }), /get_debugger_configurations/);
      assert.match(
        await texts('investigate', { symptom: 'slow', suspects: 'cache.ts' }),
        /Suspected: cache\.ts/,
      );
      const known = new Set(server.exposed.list.map((each) => each.name));
      const all = [
        debug,
        await texts('investigate', { symptom: 'x', reproduce: 'y' }),
        await texts('explain-exception', {}),
      ].join('\n');
      const named = [...all.matchAll(/\b(?:get|set|start|stop|step|wait)_[a-z_]+/g)].map(
        (match) => match[0],
      );
      assert.deepEqual(
        named.filter((each) => !known.has(each) && each !== 'stop_event_data'),
        [],
      );
    });

    it('an exception is explained from the stop that it made', async () => {
      assert.match(await texts('explain-exception', {}), /Nothing is stopped at an exception/);
      server.on.host.on('exceptionInfo', () => ({
        exceptionId: 'RangeError',
        breakMode: 'always',
        description: 'too far',
      }));
      running(server.on);
      server.on.model.dispatch(
        told('capabilities', { capabilities: { supportsExceptionInfoRequest: true } }),
      );
      server.on.model.dispatch(stopped(1, { reason: 'exception' }));
      const { messages } = await client.getPrompt({ name: 'explain-exception' });
      const [resource, words] = messages;
      assert.ok(resource?.content.type === 'resource' && 'text' in resource.content.resource);
      assert.equal(resource.content.resource.uri, 'debug://stop');
      assert.match(resource.content.resource.text, /RangeError/);
      assert.ok(words?.content.type === 'text');
      assert.match(words.content.text, /stopped at the exception above/);
      await assert.rejects(
        client.getPrompt({ name: 'explain-exception', arguments: { session_id: 's99' } }),
        /-32002/,
      );
    });

    it('and resources are completed with what there is', async () => {
      running(server.on);
      const configurations = ['Shop', 'Server'].map((name) => ({
        name,
        type: 'test',
        request: 'launch',
      }));
      server.on.workspace.sources = [
        { kind: 'user_settings', folder: undefined, content: { value: { configurations } } },
      ];
      const values = async (
        ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string },
        name: string,
        value: string,
      ): Promise<string[]> =>
        (await client.complete({ ref, argument: { name, value } })).completion.values;
      assert.deepEqual(
        await values({ type: 'ref/resource', uri: 'debug://sessions/{id}/output' }, 'id', ''),
        ['s1'],
      );
      assert.deepEqual(
        await values({ type: 'ref/prompt', name: 'explain-exception' }, 'session_id', 's'),
        ['s1'],
      );
      assert.deepEqual(await values({ type: 'ref/prompt', name: 'debug' }, 'problem', 'x'), []);
      assert.deepEqual(
        await values({ type: 'ref/prompt', name: 'debug' }, 'configuration_name', 'sh'),
        ['Shop'],
      );
    });
  });

  it('declares what it can', () => {
    assert.deepEqual(client.getServerCapabilities(), {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      logging: {},
      completions: {},
    });
    assert.equal(client.getServerVersion()?.version, '1.2.3');
  });

  it('a client that goes leaves nothing behind', async () => {
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

describe('VS Code’s confirmation of an MCP client’s call', () => {
  it('a refused call does nothing; the client gets an error and the log has it', async () => {
    const server = await new RunningServer(paused(bench()), {
      confirm: { wanted: () => true, ask: async () => 'declined' },
    }).start();
    try {
      const client = await server.connect('cline');
      const before = server.on.host.requests.length;
      const result = (await client.callTool({
        name: 'set_breakpoint',
        arguments: { file_path: FILE, line_number: 2 },
      })) as Result;
      assert.equal(result.isError, true);
      assert.equal(result.structuredContent?.['code'], 'declined_by_person');
      assert.deepEqual(server.on.host.breakpoints(), []);
      assert.equal(server.on.host.requests.length, before);
      assert.deepEqual(
        server.log.map(({ tool, caller, status }) => [tool, caller, status]),
        [['set_breakpoint', 'cline', 'error']],
      );
      assert.equal(
        ((await client.callTool({ name: 'get_debug_state', arguments: {} })) as Result)
          .structuredContent?.['status'],
        'success',
        'a look is never asked about',
      );
    } finally {
      await server.stop();
    }
  });

  it('a call that is cancelled before the person answers does nothing, whatever the answer is', async () => {
    let answer: (answer: 'allowed') => void = () => undefined;
    let asked: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const ask = async (): Promise<'allowed'> => {
      asked();
      return await new Promise((resolve) => (answer = resolve));
    };
    const server = await new RunningServer(paused(bench()), {
      confirm: { wanted: () => true, ask },
    }).start();
    try {
      const client = await server.connect('cline');
      const cancelled = new AbortController();
      const call = client.callTool(
        { name: 'set_breakpoint', arguments: { file_path: FILE, line_number: 2 } },
        undefined,
        { signal: cancelled.signal },
      );
      await isAsked;
      cancelled.abort();
      await assert.rejects(call);
      await server.until(() => server.log.length > 0);
      answer('allowed');
      await client.ping();
      assert.deepEqual(server.on.host.breakpoints(), []);
      assert.equal(server.log[0]?.status, 'interrupted');
    } finally {
      await server.stop();
    }
  });
});
