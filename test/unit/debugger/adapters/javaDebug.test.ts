import { strict as assert } from 'node:assert';
import path from 'node:path';
import { adapterOf } from '../../../../src/debugger/adapters/registry';

const java = adapterOf('java');

describe('java-debug', () => {
  it('launches a class by the name of its file', () => {
    const launched = ['shop.Cart', path.join('src', 'Cart.java')].map((each) =>
      java.launch?.(each),
    );
    assert.deepEqual(launched, [{ mainClass: 'shop.Cart' }, { mainClass: 'Cart' }]);
  });

  it('stops at any caught exception for a known failure', () => {
    assert.deepEqual(java.stopsAt, { filters: ['caught'] });
  });

  it('reports an exit code only if it is not 0', () => {
    assert.deepEqual([java.reportsExitCode?.(0), java.reportsExitCode?.(1)], [false, true]);
  });

  it('supports only the number of a single hit as a hit condition', () => {
    const written = (['==', '!=', '>', '>=', '<', '<=', '%'] as const).flatMap(
      (operator) => java.hitConditions?.write({ operator, count: 3 }) ?? [],
    );
    assert.deepEqual(written, ['3']);
  });
});
