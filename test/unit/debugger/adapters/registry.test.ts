import { strict as assert } from 'node:assert';
import { adapterOf, isKnownType, typesFor } from '../../../../src/debugger/adapters/registry';

describe('adapter registry', () => {
  it('returns an adapter with the protocol’s behaviour for an unknown type', () => {
    assert.deepEqual(adapterOf('other'), {
      name: 'other',
      types: ['other'],
      seenIn: 'never run',
      languages: [],
    });
  });

  it('knows the adapters by all of their types', () => {
    for (const type of ['node', 'pwa-node', 'pwa-chrome', 'python', 'go', 'java', 'cppvsdbg'])
      assert.equal(isKnownType(type), true, type);
    assert.equal(isKnownType('other'), false);
  });

  it('lists the types for a language in the order of preference', () => {
    assert.deepEqual(typesFor('typescript'), ['node', 'pwa-node']);
    assert.deepEqual(typesFor('native'), ['lldb-dap', 'lldb', 'cppdbg', 'cppvsdbg', 'gdb']);
    assert.deepEqual(typesFor('cobol'), []);
  });
});
