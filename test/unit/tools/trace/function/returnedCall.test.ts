import { strict as assert } from 'node:assert';
import type { Callee, CallEnd } from '../../../../../src/tools/trace/function/callModel';
import { withReturnedCall } from '../../../../../src/tools/trace/function/returnedCall';

const unknown: CallEnd = { kind: 'returned', value: undefined };
const returning = (name: string, value: string | undefined): Callee => ({
  name,
  end: { kind: 'returned', value },
});

/** What an asynchronous function returns whose line 2 and the following lines are the source, and which calls these. */
function returned(text: string, callees: readonly Callee[], isAsync = true): string | undefined {
  const source = ['async function f() {', ...text.split('\n'), '}'];
  const lines = [
    { line: 2, callees },
    { line: source.length, callees: [] },
  ];
  const end = withReturnedCall(unknown, { source, suspends: isAsync ? 'async' : undefined }, lines);
  return end.kind === 'returned' ? end.value : undefined;
}

describe('the value of an asynchronous call that returns what another one returns', () => {
  const [twice, load] = [returning('twice', '12'), returning('Store.load', '{id: 3}')];

  it('is that of the other one', () => {
    assert.equal(returned('  return twice(await load(1));', [load, twice]), '12');
    assert.equal(returned('  return await this.store.load(1);', [load]), '{id: 3}');
    assert.equal(returned('  return await load(\n    1,\n  );', [load]), '{id: 3}');
    assert.equal(returned('  return load(1)\n  // done', [load]), '{id: 3}');
  });

  it('is unknown if the other one shows a promise, or if a function of the same name is an argument', () => {
    assert.equal(returned('  return await load(1);', [returning('load', 'Promise {}')]), undefined);
    assert.equal(returned('  return db.load(load(1));', [load]), undefined);
  });

  it('is unknown if the statement does more', () => {
    assert.equal(returned('  return twice(1) // two\n    .toFixed(2);', [twice]), undefined);
    assert.equal(returned('  return twice(1) + 1;', [twice]), undefined);
    assert.equal(returned('  return twice(1)\n    .toFixed(2);', [twice]), undefined);
    assert.equal(returned('  return -twice(1);', [twice]), undefined);
    assert.equal(returned('  twice(1);', [twice]), undefined);
  });

  it('is unknown if the other one is, or is called several times', () => {
    assert.equal(returned('  return twice(1);', [returning('twice', undefined)]), undefined);
    assert.equal(returned('  return twice(twice(1));', [twice, twice]), undefined);
    assert.equal(
      returned('  return twice(1);', [{ name: 'twice', end: { kind: 'open' } }]),
      undefined,
    );
    assert.equal(returned('  return twice(1);', [load]), undefined);
  });

  it('is not that of a function which does not suspend, because it may return the promise', () => {
    assert.equal(returned('  return twice(1);', [twice], false), undefined);
  });

  it('is the one that the debugger has shown', () => {
    const shown: CallEnd = { kind: 'returned', value: '7' };
    assert.equal(withReturnedCall(shown, { source: [], suspends: 'async' }, []), shown);
    const threw: CallEnd = { kind: 'threw', exception: undefined };
    assert.equal(withReturnedCall(threw, { source: [], suspends: 'async' }, []), threw);
  });
});
