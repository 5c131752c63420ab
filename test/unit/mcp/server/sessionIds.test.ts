import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { SessionIds } from '../../../../src/mcp/server/sessionIds';

const CLIENT = { name: 'cline', version: '3.0', protocolVersion: '2025-11-25', hasRoots: true };

describe('ids of MCP sessions', () => {
  it('contain the client’s initialize data, which a later run with the same key can read', () => {
    const id = new SessionIds(() => 'key').issue(CLIENT);
    assert.deepEqual(new SessionIds(() => 'key').read(id), {
      introduction: CLIENT,
      window: undefined,
    });
    assert.match(id, /^[\x21-\x7e]+$/, 'visible ASCII, as the protocol wants it');
  });

  it('accept any name, cut a long one, and stay short', () => {
    const ids = new SessionIds(() => 'key');
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.string({ maxLength: 300 }),
        fc.boolean(),
        (name, version, hasRoots) => {
          const id = ids.issue({ name, version, protocolVersion: '2025-11-25', hasRoots });
          const read = ids.read(id)?.introduction;
          assert.ok(id.length <= 1000);
          assert.equal(read?.hasRoots, hasRoots);
          assert.equal(
            Buffer.from(read.name).toString(),
            Buffer.from(Array.from(name).slice(0, 60).join('')).toString(),
          );
        },
      ),
    );
  });

  it('are all different', () => {
    const ids = new SessionIds(() => 'key');
    assert.equal(new Set(Array.from({ length: 100 }, () => ids.issue(CLIENT))).size, 100);
  });

  it('name the window that issued them', () => {
    const ids = new SessionIds(() => 'key');
    const id = ids.issue(CLIENT, '0123abcd');
    assert.match(id, /^0123abcd-/);
    assert.deepEqual(ids.read(id), { introduction: CLIENT, window: '0123abcd' });
  });

  it('are invalid with another key or with any one character changed', () => {
    const ids = new SessionIds(() => 'key');
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.';
    for (const id of [ids.issue(CLIENT), ids.issue(CLIENT, '0123abcd')]) {
      assert.equal(new SessionIds(() => 'other').read(id), undefined);
      for (let at = 0; at < id.length; at += 1) {
        for (const other of alphabet) {
          const changed = id.slice(0, at) + other + id.slice(at + 1);
          if (changed !== id) assert.equal(ids.read(changed), undefined, `${other} at ${at}`);
        }
      }
    }
  });

  it('are invalid with another, a second or a missing window prefix', () => {
    const ids = new SessionIds(() => 'key');
    const [bare, named] = [ids.issue(CLIENT), ids.issue(CLIENT, '0123abcd')];
    for (const id of [
      `0123abcd-${bare}`,
      named.slice('0123abcd-'.length),
      named.replace('0123abcd', '0123abce'),
      `0123abcd-${named}`,
      ` ${named}`,
      `${named}=`,
    ])
      assert.equal(ids.read(id), undefined, id);
  });

  it('reject any other text', () => {
    const ids = new SessionIds(() => 'key');
    for (const id of [
      '',
      '.',
      '..',
      'unknown',
      '00000000-0000-4000-8000-000000000000',
      `${'A'.repeat(2000)}.${'A'.repeat(22)}.${'A'.repeat(43)}`,
    ])
      assert.equal(ids.read(id), undefined, id.slice(0, 40));
    fc.assert(fc.property(fc.string(), (id) => assert.equal(ids.read(id), undefined)));
  });
});
