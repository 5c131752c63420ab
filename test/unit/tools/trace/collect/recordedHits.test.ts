import { strict as assert } from 'node:assert';
import type { RecordedHit } from '../../../../../src/recording/recordedRows';
import { RecordedHits } from '../../../../../src/tools/trace/collect/collectedHits';

function hit(of: Partial<RecordedHit>): RecordedHit {
  return {
    ...{ point: 1, pid: 1, seq: 1, thread: 'main', depth: undefined, activation: undefined },
    ...{ caller: undefined, stopped: false, values: [], locals: undefined, claim: undefined },
    ...{ stack: undefined, ...of },
  };
}

const CALLER = 'run (shop.ts:12)';
const STACK = ['add (/app/shop.ts:20)', 'run (/app/shop.ts:12)', 'go (/app/node_modules/x/y.js:3)'];

describe('the hits that a recording reports', () => {
  it('numbers those of each probe', () => {
    const hits = new RecordedHits();
    hits.add([hit({ point: 1 }), hit({ point: 2 }), hit({ point: 1, stopped: true })]);
    assert.deepEqual(
      hits.hits.map(({ probe, number }) => [probe, number]),
      [
        [1, 1],
        [2, 1],
        [1, 2],
      ],
    );
    assert.equal(hits.isRefuted, true);
  });

  it('keeps the lines of a program that runs its files as they are', () => {
    const hits = new RecordedHits();
    hits.add([
      hit({ caller: CALLER, stack: STACK, at: { file: 'file:///app/shop.ts', line: 20 } }),
      hit({ point: 2, caller: CALLER }),
    ]);
    hits.hideCompiledLines((probe) => ({ path: '/app/shop.ts', line: probe === 1 ? 20 : 33 }));
    assert.deepEqual(hits.hits[0]?.stack, STACK);
    assert.deepEqual(hits.hits[1]?.caller, CALLER);
  });

  it('keeps the lines of compiled files that are on the disk', () => {
    const hits = new RecordedHits();
    const at = { file: '/app/dist/shop.js', line: 20 };
    const stack = ['add (/app/dist/shop.js:20)', 'run (/app/dist/shop.js:12)'];
    hits.add([hit({ caller: 'run (shop.js:12)', stack, at })]);
    hits.hideCompiledLines(() => ({ path: '/app/src/shop.ts', line: 17 }));
    const [shown] = hits.hits;
    assert.deepEqual([shown?.stack, shown?.caller], [stack, 'run (shop.js:12)']);
  });

  it('leaves out the lines of files that were compiled in memory', () => {
    const hits = new RecordedHits();
    hits.add([
      hit({ caller: CALLER, stack: STACK, at: { file: 'file:///app/shop.ts', line: 20 } }),
      hit({ point: 2, caller: CALLER }),
    ]);
    hits.hideCompiledLines((probe) => ({ path: '/app/shop.ts', line: probe === 1 ? 17 : 33 }));
    assert.deepEqual(hits.hits[0]?.stack, [
      'add (/app/shop.ts:17)',
      'run (/app/shop.ts)',
      'go (/app/node_modules/x/y.js:3)',
    ]);
    assert.deepEqual(
      hits.hits.map(({ caller }) => caller),
      ['run (shop.ts)', 'run (shop.ts)'],
    );
  });
});
