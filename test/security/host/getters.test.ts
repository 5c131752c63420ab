import { strict as assert } from 'node:assert';
import {
  call,
  cleanUp,
  errorOf,
  inWorkspace,
  stopOf,
  type VariableData,
} from '../../host/support/client';

describe('reading a getter', () => {
  afterEach(cleanUp);

  it('does not run it in any read-only request; evaluate_expression, which asks, runs it', async () => {
    const stop = stopOf(
      await call('start_debugging', { program: inWorkspace('getters.js'), type: 'node' }),
    );
    const value = stop.top_frame_variables?.variables.find((each) => each.name === 'value');
    assert.ok(value, JSON.stringify(stop.top_frame_variables));
    const members = await call('get_variables', { variables_reference: value.variables_reference });
    const lazy = (members['variables'] as (VariableData & { lazy?: boolean })[]).find(
      (each) => each.name === 'secret',
    );
    assert.equal(lazy?.lazy, true, JSON.stringify(members));
    await call('get_variables', { variables_reference: value.variables_reference, depth: 5 });
    await call('get_variables', {
      variables_reference: value.variables_reference,
      depth: 5,
      name_pattern: 'secret',
    });
    for (const more of [
      {},
      { depth: 3 },
      { name_pattern: '.' },
      { filter: 'named' },
      { start: 1 },
    ]) {
      if (lazy.variables_reference === 0) break;
      const refused = errorOf(
        await call('get_variables', { variables_reference: lazy.variables_reference, ...more }),
        'lazy_value',
      );
      assert.match(refused.hint, /evaluate_expression expression="value\.secret" frame_id=\d+/);
    }
    const output = async (): Promise<string> =>
      JSON.stringify((await call('get_debug_output', {}))['lines']);
    assert.doesNotMatch(await output(), /the getter ran/);
    const frame = stop.call_stack[0]?.frame_id;
    const read = await call('evaluate_expression', { expression: 'value.secret', frame_id: frame });
    assert.match(String(read['result']), /inner/);
    assert.match(JSON.stringify([read['output'], await output()]), /the getter ran/);
  });
});
