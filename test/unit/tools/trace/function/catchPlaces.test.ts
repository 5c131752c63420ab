import { strict as assert } from 'node:assert';
import type { TracedFunction } from '../../../../../src/tools/trace/function/callModel';
import { catchPlaces } from '../../../../../src/tools/trace/function/catchPlaces';
import { frameAt, stackIn } from '../../../support/stacks';

const SOURCE = [
  'int total() {',
  '  try {',
  '    parse();',
  '  } catch (const A &a) {',
  '  } catch (...) {',
  '  }',
  '}',
  'int main() {',
  '  try { total(); }',
  '  catch (int) {}',
  '}',
];
const PATH = '/app/total.cpp';
const described = (name: string, start: number, end: number): TracedFunction => ({
  ...{ name, path: PATH, source: SOURCE, range: { start, end } },
});
const TOTAL = described('total', 1, 7);
const functionAt = ({ top }: { top: { name: string } }): Promise<TracedFunction> =>
  Promise.resolve(top.name === 'main' ? described('main', 8, 11) : { ...TOTAL, path: undefined });

describe('the places where an exception in a call may be caught', () => {
  const places = async (type: string, ...callers: readonly string[]): Promise<unknown> => {
    const frames = ['total', ...callers].map((name) => frameAt(name, { path: PATH }));
    const found = await catchPlaces({ functionAt }, TOTAL, stackIn(frames, type));
    return found.map(({ path, line }) => `${path}:${line}`);
  };

  it('are the `catch` lines of the function and of its callers, each once', async () => {
    const own = [`${PATH}:4`, `${PATH}:5`];
    assert.deepEqual(await places('lldb-dap'), own);
    assert.deepEqual(await places('lldb-dap', 'main', 'main'), [...own, `${PATH}:10`]);
    // A caller without a source.
    assert.deepEqual(await places('lldb-dap', '__libc_start_main'), own);
  });

  it('are not needed for a debugger whose steps stop there', async () => {
    assert.deepEqual(await places('test', 'main'), []);
  });
});
