import { strict as assert } from 'node:assert';
import { definitionsOf } from '../../../../src/mcp/server/toolDefinitions';
import { TOOLS } from '../../../../src/tools/catalog';
import type { Tool } from '../../../../src/tools/defineTool';
import { ExposedTools } from '../../../../src/tools/exposed';
import { RunningServer } from '../support/server';

/** The tools, and the number of reads of each input. */
function counted(): { readonly tools: readonly Tool[]; readonly reads: Map<string, number> } {
  const reads = new Map<string, number>();
  const tools = TOOLS.map((tool) =>
    Object.defineProperty({ ...tool }, 'input', {
      get: () => {
        reads.set(tool.name, (reads.get(tool.name) ?? 0) + 1);
        return tool.input;
      },
    }),
  );
  return { tools, reads };
}

describe('tool definitions', () => {
  it('are created once for each set, however many clients list them, and again for another set', async () => {
    const { tools, reads } = counted();
    const exposed = new ExposedTools(['core', 'trace'], tools);
    const server = await new RunningServer(undefined, { tools: exposed }).start();
    try {
      for (const client of [await server.connect('one'), await server.connect('two')]) {
        for (let times = 0; times < 2; times += 1)
          assert.equal((await client.listTools()).tools.length, exposed.list.length);
      }
      assert.deepEqual(
        [...reads.keys()],
        exposed.list.map((each) => each.name),
      );
      assert.deepEqual([...new Set(reads.values())], [1]);
      exposed.use(['core']);
      const client = await server.connect('three');
      assert.deepEqual(
        (await client.listTools()).tools.map((each) => each.name),
        exposed.list.map((each) => each.name),
      );
    } finally {
      await server.stop();
    }
  });

  it('are those of the tools in the list', () => {
    assert.deepEqual(
      definitionsOf(TOOLS).map((each) => each.name),
      TOOLS.map((each) => each.name),
    );
    assert.deepEqual(definitionsOf([...TOOLS]), definitionsOf(TOOLS));
  });
});
