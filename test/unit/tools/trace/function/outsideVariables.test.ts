import { strict as assert } from 'node:assert';
import type { TracedFunction } from '../../../../../src/tools/trace/function/callModel';
import { outsideVariables } from '../../../../../src/tools/trace/function/outsideVariables';
import { created, stopped } from '../../../support/events';
import { frameAt, stackIn } from '../../../support/stacks';
import { bench, type Bench } from '../../../support/services';

const { signal } = new AbortController();
const called = (...lines: readonly string[]): TracedFunction => ({
  ...{ name: 'add', path: '/a/a.cpp', source: lines },
  range: { start: 1, end: lines.length },
});

/** A program that is stopped in a function under a debugger. */
function stoppedIn(type: string): Bench {
  const on = bench();
  on.model.dispatch(created('a', { sessionType: type }));
  on.model.dispatch(stopped(1));
  return on;
}

describe('the variables outside of a function', () => {
  const inScope = (globals: readonly object[]): Bench => {
    const on = stoppedIn('lldb-dap');
    on.host.on('scopes', () => ({
      scopes: [
        { name: 'Locals', variablesReference: 1, expensive: false },
        { name: 'Globals', variablesReference: 2, expensive: false },
      ],
    }));
    on.host.on('variables', ({ variablesReference }) => ({
      variables: variablesReference === 2 ? globals : [{ name: 'items', value: '1' }],
    }));
    return on;
  };
  const variable = (name: string, value: string, variablesReference = 0): object => ({
    ...{ name, value, variablesReference },
  });

  it('are those of a scope that the lines of the function mention, with the fields of objects', async () => {
    const on = inScope([
      variable('::total', '5'),
      variable('Box::made', '2'),
      variable('::rest', '7'),
      variable('::last', 'Box @ 0x5555', 9),
    ]);
    const entry = stackIn([frameAt('add')], 'lldb-dap', on);
    const source = called('int add() {', '  total += made; // rest', '  return last.items;', '}');
    const outside = await outsideVariables(on.services, source, entry, signal);
    assert.deepEqual(outside.names, ['::total', 'Box::made', '::last']);
    assert.equal(outside.leftOut, 0);
    const { values } = await outside.readAt({ ...entry, values: new Map([['local', '1']]) });
    assert.deepEqual(
      [...values],
      [
        ['::total', '5'],
        ['Box::made', '2'],
        ['::last', 'Box @ 0x5555'],
        ['::last.items', '1'],
        ['local', '1'],
      ],
    );
  });

  it('of a scope with very many variables are only counted', async () => {
    const many = Array.from({ length: 300 }, (_, index) => variable(`::v${index}`, '0'));
    const on = inScope(many);
    const entry = stackIn([frameAt('add')], 'lldb-dap', on);
    const outside = await outsideVariables(on.services, called('v1 = v2;'), entry, signal);
    assert.deepEqual([outside.names, outside.leftOut], [[], 2]);
    assert.equal(await outside.readAt(entry), entry);
  });

  it('are evaluated by their names where the source tells them, and counted beyond a limit', async () => {
    const on = stoppedIn('pwa-node');
    on.host.on('evaluate', ({ expression }) => ({ result: `value of ${String(expression)}` }));
    const captured = Array.from({ length: 14 }, (_, index) => `v${index}`);
    const entry = stackIn([frameAt('add')], 'pwa-node', on);
    const outside = await outsideVariables(
      on.services,
      { ...called('v1 = v2;'), captured, capturedLeftOut: 1 },
      entry,
      signal,
    );
    assert.deepEqual([outside.names.length, outside.leftOut], [12, 3]);
    const shown = new Map([['v0', 'shown by the frame']]);
    const { values } = await outside.readAt({ ...entry, values: shown });
    assert.equal(values.get('v0'), 'shown by the frame');
    assert.equal(values.get('v11'), 'value of v11');
    assert.equal(values.has('v12'), false);
  });
});
