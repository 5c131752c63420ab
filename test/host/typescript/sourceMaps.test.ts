import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { call, cleanUp, inWorkspace, marked, stopOf, variable } from '../support/client';

describe('TypeScript with source maps', () => {
  afterEach(cleanUp);

  it('stops, evaluates and steps in the source that the person wrote', async () => {
    const line = marked('src/orders.ts', 'sum');
    const set = await call('set_breakpoint', { file_path: 'src/orders.ts', line_number: line });
    const stop = stopOf(await call('start_debugging', { configuration_name: 'Orders' }));
    assert.equal(stop.source?.path, inWorkspace('src/orders.ts'));
    assert.equal(stop.line, line);
    assert.deepEqual(stop.hit_breakpoint_ids, [(set['breakpoint'] as { id: number }).id]);
    assert.equal(variable(stop, 'price').value, '24');
    const value = await call('evaluate_expression', {
      expression: 'discount(line)',
      frame_id: stop.call_stack[0]?.frame_id,
    });
    assert.equal(value['result'], '2');
    const into = stopOf(
      await call('step_execution', { thread_id: stop.thread_id, step_type: 'into' }),
    );
    assert.equal(into.line, marked('src/orders.ts', 'total'));
    const next = stopOf(await call('continue_debugging', { thread_id: into.thread_id }));
    assert.equal(variable(next, 'price').value, '5');
    assert.equal(
      (await call('continue_debugging', { thread_id: next.thread_id })).status,
      'completed',
    );
  });

  it('reports a breakpoint in a file that no source map refers to as unbound', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-'));
    try {
      const lost = path.join(folder, 'lost.ts');
      writeFileSync(lost, 'export const lost = 1;\n');
      await call('set_breakpoint', {
        file_path: 'src/orders.ts',
        line_number: marked('src/orders.ts', 'sum'),
      });
      stopOf(await call('start_debugging', { configuration_name: 'Orders' }));
      const view = (await call('set_breakpoint', { file_path: lost, line_number: 1 }))[
        'breakpoint'
      ] as { verified: boolean; message?: string; bound?: { reason?: string }[] };
      assert.equal(view.verified, false);
      assert.deepEqual(
        view.bound?.map((each) => each.reason),
        ['source_map'],
        JSON.stringify(view),
      );
      assert.match(view.message ?? '', /source map/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
