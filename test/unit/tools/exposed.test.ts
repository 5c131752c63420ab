import { strict as assert } from 'node:assert';
import { TOOLS } from '../../../src/tools/catalog';
import type { Tool } from '../../../src/tools/defineTool';
import { ExposedTools } from '../../../src/tools/exposed';

describe('ExposedTools', () => {
  const of = (name: string, set: Tool['set']): Tool => ({ ...(TOOLS[0] as Tool), name, set });
  const all = [of('a', 'core'), of('b', 'advanced'), of('c', 'core')];

  it('lists the tools of the enabled sets', () => {
    assert.deepEqual(
      new ExposedTools().list,
      TOOLS.filter((tool) => tool.set === 'core' || tool.set === 'trace'),
    );
    const exposed = new ExposedTools(['core'], all);
    assert.deepEqual(
      exposed.list.map((tool) => tool.name),
      ['a', 'c'],
    );
    assert.equal(exposed.find('b'), undefined);
    exposed.use(['core', 'advanced']);
    assert.deepEqual(
      exposed.list.map((tool) => tool.name),
      ['a', 'b', 'c'],
      'in their own order',
    );
    assert.equal(exposed.find('b')?.name, 'b');
  });

  it('reports a change of the list, and nothing if the list stays the same', () => {
    const exposed = new ExposedTools(['core'], all);
    let reported = 0;
    const listening = exposed.onDidChange(() => (reported += 1));
    exposed.use(['core', 'trace']);
    assert.equal(reported, 0);
    exposed.use(['advanced']);
    assert.equal(reported, 1);
    listening.dispose();
    exposed.use(['core']);
    assert.equal(reported, 1);
  });
});
