import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { TOOLS } from '../../../src/tools/catalog';
import { call, errorOf } from '../support/client';

const INPUT: Readonly<Record<string, object>> = {
  start_debugging: { configuration_name: 'Loop' },
  set_exception_breakpoints: { filters: [] },
  continue_debugging: { thread_id: 0 },
  step_execution: { thread_id: 0, step_type: 'over' },
  set_breakpoint: { file_path: 'src/loop.js', line_number: 4 },
  remove_breakpoint: { clear_all: true },
  evaluate_expression: { expression: '1', frame_id: 1 },
  debug_test: { file_path: 'src/loop.js', line: 1 },
  wait_for_stop: { trigger: { url: 'http://localhost/' } },
  trace_function: { function_name: 'main' },
  collect_values: { probes: [{ file_path: 'src/loop.js', line: 4, expressions: ['1'] }] },
};

describe('an untrusted workspace', () => {
  it('is untrusted', () => assert.equal(vscode.workspace.isTrusted, false));

  for (const tool of TOOLS.filter((each) => each.effect !== 'read')) {
    it(`refuses ${tool.name}`, async () => {
      errorOf(await call(tool.name, INPUT[tool.name] ?? {}), 'workspace_not_trusted');
      assert.equal(vscode.debug.breakpoints.length, 0);
    });
  }

  it('allows calls that only read', async () => {
    assert.equal((await call('get_debugger_configurations', {})).status, 'success');
    assert.equal((await call('get_debug_state', {})).status, 'success');
  });
});
