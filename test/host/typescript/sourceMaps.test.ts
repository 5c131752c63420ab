import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

  /** After report 22: a file in two bundles, with source maps that name only the beginnings of lines. */
  it('collects values at lines of a bundle that run while it loads', async () => {
    const folder = inWorkspace('out/bundled');
    try {
      const shared = makeBundles(folder);
      for (const bundle of ['a', 'b']) {
        const collected = await call('collect_values', {
          probes: [{ file_path: shared, line: 3, expressions: ['tax'] }],
          program: path.join(folder, `dist/${bundle}.js`),
        });
        assert.deepEqual(collected['rows'], [[1, '20']], JSON.stringify(collected));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
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

/** Writes two bundles of one source file. In `b`, its lines are two lines lower. @returns the source file */
function makeBundles(folder: string): string {
  const lines = ['const rate = 2;', 'const tax = 10 * rate;', "console.log('tax', tax);"];
  for (const name of ['src', 'dist']) mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, 'src/shared.js'), `${lines.join('\n')}\n`);
  for (const [name, before] of [
    ['a', []],
    ['b', ['// only in b', '// only in b']],
  ] as const) {
    const map = {
      version: 3,
      sources: ['../src/shared.js'],
      names: [],
      mappings: [...before.map(() => ''), 'AAAA', 'AACA', 'AACA'].join(';'),
    };
    const inline = Buffer.from(JSON.stringify(map)).toString('base64');
    const comment = `//# sourceMappingURL=data:application/json;base64,${inline}`;
    writeFileSync(
      path.join(folder, `dist/${name}.js`),
      `${[...before, ...lines, comment].join('\n')}\n`,
    );
  }
  return path.join(folder, 'src/shared.js');
}
