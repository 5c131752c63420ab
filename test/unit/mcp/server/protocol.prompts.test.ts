import { strict as assert } from 'node:assert';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ended, exited, failed, stopped, eventOf } from '../../support/events';
import { bench, FILE, paused, running } from '../../support/services';
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

  describe('log messages', () => {
    it('report sessions, stops, ends and takeovers, from the client’s log level upwards', async () => {
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

    it('explain an exception from its stop', async () => {
      assert.match(await texts('explain-exception', {}), /Nothing is stopped at an exception/);
      server.on.host.on('exceptionInfo', () => ({
        exceptionId: 'RangeError',
        breakMode: 'always',
        description: 'too far',
      }));
      running(server.on);
      server.on.model.dispatch(
        eventOf('capabilities', { capabilities: { supportsExceptionInfoRequest: true } }),
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

    it('and resources have argument completion from existing sessions and configurations', async () => {
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
});

describe('VS Code’s confirmation of an MCP client’s call', () => {
  it('makes a declined call do nothing; the client gets an error, and the log records it', async () => {
    const server = await new RunningServer(paused(bench()), {
      confirm: { isRequired: () => true, ask: async () => 'declined' },
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

  it('makes a call that is cancelled before the person answers do nothing, whatever the answer is', async () => {
    let answer: (answer: 'allowed') => void = () => undefined;
    let asked: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const ask = async (): Promise<'allowed'> => {
      asked();
      return await new Promise((resolve) => (answer = resolve));
    };
    const server = await new RunningServer(paused(bench()), {
      confirm: { isRequired: () => true, ask },
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
