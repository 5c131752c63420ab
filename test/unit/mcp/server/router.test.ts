import { strict as assert } from 'node:assert';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { fields, listOf, type Fields } from '../../../../src/debugger/protocol';
import { ROUTER_TOOLS } from '../../../../src/mcp/server/router';
import { definitionsOf } from '../../../../src/mcp/server/toolDefinitions';
import { TOOLS } from '../../../../src/tools/catalog';
import { ExposedTools } from '../../../../src/tools/exposed';
import { bench, paused } from '../../support/services';
import { RunningServer } from '../support/server';

/** The limit for the tool definitions of router mode, in tokens. */
const MAX_TOKENS = 350;

function routed(): ExposedTools {
  const exposed = new ExposedTools();
  exposed.route(true);
  return exposed;
}

describe('router mode', () => {
  let server: RunningServer;
  const asked: string[] = [];
  beforeEach(async () => {
    asked.length = 0;
    server = await new RunningServer(paused(bench()), {
      tools: routed(),
      confirm: {
        isRequired: (consent) => consent === 'change',
        ask: (...given) => {
          asked.push(JSON.stringify(given));
          return Promise.resolve('declined');
        },
      },
    }).start();
  });
  afterEach(async () => await server.stop());

  const call = async (name: string, args: object): Promise<Fields> => {
    const client = await server.connect();
    return fields((await client.callTool({ name, arguments: { ...args } })).structuredContent);
  };

  it('lists two tools instead of all, in at most 350 tokens', async () => {
    const client = await server.connect();
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map((each) => each.name),
      ['list_debug_tools', 'call_debug_tool'],
    );
    assert.ok(countTokens(JSON.stringify({ tools: ROUTER_TOOLS })) <= MAX_TOKENS);
  });

  it('lists every tool with one line, and a single tool with its schema and annotations', async () => {
    const all = listOf((await call('list_debug_tools', {}))['tools']).map(fields);
    assert.deepEqual(
      all.map((each) => each['name']),
      new ExposedTools().list.map((each) => each.name),
    );
    assert.ok(all.every((each) => String(each['does']).length > 10));
    const one = await call('list_debug_tools', { name: 'evaluate_expression' });
    const [definition] = definitionsOf(TOOLS.filter((each) => each.name === 'evaluate_expression'));
    assert.deepEqual(
      [one['input_schema'], one['annotations'], one['description']],
      [definition?.inputSchema, definition?.annotations, definition?.description],
    );
  });

  it('calls a tool with its own result, log entry and question', async () => {
    const state = await call('call_debug_tool', { name: 'get_debug_state' });
    assert.equal(state['status'], 'success');
    assert.equal(server.log.at(-1)?.tool, 'get_debug_state');
    const declined = await call('call_debug_tool', {
      name: 'evaluate_expression',
      input: { expression: 'count += 1' },
    });
    assert.equal(declined['code'], 'declined_by_person');
    assert.match(asked.join(), /count \+= 1/);
  });

  it('refuses an unknown tool and invalid input, and says what to pass', async () => {
    const unknown = await call('call_debug_tool', { name: 'no_such_tool' });
    assert.equal(unknown['code'], 'tool_not_found');
    assert.ok(listOf(unknown['tools']).includes('get_variables'));
    const wrong = await call('call_debug_tool', {
      name: 'get_variables',
      input: { count: 'many' },
    });
    assert.equal(wrong['code'], 'invalid_input');
    assert.equal((await call('call_debug_tool', { tool: 'x' }))['code'], 'invalid_input');
  });

  it('notifies clients when it is switched, and does not route while it is off', async () => {
    const exposed = new ExposedTools();
    const plain = await new RunningServer(bench(), { tools: exposed }).start();
    try {
      const client = await plain.connect();
      await assert.rejects(client.callTool({ name: 'call_debug_tool', arguments: {} }), /no tool/);
      const changed = new Promise<void>((resolve) =>
        client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
      );
      exposed.route(true);
      await changed;
      assert.equal((await client.listTools()).tools.length, ROUTER_TOOLS.length);
    } finally {
      await plain.stop();
    }
  });
});
