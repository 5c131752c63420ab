import { strict as assert } from 'node:assert';
import { isPanicBetween, panicThrough } from '../../../../../src/tools/trace/function/panics';
import { frameAt, stackIn } from '../../../support/stacks';
import { bench } from '../../../support/services';

const { signal } = new AbortController();
const stack = (...names: readonly string[]) => names.map((name) => frameAt(name));
const CALL = stackIn(stack('main.pick', 'main.main'), 'go');

describe('a panic in Go', () => {
  it('has left a call if it runs a function above it', () => {
    const deferred = ['main.main.func1', 'runtime.gopanic', 'main.pick', 'main.main'];
    assert.equal(isPanicBetween(CALL, stackIn(stack(...deferred), 'go')), true);
    // The call itself was made by a deferred function.
    const within = ['main.helper', 'main.pick', 'main.main.func1', 'runtime.gopanic', 'main.main'];
    assert.equal(isPanicBetween(CALL, stackIn(stack(...within), 'go')), false);
    assert.equal(isPanicBetween(CALL, stackIn(stack('main.helper', 'main.pick'), 'go')), false);
    // Another debugger's programs have no such function.
    assert.equal(isPanicBetween(CALL, stackIn(stack(...deferred), 'test')), false);
  });

  it('has not left a later call of the same function, which a deferred function has made', () => {
    const before = ['runtime.gopanic', 'main.pick', 'main.guarded', 'main.main'];
    const again = stackIn(stack('main.pick', 'main.guarded.func1', ...before), 'go');
    const behind = stackIn(stack('main.guarded.func1', ...before), 'go');
    assert.equal(isPanicBetween(again, behind), false);
    const first = stackIn(stack('main.pick', 'main.guarded', 'main.main'), 'go');
    assert.equal(isPanicBetween(first, behind), true);
  });

  it('has left a call whose stack was not read completely', () => {
    const deep = { ...CALL, total: 40 };
    const now = stackIn(stack('main.main.func1', 'runtime.gopanic', 'main.pick'), 'go');
    assert.equal(isPanicBetween(deep, { ...now, total: 72 }), true);
    assert.equal(isPanicBetween(deep, now), false);
  });

  it('is read with its value, and with whether the call itself has deferred the function', async () => {
    const on = bench();
    on.host.on('evaluate', () => ({ result: 'interface {}(string) "no tea"' }));
    const read = async (deferred: string) =>
      await panicThrough(
        on.services,
        CALL,
        stackIn(stack(deferred, 'runtime.gopanic', 'main.pick', 'main.main'), 'go', on),
        signal,
      );
    assert.deepEqual(await read('main.main.func1'), { value: 'panic: "no tea"', isOwn: false });
    assert.deepEqual(await read('main.pick.func1'), { value: 'panic: "no tea"', isOwn: true });
    on.host.on('evaluate', () => {
      throw new Error('no such variable');
    });
    assert.deepEqual(await read('main.main.func1'), { value: undefined, isOwn: false });
  });
});
