import { strict as assert } from 'node:assert';
import { showsTools } from '../../../../src/mcp/ui/editorTools';
import { TOOLS } from '../../../../src/tools/catalog';

describe('whether an editor shows our tools to its agents', () => {
  it('is true if its list of language model tools contains them', () => {
    assert.equal(
      showsTools({ lm: { tools: [{ name: 'search' }, ...TOOLS.map(({ name }) => ({ name }))] } }),
      true,
    );
  });

  it('is false if the list has only other tools, is empty or is missing', () => {
    for (const editor of [
      { lm: { tools: [{ name: 'search' }] } },
      { lm: { tools: [] } },
      { lm: { registerTool: () => undefined } },
      { lm: {} },
      {},
      undefined,
    ])
      assert.equal(showsTools(editor), false, JSON.stringify(editor));
  });
});
