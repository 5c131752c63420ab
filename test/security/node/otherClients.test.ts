import { strict as assert } from 'node:assert';
import { RunningServer } from '../../unit/mcp/support/server';
import { printing } from '../../unit/support/investigation';
import { bench } from '../../unit/support/services';

/**
 * All clients with the key act for the same person, and any of them can start programs and evaluate code. So the files
 * of investigations belong to the workspace and not to a client: the next session of a client, and another agent of the
 * person, go on with them. What separates readers is the key.
 */
describe('another client', () => {
  it('with the key goes on with an investigation; without the key it reads nothing', async () => {
    const on = bench();
    on.investigation.commands = printing(() => 'TypeError: cells is undefined\n', 1);
    const server = await new RunningServer(on).start();
    try {
      server.exposed.use(['core', 'investigation']);
      const one = await server.connect('one');
      const { structuredContent } = await one.callTool({
        name: 'start_session',
        arguments: { title: 'The board stays empty' },
      });
      const { sid } = structuredContent as { sid: string };
      await one.callTool({ name: 'capture_run', arguments: { sid, command: 'npm start' } });
      await one.close();
      const uri = `vdt://sessions/${sid}/logs/capture.ndjson`;
      const two = await server.connect('two');
      const { contents } = await two.readResource({ uri });
      assert.match(JSON.stringify(contents), /cells is undefined/);
      const response = await fetch(`http://127.0.0.1:${server.port}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer wrong' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } }),
      });
      assert.equal(response.status, 401);
      assert.doesNotMatch(await response.text(), /cells|vdt:/);
    } finally {
      await server.stop();
    }
  });

  it('learns from compare_with only ids of collections, and none of their expressions and values', async () => {
    const on = bench();
    const probe = {
      id: 1,
      path: '/app/secret.js',
      line: 3,
      condition: undefined,
      expect: undefined,
    };
    on.services.collections.add([{ ...probe, expressions: ['plan.hidden'] }], [], false);
    const server = await new RunningServer(on).start();
    try {
      server.exposed.use(['core', 'trace']);
      const client = await server.connect('two');
      const { structuredContent } = await client.callTool({
        name: 'collect_values',
        arguments: {
          probes: [{ file_path: '/home/ada/app/main.js', line: 3, expressions: ['x'] }],
          compare_with: 'c9',
          program: '/home/ada/app/main.js',
        },
      });
      const text = JSON.stringify(structuredContent);
      assert.match(text, /compare_with takes the collection_id[^.]*: c1\./);
      assert.doesNotMatch(text, /secret|hidden/);
    } finally {
      await server.stop();
    }
  });
});
