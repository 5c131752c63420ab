import { strict as assert } from 'node:assert';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import * as vscode from 'vscode';
import type { PersonsAnswer } from '../../../src/mcp/server/confirmation';
import type { Question } from '../../../src/tools/question';
import { call, cleanUp, marked, type StopData } from '../support/client';
import { connectTo, startMcp, type ForTests } from './support/mcp';

type Answer = Record<string, unknown> & { readonly status: string };

/** Tests the use of one debugger by the person, VS Code's own agent and MCP clients. */
describe('MCP clients together with the person', () => {
  let inside: ForTests;
  let client: Client;
  const settings = (): vscode.WorkspaceConfiguration =>
    vscode.workspace.getConfiguration('agentDebugger.mcp');

  before(async () => {
    inside = await startMcp();
    client = await connectTo(inside, 'cline');
  });
  afterEach(async () => {
    await settings().update('confirm', undefined, vscode.ConfigurationTarget.Global);
    await cleanUp();
  });
  after(async () => {
    await client.close();
    await vscode.commands.executeCommand('agentDebugger.mcp.stop');
  });

  async function use(name: string, input: Record<string, unknown> = {}): Promise<Answer> {
    return (await client.callTool({ name, arguments: input })).structuredContent as Answer;
  }

  it('are notified of stops and ends, read a stop, and get the prompt that explains an exception', async () => {
    const heard: string[] = [];
    let readRequest: () => void = () => undefined;
    const add = (each: string): void => {
      heard.push(each);
      readRequest();
    };
    const until = async (each: string): Promise<void> => {
      await new Promise<void>((resolve) => {
        readRequest = () => (heard.includes(each) ? resolve() : undefined);
        readRequest();
      });
    };
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) =>
      add(String((params.data as { event: unknown }).event)),
    );
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
      add(params.uri),
    );
    await client.subscribeResource({ uri: 'debug://stop' });
    await call('set_breakpoint', {
      file_path: 'src/loop.js',
      line_number: marked('src/loop.js', 'add'),
    });
    const started = await call('start_debugging', { configuration_name: 'Loop' });
    await until('debug://stop');
    await until('stopped');
    const [content] = (await client.readResource({ uri: 'debug://stop' })).contents;
    const read = (
      JSON.parse(content !== undefined && 'text' in content ? content.text : '') as {
        stop_event_data: StopData;
      }
    ).stop_event_data;
    assert.equal(read.line, (started['stop_event_data'] as StopData).line);
    assert.deepEqual(
      read.top_frame_variables,
      (started['stop_event_data'] as StopData).top_frame_variables,
    );
    await use('remove_breakpoint', { clear_all: true });
    await use('stop_debugging');
    await until('ended');
    assert.equal(
      (await use('start_debugging', { configuration_name: 'Throws' })).status,
      'stopped',
    );
    const { messages } = await client.getPrompt({ name: 'explain-exception' });
    assert.match(JSON.stringify(messages), /stopped at the exception above/);
    await vscode.commands.executeCommand('agentDebugger.takeOver');
    await until('person_took_over');
    await assert.rejects(client.readResource({ uri: 'debug://stop' }), /-32603/);
    await vscode.commands.executeCommand('agentDebugger.giveBack');
    await until('person_gave_back');
  });

  it('complete a debug configuration’s name from launch.json', async () => {
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'debug' },
      argument: { name: 'configuration_name', value: 'lo' },
    });
    assert.deepEqual(completion.values, ['Loop']);
  });

  describe('with VS Code’s own question', () => {
    const asked: { question: Question; client: string }[] = [];
    let real: ForTests['confirmation']['options']['ask'];
    let answer: PersonsAnswer = 'declined';

    before(() => {
      real = inside.confirmation.options.ask;
      inside.confirmation.options.ask = async (question, name) => {
        asked.push({ question, client: name });
        return answer;
      };
    });
    beforeEach(async () => {
      asked.length = 0;
      await settings().update('confirm', true, vscode.ConfigurationTarget.Global);
    });
    after(() => (inside.confirmation.options.ask = real));

    it('does not run a call that the person declines', async () => {
      answer = 'declined';
      const refused = await use('start_debugging', { configuration_name: 'Loop' });
      assert.equal(refused['code'], 'declined_by_person');
      assert.deepEqual(asked, [
        {
          question: { title: 'Start debugging', message: asked[0]?.question.message ?? '' },
          client: 'cline',
        },
      ]);
      assert.match(asked[0]?.question.message ?? '', /Loop/);
      assert.equal(
        [...inside.model.state.sessions.values()].some((each) => each.lifecycle !== 'terminated'),
        false,
      );
      assert.equal((await use('get_debug_state')).status, 'success');
      assert.equal(asked.length, 1, 'a look is not asked about');
    });

    it('runs a call that the person allows, and does not ask about a kind of call that VS Code’s own agents may make unasked', async () => {
      answer = 'allowed';
      assert.equal(
        (
          await use('set_breakpoint', {
            file_path: 'src/loop.js',
            line_number: marked('src/loop.js', 'add'),
          })
        ).status,
        'success',
      );
      assert.equal(asked.length, 1);
      const consent = vscode.workspace.getConfiguration('agentDebugger.consent');
      await consent.update('control', 'allow', vscode.ConfigurationTarget.Global);
      try {
        const stopped = await use('start_debugging', { configuration_name: 'Loop' });
        assert.equal(stopped.status, 'stopped');
        assert.equal(asked.length, 1);
        const [frame] = (stopped['stop_event_data'] as StopData).call_stack;
        assert.equal(
          (await use('evaluate_expression', { expression: 'sum', frame_id: frame?.frame_id }))
            .status,
          'success',
        );
        assert.equal(asked.length, 2, 'an expression is another kind');
      } finally {
        await consent.update('control', undefined, vscode.ConfigurationTarget.Global);
      }
    });

    it('asks once each for debug_test and collect_values on a failing test, with everything that they do', async () => {
      answer = 'allowed';
      const file = 'tests/cart.test.js';
      const test = { file_path: file, test_name: 'adds the prices' };
      const failed = await use('debug_test', { ...test, timeout_seconds: 120 });
      assert.deepEqual(
        [failed['outcome'], failed['expected'], failed['actual']],
        ['failed', '7', '6'],
        JSON.stringify(failed),
      );
      const { file_path: path, line_number: line } = failed['at'] as Record<string, unknown>;
      const collected = await use('collect_values', {
        test,
        probes: [{ file_path: path, line, expressions: ['sum'], expect: 'sum === 7' }],
        max_hits: 5,
        max_seconds: 60,
      });
      const answerText = JSON.stringify(collected);
      const [probe] = collected['probes'] as Record<string, unknown>[];
      assert.deepEqual(
        [collected['rows'], probe?.['expect'], collected['program']],
        [[[1, '6']], 'refuted', 'ended'],
        answerText,
      );
      assert.deepEqual(
        asked.map(({ question, client: name }) => [question.title, name]),
        [
          ['Debug test', 'cline'],
          ['Collect values', 'cline'],
        ],
      );
      // Removes the escapes of Markdown and the places where a long word may be broken.
      const [run, collect] = asked.map(({ question }) =>
        question.message.replace(/\\(?=\W)|\u200b/g, ''),
      );
      assert.match(run ?? '', /adds the prices.*cart\.test\.js.*node:test/s);
      assert.match(run ?? '', /At most 120 seconds; then the program is ended/);
      assert.match(collect ?? '', /adds the prices/);
      assert.match(collect ?? '', /read `sum`; check that `sum === 7` holds/);
      assert.match(collect ?? '', /at most 5 times, within 60 seconds/);
      assert.match(collect ?? '', /Then the program is ended/);
      assert.deepEqual(vscode.debug.breakpoints, []);
    });

    it('does not ask about calls of VS Code’s own agents, which VS Code itself asks about', async () => {
      await call('set_breakpoint', {
        file_path: 'src/loop.js',
        line_number: marked('src/loop.js', 'add'),
      });
      assert.equal(asked.length, 0);
    });
  });

  it('are refused a call if nobody confirms VS Code’s own dialog', async () => {
    await settings().update('confirm', true, vscode.ConfigurationTarget.Global);
    // VS Code’s test mode shows no dialogs, so nobody has allowed anything.
    assert.equal(
      (
        await use('set_breakpoint', {
          file_path: 'src/loop.js',
          line_number: marked('src/loop.js', 'add'),
        })
      )['code'],
      'declined_by_person',
    );
    assert.equal(vscode.debug.breakpoints.length, 0);
  });
});
