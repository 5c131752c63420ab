import { strict as assert } from 'node:assert';
import type { TracedFunction } from '../../../../../src/tools/trace/function/callModel';
import {
  MissedStops,
  StopsWhileLeaving,
} from '../../../../../src/tools/trace/function/missedStops';
import type { Stops } from '../../../../../src/tools/trace/function/steppingPlan';
import { frameAt, stackIn } from '../../../support/stacks';

class Counted implements Stops {
  disposed = 0;

  dispose(): Promise<void> {
    this.disposed += 1;
    return Promise.resolve();
  }
}

describe('the breakpoints at places that steps miss', () => {
  it('exist during a call, also if the call fails', async () => {
    const missed = new MissedStops();
    const stops = new Counted();
    const seen = await missed.during(stops, () => Promise.resolve(missed.mayStopInside));
    assert.deepEqual([seen, missed.mayStopInside, stops.disposed], [true, false, 1]);
    const failing = new Counted();
    await assert.rejects(missed.during(failing, () => Promise.reject(new Error('over'))));
    assert.deepEqual([missed.mayStopInside, failing.disposed], [false, 1]);
    assert.equal(await missed.during(undefined, () => Promise.resolve(5)), 5);
  });

  it('are removed from functions after many stops of other calls, but not behind calls', async () => {
    const missed = new MissedStops();
    const [inside, behind] = [new Counted(), new Counted()];
    await missed.duringInside(inside, () =>
      missed.during(behind, async () => {
        for (let stop = 1; stop < 40; stop += 1) await missed.noteInner();
        assert.deepEqual([missed.hasLost, inside.disposed], [false, 0]);
        await missed.noteInner();
        assert.deepEqual([missed.hasLost, inside.disposed, behind.disposed], [true, 1, 0]);
      }),
    );
    assert.deepEqual([inside.disposed, behind.disposed], [1, 1]);
  });
});

describe('the breakpoints behind an asynchronous call that returns', () => {
  const source = [
    'async function find(limit) {',
    '  const all = await load();',
    '  for (const each of all) {',
    '    if (each > limit) return each;',
    '    log(',
    '      await name(each),',
    '    );',
    '  }',
    '}',
  ];
  const called: TracedFunction = {
    ...{ name: 'find', path: '/a.js', source, suspends: 'async', mayMissEnd: true },
  };

  /** The numbers of the existing breakpoints after each line, and those that were ever set. */
  async function after(lines: readonly number[], of = called): Promise<(readonly number[])[]> {
    const missed = new MissedStops();
    const all: Counted[] = [];
    const leaving = new StopsWhileLeaving(missed, of, () => {
      const stops = new Counted();
      all.push(stops);
      return Promise.resolve(stops);
    });
    const seen: (readonly number[])[] = [];
    for (const line of lines) {
      await leaving.update(stackIn([frameAt('find', { line })]));
      seen.push([all.filter(({ disposed }) => disposed === 0).length, all.length]);
    }
    await leaving.dispose();
    assert.ok(all.every(({ disposed }) => disposed === 1));
    assert.equal(missed.mayStopInside, false);
    return seen;
  }

  it('are set at a return, and removed while the call is suspended', async () => {
    assert.deepEqual(await after([2, 3, 4, 5, 3, 4]), [
      ...[
        [0, 0],
        [0, 0],
        [1, 1],
      ],
      ...[
        [0, 1],
        [0, 1],
        [1, 2],
      ],
    ]);
  });

  it('are set after a suspension in the return, and in a `finally`', async () => {
    const source = [
      ...['async function find(items) {', '  try {', '    return await name(items);'],
      ...['  } finally {', '    await null;', '    open -= 1;', '  }', '}'],
    ];
    const numbers = await after([3, 6, 5, 6], { ...called, source });
    assert.deepEqual(
      numbers.map(([existing]) => existing),
      [0, 1, 0, 1],
    );
  });

  it('are not kept behind a return that was not reached, nor in a literal with an await', async () => {
    const source = [
      ...['async function find(id) {', '  if (!id) return null;', '  const row = {'],
      ...['    data: await name(id),', '  };', '  log(row);', '}'],
    ];
    const numbers = await after([2, 3, 6], { ...called, source });
    assert.deepEqual(
      numbers.map(([existing]) => existing),
      [1, 0, 0],
    );
  });

  it('are not set for other functions', async () => {
    assert.deepEqual(await after([4], { ...called, mayMissEnd: false }), [[0, 0]]);
    assert.deepEqual(await after([4], { ...called, suspends: undefined }), [[0, 0]]);
  });
});
