import { strict as assert } from 'node:assert';
import { Changes, type FrameTraits } from '../../../src/debugger/changes';

const MAIN: FrameTraits = { functionName: 'main', path: '/a/main.js', depth: 3 };
const values = (from: Record<string, string>): { name: string; value: string }[] => Object.entries(from).map(([name, value]) => ({ name, value }));

describe('what a stop changed', () => {
  it('nothing is told of the first stop', () => {
    assert.equal(new Changes().since('a', 1, 1, MAIN, values({ x: '1' })), undefined);
  });

  it('in the same frame: each value that is another, and each that is new', () => {
    const changes = new Changes();
    changes.since('a', 1, 2, MAIN, values({ x: '1', y: '2', gone: '3' }));
    assert.deepEqual(changes.since('a', 1, 3, MAIN, values({ x: '1', y: '5', z: '6' })), [{ name: 'y', before: '2', now: '5' }, { name: 'z', before: null, now: '6' }]);
    assert.deepEqual(changes.since('a', 1, 4, MAIN, values({ x: '1', y: '5', z: '6' })), []);
  });

  it('in another function, file or depth nothing is compared', () => {
    for (const other of [{ ...MAIN, functionName: 'f' }, { ...MAIN, path: '/b.js' }, { ...MAIN, depth: 4 }]) {
      const changes = new Changes();
      changes.since('a', 1, 5, MAIN, values({ x: '1' }));
      assert.equal(changes.since('a', 1, 6, other, values({ x: '2' })), undefined);
    }
  });

  it('threads and sessions are compared with themselves', () => {
    const changes = new Changes();
    changes.since('a', 1, 7, MAIN, values({ x: '1' }));
    assert.equal(changes.since('a', 2, 8, MAIN, values({ x: '2' })), undefined);
    assert.equal(changes.since('b', 1, 9, MAIN, values({ x: '3' })), undefined);
    assert.deepEqual(changes.since('a', 1, 10, MAIN, values({ x: '4' })), [{ name: 'x', before: '1', now: '4' }]);
  });

  it('of two variables with one name the innermost counts', () => {
    const changes = new Changes();
    changes.since('a', 1, 11, MAIN, [{ name: 'x', value: '1' }, { name: 'x', value: '9' }]);
    assert.deepEqual(changes.since('a', 1, 12, MAIN, [{ name: 'x', value: '1' }, { name: 'x', value: '8' }]), []);
  });

  it('sessions that are gone are forgotten', () => {
    const changes = new Changes();
    changes.since('a', 1, 13, MAIN, values({ x: '1' }));
    changes.prune(new Set<string>());
    assert.equal(changes.since('a', 1, 14, MAIN, values({ x: '2' })), undefined);
  });

  it('a stop that is told again tells the same', () => {
    const changes = new Changes();
    changes.since('a', 1, 1, MAIN, values({ x: '1' }));
    const told = changes.since('a', 1, 2, MAIN, values({ x: '2' }));
    assert.deepEqual(changes.since('a', 1, 2, MAIN, values({ x: '2' })), told);
  });
});
