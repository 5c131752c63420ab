import { strict as assert } from 'node:assert';
import { call, cleanUp, errorOf, marked, stopOf } from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';

const NODE = 'node/scenario.js';
const WAIT = { timeout_seconds: 120 };

describe('logpoints', function () {
  this.timeout(180_000);
  afterEach(cleanUp);

  it('Node: one with a condition is refused, and the condition that is offered prints and does not stop', async () => {
    const at = { file_path: NODE, line_number: marked(NODE, 'add') };
    const { hint } = errorOf(
      await call('set_breakpoint', { ...at, condition: 'i === 2', log_message: 'at {i}: {sum}' }),
      'not_supported',
    );
    const offered = JSON.parse(
      /without log_message: (".*") prints/.exec(hint)?.[1] ?? '',
    ) as string;
    assert.equal((await call('set_breakpoint', { ...at, condition: offered })).status, 'success');
    const answer = await call('start_debugging', { configuration_name: 'Node', ...WAIT });
    assert.equal(answer.status, 'completed', JSON.stringify(answer));
    assert.deepEqual(
      (answer['output'] as string[]).filter((line) => line.startsWith('at ')),
      ['at 2: 1'],
      JSON.stringify(answer),
    );
  });

  it('Python: one with a condition prints where it holds, and does not stop', async function () {
    const python = LANGUAGES.find((each) => each.name === 'Python');
    assert.ok(python);
    skipWhereMissing(this, python);
    await call('set_breakpoint', {
      file_path: python.source,
      line_number: marked(python.source, 'add'),
      condition: 'i == 2',
      log_message: 'at {i}: {sum}',
    });
    // debugpy loses what it prints in the moment in which the program ends.
    await call('set_breakpoint', {
      file_path: python.source,
      line_number: marked(python.source, 'print'),
    });
    const stop = stopOf(await call('start_debugging', { configuration_name: 'Python', ...WAIT }));
    assert.deepEqual(
      [stop.line, stop.output],
      [marked(python.source, 'print'), ['at 2: 1']],
      JSON.stringify(stop),
    );
  });
});
