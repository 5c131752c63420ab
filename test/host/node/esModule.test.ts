import { strict as assert } from 'node:assert';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { call, cleanUp, stopOf, type VariableData } from '../support/client';

// Separate from the other tests of sessions: js-debug of the oldest VS Code reads these variables at once.
describe('an ES module on Node', () => {
  afterEach(cleanUp);

  it('reports that the top-level variables of an ES module are not read at the stop, and reads them on request', async () => {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-')));
    try {
      const file = path.join(folder, 'top.mjs');
      writeFileSync(file, 'const one = 1;\nlet two = one + 1;\ntwo += 1;\nexport default two;\n');
      await call('set_breakpoint', { file_path: file, line_number: 3 });
      const stop = stopOf(await call('start_debugging', { program: file }));
      assert.equal(stop.omitted?.['expensive_scopes'], 'Module', JSON.stringify(stop));
      const scopes = (await call('get_scopes', { frame_id: stop.call_stack[0]?.frame_id }))[
        'scopes'
      ] as { name: string; variables_reference: number }[];
      const read = await call('get_variables', {
        variables_reference: scopes.find((each) => each.name === 'Module')?.variables_reference,
      });
      assert.deepEqual(
        (read['variables'] as VariableData[])
          .filter((each) => ['one', 'two'].includes(each.name))
          .map((each) => each.value),
        ['1', '2'],
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
