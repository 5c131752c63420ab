import { strict as assert } from 'node:assert';
import { EVERYTHING, followingDocuments } from '../../../src/diagnostics/documents';
import { makeTranscript } from '../../../src/diagnostics/report';
import { RunningServer } from '../mcp/support/server';
import { sources } from './support';

describe('the MCP server’s traffic', () => {
  it('is kept only while recording is on; the key is never kept', async () => {
    const on = sources();
    const server = await new RunningServer(undefined, { traffic: on.traffic }).start();
    try {
      await (await server.connect('before')).listTools();
      assert.deepEqual(on.traffic.log.records, []);

      on.recording.set(true);
      const client = await server.connect('during');
      await client.callTool({ name: 'get_debug_state', arguments: {} });
      await server.ask({ headers: { authorization: 'Bearer wrong-key-0123456789' } });
      await server.ask({ path: '/elsewhere' });
      const text = await followingDocuments(on).traffic.render(EVERYTHING);
      assert.match(text, /← {2}request {3}initialize #0 .*"name":"during"/);
      assert.match(text, /→ {2}response {2}#0 .*"serverInfo"/);
      assert.match(text, /← {2}event {5}notifications\/initialized/);
      assert.match(text, /← {2}request {3}tools\/call get_debug_state #1/);
      assert.match(text, /→ {2}response {2}#1 .*"sessions"/);
      assert.match(text, /HTTP POST \/mcp #401 FAILED/);
      assert.match(text, /HTTP POST \/elsewhere #404 FAILED/);
      assert.ok(!text.includes(server.key) && !text.includes('wrong-key'));

      on.recording.set(false);
      const { length } = on.traffic.log.records;
      await client.listTools();
      assert.equal(on.traffic.log.records.length, length);
    } finally {
      await server.stop();
    }
  });

  it('does not show a key that a client sends as a parameter; neither does the call log', async () => {
    const on = sources(() => [server.key]);
    const server = new RunningServer(undefined, {
      traffic: on.traffic,
      log: ({ input, result = { status: '' }, ...call }) =>
        on.calls.ended({ ...call, title: call.tool, input, result, wasAsked: false }),
    });
    await server.start();
    try {
      on.recording.set(true);
      const client = await server.connect();
      await client.callTool({ name: 'get_debug_output', arguments: { session_id: server.key } });
      assert.ok(JSON.stringify(on.calls.records).includes(server.key), 'it has arrived');
      const documents = followingDocuments(on);
      const shown = [
        await documents.traffic.render(EVERYTHING),
        await documents.calls.render(EVERYTHING),
        await makeTranscript(on.calls, on.redaction, '', new Date(0)),
      ];
      for (const text of shown) {
        assert.match(text, /get_debug_output/);
        assert.ok(!text.includes(server.key), text);
      }
    } finally {
      await server.stop();
    }
  });

  it('includes the messages of the older transport and of batches', () => {
    const on = sources();
    on.recording.set(true);
    on.traffic.message('received', 'abcdefghij', [
      { jsonrpc: '2.0', id: 'one', method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/cancelled' },
      7,
    ]);
    assert.deepEqual(
      on.traffic.log.records.map(({ session, kind, name, number }) => [
        session,
        kind,
        name,
        number,
      ]),
      [
        ['efghij', 'request', 'ping', 'one'],
        ['efghij', 'event', 'notifications/cancelled', undefined],
        ['efghij', 'response', '', undefined],
      ],
    );
  });

  it('does not serialize a message that is not recorded', () => {
    const on = sources();
    const message = {
      toJSON: () => assert.fail('nothing is written while it is off'),
    };
    on.traffic.message('sent', 'x', message);
    assert.equal(on.traffic.log.records.length, 0);
  });
});
