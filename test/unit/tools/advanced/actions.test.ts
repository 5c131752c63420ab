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

const codesIn = (cell = ''): string[] =>
  [...cell.matchAll(/`(\w+)`/g)].map((match) => match[1] ?? '');

function rows(): readonly Row[] {
  return readFileSync(path.join(ROOT, 'docs/actions.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [, action, tool, parameters] = line.split('|');
      return {
        action: codesIn(action)[0] ?? '',
        tool: codesIn(tool)[0] ?? '',
        parameters: codesIn(parameters),
      };
    });
}

describe('the table of actions', () => {
  it('has each of the 28 actions once', () => {
    assert.equal(ACTIONS.length, 28);
    assert.deepEqual(
      rows().map((row) => row.action),
      ACTIONS,
    );
  });

  for (const { action, tool, parameters } of rows())
    it(`${action}: ${tool} exists and has all the listed parameters`, () => {
      const found = ALL_TOOLS.find((candidate) => candidate.name === tool);
      assert.ok(found, tool);
      const missing = parameters.filter((parameter) => !(parameter in found.input.shape));
      assert.deepEqual(missing, []);
    });
});
