import { strict as assert } from 'node:assert';
import type { HostBreakpoint, RequestedHostBreakpoint } from '../../../src/debugger/host';
import { fields, isFields, type Fields } from '../../../src/debugger/protocol';
import { ALL_TOOLS } from '../../../src/tools/catalog';
import type { ToolResult } from '../../../src/tools/defineTool';
import { runTool } from '../../../src/tools/run';
import { FILE, type Bench } from './services';

export function call(on: Bench, name: string, input: object): Promise<ToolResult> {
  const tool = ALL_TOOLS.find((each) => each.name === name);
  assert.ok(tool !== undefined);
  return runTool(tool, input, on.services, on.call);
}

export const set = (on: Bench, input: object): Promise<ToolResult> =>
  call(on, 'set_breakpoint', { file_path: FILE, ...input });

export function breakpointOf(result: ToolResult): Fields {
  assert.equal(result.status, 'success', JSON.stringify(result));
  assert.ok(isFields(result['breakpoint']));
  return result['breakpoint'];
}

/** Adds a breakpoint of the person, as VS Code's views do. */
export const theirs = (
  on: Bench,
  line: number,
  more: Partial<Extract<RequestedHostBreakpoint, { kind: 'source' }>> = {},
): HostBreakpoint => on.host.addBreakpoint({ kind: 'source', path: FILE, line, ...more });

/** The line of each breakpoint that VS Code has. */
export const places = (on: Bench): unknown[] =>
  on.host.breakpoints().map((each) => (each.kind === 'source' ? each.line : each.functionName));

export function only(on: Bench): HostBreakpoint {
  const [one, ...more] = on.host.breakpoints();
  assert.ok(one !== undefined && more.length === 0, `${more.length + 1} breakpoints`);
  return one;
}

/** Makes the adapter bind every breakpoint that VS Code sends. */
export function binding(on: Bench): Bench {
  on.host.on('setBreakpoints', ({ breakpoints }) => ({
    breakpoints: Array.isArray(breakpoints)
      ? breakpoints.map((each, id) => ({ id, verified: true, line: fields(each)['line'] }))
      : [],
  }));
  return on;
}
