import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { z } from 'zod';
import { TOOLS } from '../../../src/tools/catalog';
import { call, cleanUp, errorOf, inWorkspace } from '../support/client';

const REQUIRED: Readonly<Record<string, Record<string, unknown>>> = {
  set_exception_breakpoints: { filters: [] },
  continue_debugging: { thread_id: 0 },
  step_execution: { thread_id: 0, step_type: 'over' },
  get_scopes: { frame_id: 1 },
  get_variables: { variables_reference: 1 },
  evaluate_expression: { expression: '1', frame_id: 1 },
};

describe('bad input', () => {
  afterEach(cleanUp);

  for (const tool of TOOLS) {
    it(`${tool.name}: refuses an unknown parameter and a wrong type by name, and input that is no object`, async () => {
      const base = REQUIRED[tool.name] ?? {};
      const unknown = errorOf(
        await call(tool.name, { ...base, no_such_parameter: 1 }),
        'invalid_input',
      );
      assert.match(unknown.message, /no_such_parameter/);
      const shape: Readonly<Record<string, z.ZodType>> = tool.input.shape;
      for (const [name, schema] of Object.entries(shape)) {
        for (const wrong of [{ wrong: true }, Number.NaN, -1.5, [], 'x'.repeat(100_000)]) {
          if (schema.safeParse(wrong).success) continue;
          const error = errorOf(await call(tool.name, { ...base, [name]: wrong }), 'invalid_input');
          assert.match(error.message, new RegExp(name), `${tool.name}.${name}`);
        }
      }
      for (const input of ['text', 5, null, []]) {
        const answer = await call(tool.name, input).catch((error: unknown) => error);
        // VS Code may refuse input that is no object before it reaches the tool.
        if (!(answer instanceof Error))
          assert.ok(
            (answer as { code?: string }).code !== 'internal_error',
            JSON.stringify(answer),
          );
      }
    });
  }

  it('treats undefined input as empty input', async () => {
    assert.equal((await call('get_breakpoints', undefined)).status, 'success');
    const error = errorOf(await call('evaluate_expression', undefined), 'invalid_input');
    assert.match(error.message, /expression/);
    errorOf(await call('get_scopes', undefined), 'no_session');
  });

  it('refuses a file that does not exist, a folder, a binary file and a line beyond the end', async () => {
    errorOf(
      await call('set_breakpoint', { file_path: 'src/absent.js', line_number: 1 }),
      'file_not_found',
    );
    errorOf(
      await call('set_breakpoint', { file_path: '/absent/absent.js', line_number: 1 }),
      'file_not_found',
    );
    for (const file_path of ['loop.js', '/absent/loop.js', 'elsewhere\\loop.js'])
      assert.deepEqual(
        errorOf(await call('set_breakpoint', { file_path, line_number: 1 }), 'file_not_found')[
          'candidates'
        ],
        [inWorkspace('src/loop.js')],
        file_path,
      );
    assert.equal(
      errorOf(
        await call('set_breakpoint', { file_path: '*.js', line_number: 1 }),
        'file_not_found',
      )['candidates'],
      undefined,
    );
    errorOf(
      await call('set_breakpoint', { file_path: inWorkspace('src'), line_number: 1 }),
      'file_not_text',
    );
    errorOf(
      await call('set_breakpoint', { file_path: process.execPath, line_number: 1 }),
      'file_not_text',
    );
    const error = errorOf(
      await call('set_breakpoint', { file_path: 'src/loop.js', line_number: 1000 }),
      'line_out_of_range',
    );
    assert.match(error.message, /has \d+ lines/);
    errorOf(await call('set_breakpoint', { file_path: 'src/loop.js' }), 'invalid_input');
    errorOf(await call('set_breakpoint', { line_number: 3 }), 'invalid_input');
    const ambiguous = errorOf(
      await call('set_breakpoint', { file_path: 'src/loop.js', line_content: 'sum' }),
      'line_not_found',
    );
    assert.ok((ambiguous['candidates'] as unknown[]).length > 1);
    errorOf(await call('remove_breakpoint', {}), 'invalid_input');
    errorOf(
      await call('remove_breakpoint', { breakpoint_id: 1, clear_all: true }),
      'invalid_input',
    );
    errorOf(await call('remove_breakpoint', { breakpoint_id: 12_345 }), 'breakpoint_not_found');
    errorOf(
      await call('remove_breakpoint', { location: { file_path: 'src/loop.js', line_number: 1 } }),
      'breakpoint_not_found',
    );
    errorOf(await call('get_debug_output', { pattern: '(' }), 'invalid_input');
    assert.equal(vscode.debug.breakpoints.length, 0, 'nothing was changed');
  });
});
