import { strict as assert } from 'node:assert';
import { Deferred, type RunningFunction } from '../../../../../src/tools/trace/function/deferred';
import {
  closureName,
  deferAround,
  deferredPlaces,
  isAdded,
  nameAround,
} from '../../../../../src/tools/trace/function/goClosures';
import { MissedStops } from '../../../../../src/tools/trace/function/missedStops';
import { frameAt, stackIn } from '../../../support/stacks';
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
const CALLED = { name: 'load', path: '/a/a.go', source: SOURCE, range: { start: 1, end: 7 } };
const { signal } = new AbortController();

/** The function that is deferred last at a line: its name, its address, and its record. */
type Newest = readonly [name: string, address: string, record: string];
const CALLER: Newest = ['main.sweep', '0x1', '0xa0'];

/** A call of a function. The debugger shows the given functions behind its lines. */
async function deferring(functions: Readonly<Record<number, Newest>>) {
  const on = bench();
  let newest = CALLER;
  on.host.on('evaluate', ({ expression }) => {
    const [name, address, record] = newest;
    if (name === '') throw new Error('no function');
    if (String(expression).startsWith('**')) return { result: `1 = ${address}` };
    if (String(expression).includes('.stack.')) return { result: '0 = 0x0' };
    return { result: String(expression).startsWith('uintptr') ? `1 = ${record}` : name };
  });
  const at = (line: number, name = 'main.load') => stackIn([frameAt(name, { line })], 'go', on);
  const deferred = await Deferred.of(on.services, new MissedStops(), CALLED, at(1), false, signal);
  const passes = async (line: number, next = line + 1): Promise<void> => {
    newest = functions[line] ?? newest;
    await deferred.read(at(line), at(next), undefined);
  };
  return { deferred, passes };
}

const running = (name: string, record: string): RunningFunction => ({
  frame: frameAt(name),
  record,
});

describe('the functions that a Go call has deferred', () => {
  const unlock: Newest = ['main.load.func2', '0x10', '0xb0'];
  const literal: Newest = ['main.load.func1', '0x20', '0xc0'];

  it('are read behind their statements, and run in the opposite order', async () => {
    const { deferred, passes } = await deferring({ 2: unlock, 3: literal });
    for (const line of [1, 2, 3, 6]) await passes(line);
    assert.deepEqual(deferred.addresses, ['0x10', '0x20']);
    assert.equal(deferred.has(running('main.load.func1', '0xc0')), true);
    // A call of the same function has other records.
    assert.equal(deferred.has(running('main.load.func1', '0xd0')), false);
    assert.equal(deferred.take(running('main.load.func1', '0xc0'), true), true);
    assert.equal(deferred.take(running('main.load.func1', '0xc0'), true), false);
    // After the call has recovered, the newest record is that of the function which was deferred before.
    assert.equal(deferred.take(running('main.load.func2', '0xa0'), false), true);
    deferred.end();
    assert.equal(deferred.hasMissed, false);
    assert.equal(deferred.hasRun, true);
    assert.equal(deferred.last, 3);
  });

  it('are read once for a statement over several lines', async () => {
    const source = ['func load() {', '\tdefer done(', '\t\tone,', '\t)', '}'];
    assert.equal(deferAround(source, 2), 2);
    assert.equal(deferAround(source, 4), 2);
    assert.equal(deferAround(source, 5), undefined);
    const { deferred, passes } = await deferring({ 5: literal });
    // The debugger stops at its lines before the function is deferred. The caller's function is still the newest one.
    await passes(3, 5);
    assert.deepEqual(deferred.addresses, []);
    await passes(5, 3);
    await passes(3, 6);
    assert.deepEqual(deferred.addresses, ['0x20']);
  });

  it('are missed if an optimized program has no records of them', async () => {
    const { deferred, passes } = await deferring({});
    await passes(2, 3);
    assert.equal(deferred.hasMissed, true);
  });

  it('are missed if an earlier one is seen first, or if the call ends before', async () => {
    const one = await deferring({ 2: unlock, 3: literal });
    for (const line of [2, 3]) await one.passes(line);
    assert.equal(one.deferred.take(running('main.load.func2', '0xb0'), true), true);
    assert.equal(one.deferred.hasMissed, true);
    const other = await deferring({ 3: literal });
    await other.passes(3);
    assert.equal(other.deferred.hasMissed, false);
    other.deferred.end();
    assert.equal(other.deferred.hasMissed, true);
  });

  it('are missed if the debugger does not know them', async () => {
    const { deferred, passes } = await deferring({ 2: ['', '', ''] });
    await passes(2);
    assert.equal(deferred.hasMissed, true);
    assert.deepEqual(deferred.addresses, []);
  });

  it('hide older values of the variables around a closure in its first line', async () => {
    const on = bench();
    const entry = stackIn([frameAt('main.load.func1', { line: 3 })], 'go', on);
    const deferred = await Deferred.of(on.services, new MissedStops(), CALLED, entry, true, signal);
    const at = (name: string, line: number) => ({
      ...stackIn([frameAt(name, { line })], 'go', on),
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
    const literal = ['\tdefer func(n int) {', '\t\tdone(n)', '\t}(1)', '\tdefer func() error {'];
    assert.equal(isAdded(frame('main.load.func2', 1), literal), true);
    assert.equal(isAdded(frame('main.load.func2', 3), literal), true);
    assert.equal(isAdded(frame('main.load.func4', 4), literal), true);
    // Another closure that is deferred within the statement.
    const inner = ['\tdefer func(n int) {', '\t\tclean := func() {', '\t\t}', '\t}(1)'];
    assert.equal(isAdded(frame('main.load.func1.1', 2), inner), false);
    assert.equal(deferAround(['\tdefer log("(")', '\twork()'], 2), undefined);
    assert.equal(nameAround({ name: 'main.(*Store).load.func1.2' }), 'main.(*Store).load');
    assert.equal(nameAround({ name: 'main.load' }), undefined);
    assert.equal(
      closureName(frame('example.com/a/shop.(*Store).load.func1', 3)),
      'Store.load.func1',
    );
    assert.equal(closureName(frame('main.load', 3)), undefined);
  });

  it('have their places at the `defer` statements', () => {
    assert.deepEqual(
      deferredPlaces(CALLED, 'here').map(({ line, condition }) => [line, condition]),
      [
        [2, 'here'],
        [3, 'here'],
      ],
    );
    assert.deepEqual(deferredPlaces({ ...CALLED, range: undefined }, 'here'), []);
  });
});
