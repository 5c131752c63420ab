import { strict as assert } from 'node:assert';
import { ALL_TOOLS } from '../../../src/tools/catalog';
import { readCard } from './card';
import { bench, type Bench } from './services';

export const FOLDER = '/home/ada/app';

/** A bench whose launch.json contains this one configuration, named `It`. */
export function configured(configuration: object, more: object = {}): Bench {
  const on = bench();
  on.workspace.sources = [
    {
      kind: 'folder',
      folder: { name: 'app', path: FOLDER },
      content: {
        value: {
          configurations: [{ name: 'It', type: 'test', request: 'launch', ...configuration }],
          ...more,
        },
      },
    },
  ];
  return on;
}

export async function card(
  on: Bench,
  input: object = { configuration_name: 'It' },
  name = 'start_debugging',
): Promise<readonly string[]> {
  const tool = ALL_TOOLS.find((each) => each.name === name);
  assert.ok(tool);
  const question = await tool.check(input).question(on.services);
  return readCard(question?.message ?? '');
}
