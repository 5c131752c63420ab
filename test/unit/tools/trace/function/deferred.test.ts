import { strict as assert } from 'node:assert';
import {
  closureName,
  Deferred,
  deferredPlaces,
  isAdded,
  nameAround,
} from '../../../../../src/tools/trace/function/deferred';
import { MissedStops } from '../../../../../src/tools/trace/function/missedStops';
import { frameAt, momentIn } from '../../../support/moments';
import { bench } from '../../../support/services';

const SOURCE = [
  'func load(n int) {',
  '\tdefer lock.Unlock()',
  '\tdefer func() {',
  '\t\tdone(n)',
  '\t}()',
  '\tsave(n)',
  '}',
];
const { signal } = new AbortController();

/** A call whose deferred functions have these names and addresses, in the order in which it defers them. */
function deferring(functions: Readonly<Record<number, readonly [string, string]>>) {
  const on = bench();
  let line = 0;
  on.host.on('evaluate', ({ expression }) => {
    const [name, address] = functions[line] ?? [];
    if (name === undefined) throw new Error('no function');
    return { result: String(expression).includes('uintptr') ? `1 = ${address}` : name };
  });
  const deferred = new Deferred(on.services, new MissedStops(), SOURCE, 1, signal);
  const passes = async (at: number): Promise<void> => {
    line = at;
    const moment = (next: number) => momentIn([frameAt('main.load', { line: next })], 'go', on);
    await deferred.read(moment(at), moment(at + 1), undefined);
  };
  return { deferred, passes };
}

describe('the functions that a Go call has deferred', () => {
  const functions = { 2: ['main.load.func2', '0x10'], 3: ['main.load.func1', '0x20'] } as const;

  it('are read behind their statements, and run in the opposite order', async () => {
    const { deferred, passes } = deferring(functions);
    for (const line of [1, 2, 3, 6]) await passes(line);
    assert.deepEqual(deferred.addresses, ['0x10', '0x20']);
    assert.equal(deferred.has(frameAt('main.load.func1')), true);
    assert.equal(deferred.has(frameAt('main.other.func1')), false);
    assert.equal(deferred.take(frameAt('main.load.func1'), true), true);
    assert.equal(deferred.take(frameAt('main.load.func1'), true), false);
    assert.equal(deferred.take(frameAt('main.load.func2'), false), true);
    deferred.end();
    assert.equal(deferred.hasMissed, false);
    assert.equal(deferred.hasRun, true);
    // The second one ran after the call had recovered.
    assert.equal(deferred.last, 3);
  });

  it('are missed if a later one is seen first, or if the call ends before', async () => {
    const one = deferring(functions);
    for (const line of [2, 3]) await one.passes(line);
    assert.equal(one.deferred.take(frameAt('main.load.func2'), true), true);
    assert.equal(one.deferred.hasMissed, true);
    const other = deferring(functions);
    await other.passes(3);
    assert.equal(other.deferred.hasMissed, false);
    other.deferred.end();
    assert.equal(other.deferred.hasMissed, true);
  });

  it('are missed if the debugger does not know them', async () => {
    const { deferred, passes } = deferring({});
    await passes(2);
    assert.equal(deferred.hasMissed, true);
    assert.deepEqual(deferred.addresses, []);
  });

  it('hide older values of the variables around a closure in its first line', () => {
    const on = bench();
    const deferred = new Deferred(on.services, new MissedStops(), SOURCE, 3, signal);
    const at = (name: string, line: number) => ({
      ...momentIn([frameAt(name, { line })], 'go', on),
      values: new Map([['n', '1']]),
    });
    assert.equal(deferred.withoutUnread(at('main.load.func1', 3)).values.size, 0);
    assert.equal(deferred.withoutUnread(at('main.load.func1', 4)).values.size, 1);
    assert.equal(deferred.withoutUnread(at('main.load', 3)).values.size, 1);
  });

  it('have closures of the compiler if they have arguments', () => {
    const frame = (name: string, line: number) => frameAt(name, { line });
    assert.equal(isAdded(frame('main.load.func2', 2), SOURCE), true);
    assert.equal(isAdded(frame('main.load.deferwrap1', 2), SOURCE), true);
    assert.equal(isAdded(frame('main.load.func1', 3), SOURCE), false);
    assert.equal(isAdded(frame('main.load', 2), SOURCE), false);
    assert.equal(nameAround({ name: 'main.(*Store).load.func1.2' }), 'main.(*Store).load');
    assert.equal(nameAround({ name: 'main.load' }), undefined);
    assert.equal(
      closureName(frame('example.com/a/shop.(*Store).load.func1', 3)),
      'Store.load.func1',
    );
    assert.equal(closureName(frame('main.load', 3)), undefined);
  });

  it('have their places at the `defer` statements', () => {
    const called = { name: 'load', path: '/a/a.go', source: SOURCE, range: { start: 1, end: 7 } };
    assert.deepEqual(
      deferredPlaces(called, 'here').map(({ line, condition }) => [line, condition]),
      [
        [2, 'here'],
        [3, 'here'],
      ],
    );
    assert.deepEqual(deferredPlaces({ ...called, range: undefined }, 'here'), []);
  });
});
