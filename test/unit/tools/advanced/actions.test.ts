import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ALL_TOOLS } from '../../../../src/tools/catalog';
import { ROOT } from '../../support/trace';

/** The actions of the tool that `docs/actions.md` compares with. */
const ACTIONS = `launch attach set_breakpoint remove_breakpoint set_instruction_breakpoint
  remove_instruction_breakpoint data_breakpoint_info set_data_breakpoint remove_data_breakpoint continue
  step_over step_in step_out pause evaluate stack_trace threads scopes variables disassemble read_memory
  write_memory modules loaded_sources custom_request output terminate sessions`.split(/\s+/);

interface Row {
  readonly action: string;
  readonly tool: string;
  readonly parameters: readonly string[];
}

const words = (cell = ''): string[] => [...cell.matchAll(/`(\w+)`/g)].map((each) => each[1] ?? '');

function rows(): readonly Row[] {
  return readFileSync(path.join(ROOT, 'docs/actions.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [, action, tool, parameters] = line.split('|');
      return {
        action: words(action)[0] ?? '',
        tool: words(tool)[0] ?? '',
        parameters: words(parameters),
      };
    });
}

describe('the table of actions', () => {
  it('has each of the 28 actions once', () => {
    assert.equal(ACTIONS.length, 28);
    assert.deepEqual(
      rows().map((each) => each.action),
      ACTIONS,
    );
  });

  for (const { action, tool, parameters } of rows())
    it(`${action}: ${tool} exists, with all its parameters`, () => {
      const found = ALL_TOOLS.find((each) => each.name === tool);
      assert.ok(found, tool);
      const missing = parameters.filter((each) => !(each in found.input.shape));
      assert.deepEqual(missing, []);
    });
});
