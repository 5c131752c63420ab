import { strict as assert } from 'node:assert';
import { TOOLS } from '../../../src/tools/catalog';
import type { Tool } from '../../../src/tools/defineTool';
import { ExposedTools } from '../../../src/tools/exposed';

describe('the tools that MCP clients are shown', () => {
  const of = (name: string, set: Tool['set']): Tool => ({ ...(TOOLS[0] as Tool), name, set });
  const all = [of('a', 'core'), of('b', 'advanced'), of('c', 'core')];

  it('are those of the sets that are on', () => {
    assert.deepEqual(
      new ExposedTools().list,
      TOOLS.filter((each) => each.set === 'core' || each.set === 'trace'),
    );
    const exposed = new ExposedTools(['core'], all);
    assert.deepEqual(
      exposed.list.map((each) => each.name),
      ['a', 'c'],
    );
    assert.equal(exposed.find('b'), undefined);
    exposed.use(['core', 'advanced']);
    assert.deepEqual(
      exposed.list.map((each) => each.name),
      ['a', 'b', 'c'],
      'in their own order',
    );
    assert.equal(exposed.find('b')?.name, 'b');
  });

  it('tell of a change, and of nothing that is none', () => {
    const exposed = new ExposedTools(['core'], all);
    let told = 0;
    const listening = exposed.onDidChange(() => (told += 1));
    exposed.use(['core', 'trace']);
    assert.equal(told, 0);
    exposed.use(['advanced']);
    assert.equal(told, 1);
    listening.dispose();
    exposed.use(['core']);
    assert.equal(told, 1);
  });
});
