import { strict as assert } from 'node:assert';
import { ALL_TOOLS } from '../../../src/tools/catalog';
import { type Question } from '../../../src/tools/question';
import { bench, paused, type Bench } from './services';

export const FOLDER = '/home/ada/app';

export async function question(on: Bench, name: string, input: object): Promise<Question> {
  const tool = ALL_TOOLS.find((each) => each.name === name);
  assert.ok(tool !== undefined);
  const question = await tool.check(input).question(on.services);
  assert.ok(question !== undefined, `${name} asks`);
  return question;
}

export async function cardText(on: Bench, name: string, input: object): Promise<string> {
  return (await question(on, name, input)).message;
}

/** A bench whose launch.json contains these configurations and compounds. */
export function configured(configurations: readonly object[], more: object = {}): Bench {
  const on = bench();
  on.workspace.sources = [
    {
      kind: 'folder',
      folder: { name: 'app', path: FOLDER },
      content: { value: { configurations, ...more } },
    },
  ];
  return on;
}

/** A bench with a program that is stopped at main.js:3 and whose thread has a name. */
export function stoppedInMain(): Bench {
  const on = paused(bench());
  on.model.dispatch({
    type: 'toAdapter',
    key: 'a',
    at: 0,
    message: { seq: 50, type: 'request', command: 'threads' },
  });
  on.model.dispatch({
    type: 'fromAdapter',
    key: 'a',
    at: 0,
    message: {
      seq: 51,
      type: 'response',
      request_seq: 50,
      command: 'threads',
      success: true,
      body: { threads: [{ id: 1, name: 'main' }] },
    },
  });
  return on;
}

export function frameOf(on: Bench, functionName?: string): number {
  return on.services.inspector.handles.frame(
    on.services.inspector.placeOf(on.session(), 1),
    10,
    functionName === undefined ? undefined : { functionName, file: 'main.js', line: 8 },
  );
}
