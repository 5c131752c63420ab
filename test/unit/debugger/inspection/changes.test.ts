import { strict as assert } from 'node:assert';
import {
  Changes,
  fieldName,
  type Change,
  type FrameTraits,
  type ReportedStop,
} from '../../../../src/debugger/inspection/changes';

const MAIN: FrameTraits = { functionName: 'main', path: '/a/main.js', depth: 3 };
const OUTER = [
  { name: 'start', path: '/a/main.js', line: 9 },
  { name: 'root', path: '/a/main.js', line: 20 },
];
/** Of a function that `main` calls. */
const CALLEE: FrameTraits = { functionName: 'callee', path: '/a/main.js', depth: 4 };
const IN_MAIN = { name: 'main', path: '/a/main.js', line: 5 };

const values = (from: Record<string, string>): { name: string; value: string }[] =>
  Object.entries(from).map(([name, value]) => ({ name, value }));

function since(
  changes: Changes,
  session: string,
  thread: number,
  stopId: number,
  frame: FrameTraits,
  variables: { name: string; value: string }[],
  callers: ReportedStop['callers'] = OUTER,
): readonly Change[] | undefined {
  return changes.since(session, thread, { stopId, frame, callers, variables })?.changes;
}

describe('what a stop changed', () => {
  it('nothing is told of the first stop', () => {
    assert.equal(since(new Changes(), 'a', 1, 1, MAIN, values({ x: '1' })), undefined);
  });

  it('in the same frame: each value that is another, and each that is new', () => {
    const changes = new Changes();
    since(changes, 'a', 1, 2, MAIN, values({ x: '1', y: '2', gone: '3' }));
    assert.deepEqual(since(changes, 'a', 1, 3, MAIN, values({ x: '1', y: '5', z: '6' })), [
      { name: 'y', before: '2', now: '5' },
      { name: 'z', before: null, now: '6' },
    ]);
    assert.deepEqual(since(changes, 'a', 1, 4, MAIN, values({ x: '1', y: '5', z: '6' })), []);
  });

  it('in another function, file or depth nothing is compared', () => {
    for (const other of [
      { ...MAIN, functionName: 'f' },
      { ...MAIN, path: '/b.js' },
      { ...MAIN, depth: 4 },
    ]) {
      const changes = new Changes();
      since(changes, 'a', 1, 5, MAIN, values({ x: '1' }));
      assert.equal(since(changes, 'a', 1, 6, other, values({ x: '2' })), undefined);
    }
  });

  it('threads and sessions are compared with themselves', () => {
    const changes = new Changes();
    since(changes, 'a', 1, 7, MAIN, values({ x: '1' }));
    assert.equal(since(changes, 'a', 2, 8, MAIN, values({ x: '2' })), undefined);
    assert.equal(since(changes, 'b', 1, 9, MAIN, values({ x: '3' })), undefined);
    assert.deepEqual(since(changes, 'a', 1, 10, MAIN, values({ x: '4' })), [
      { name: 'x', before: '1', now: '4' },
    ]);
  });

  it('of two variables with one name the innermost counts', () => {
    const changes = new Changes();
    since(changes, 'a', 1, 11, MAIN, [
      { name: 'x', value: '1' },
      { name: 'x', value: '9' },
    ]);
    assert.deepEqual(
      since(changes, 'a', 1, 12, MAIN, [
        { name: 'x', value: '1' },
        { name: 'x', value: '8' },
      ]),
      [],
    );
  });

  it('fields of an object are compared where they were read both times', () => {
    const changes = new Changes();
    const at = (stopId: number, value: string, fields?: readonly (readonly [string, string])[]) =>
      changes.since('a', 1, {
        stopId,
        frame: MAIN,
        callers: OUTER,
        variables: [{ name: 'order', value, fields }],
      })?.changes;
    at(1, 'Order');
    assert.deepEqual(at(2, 'Order', [['total', '1']]), [], 'they were not read before');
    assert.deepEqual(
      at(3, 'Order', [
        ['total', '2'],
        ['[0]', 'a'],
      ]),
      [
        { name: 'order.total', before: '1', now: '2' },
        { name: 'order[0]', before: null, now: 'a' },
      ],
    );
    assert.deepEqual(at(4, 'Order'), []);
    assert.deepEqual(at(5, 'Other', [['total', '9']]), [
      { name: 'order', before: 'Order', now: 'Other' },
    ]);
    assert.deepEqual(
      ['total', '[0]', 'a['].map((each) => fieldName('order', each)),
      ['order.total', 'order[0]', 'order.a['],
    );
  });

  it('a glance at a stop is remembered by nothing', () => {
    const changes = new Changes();
    const glance = (stopId: number, x: string) =>
      changes.since(
        'a',
        1,
        { stopId, frame: MAIN, callers: OUTER, variables: values({ x }) },
        'glanced',
      );
    assert.equal(glance(1, '1'), undefined);
    assert.equal(changes.size, 0);
    since(changes, 'a', 1, 2, MAIN, values({ x: '2' }));
    assert.deepEqual(glance(3, '3')?.changes, [{ name: 'x', before: '2', now: '3' }]);
    assert.deepEqual(since(changes, 'a', 1, 4, MAIN, values({ x: '2' })), []);
  });

  it('sessions that are gone are forgotten', () => {
    const changes = new Changes();
    since(changes, 'a', 1, 13, MAIN, values({ x: '1' }));
    changes.prune(new Set<string>());
    assert.equal(since(changes, 'a', 1, 14, MAIN, values({ x: '2' })), undefined);
  });

  it('a stop that is told again tells the same', () => {
    const changes = new Changes();
    since(changes, 'a', 1, 1, MAIN, values({ x: '1' }));
    const told = since(changes, 'a', 1, 2, MAIN, values({ x: '2' }));
    assert.deepEqual(since(changes, 'a', 1, 2, MAIN, values({ x: '2' })), told);
  });

  it('a frame that is come back to is compared with what was told of it before', () => {
    const changes = new Changes();
    since(changes, 'a', 1, 1, MAIN, values({ x: '1', y: '2' }));
    assert.equal(
      since(changes, 'a', 1, 2, CALLEE, values({ z: '3' }), [IN_MAIN, ...OUTER]),
      undefined,
    );
    since(changes, 'a', 1, 3, CALLEE, values({ z: '4' }), [IN_MAIN, ...OUTER]);
    const back = changes.since('a', 1, {
      stopId: 4,
      frame: MAIN,
      callers: OUTER,
      variables: values({ x: '1', y: '5' }),
    });
    assert.deepEqual(back, {
      changes: [{ name: 'y', before: '2', now: '5' }],
      shown: { names: new Set(['y']), gone: [], hasSameCallers: true },
    });
    assert.equal(
      since(changes, 'a', 1, 5, CALLEE, values({ z: '4' }), [IN_MAIN, ...OUTER]),
      undefined,
      'called again, it is another frame',
    );
  });

  it('a frame that was left meanwhile is not compared, though one of its function is there again', () => {
    const changes = new Changes();
    since(changes, 'a', 1, 1, MAIN, values({ x: '1' }));
    since(changes, 'a', 1, 2, { ...CALLEE, depth: 2 }, values({ z: '3' }), OUTER.slice(1));
    assert.equal(since(changes, 'a', 1, 3, MAIN, values({ x: '1' })), undefined);
  });

  it('a frame that is not among the callers of a stop further in is not compared after it', () => {
    for (const callers of [[{ ...IN_MAIN, name: 'other' }, ...OUTER], []]) {
      const changes = new Changes();
      since(changes, 'a', 1, 1, MAIN, values({ x: '1' }));
      since(changes, 'a', 1, 2, CALLEE, values({ z: '3' }), callers);
      assert.equal(since(changes, 'a', 1, 3, MAIN, values({ x: '1' })), undefined);
    }
  });

  it('where the adapter does not count the frames, only the stop before is compared', () => {
    const changes = new Changes();
    const uncounted = (frame: FrameTraits): FrameTraits => ({ ...frame, depth: undefined });
    since(changes, 'a', 1, 1, uncounted(MAIN), values({ x: '1' }));
    assert.deepEqual(since(changes, 'a', 1, 2, uncounted(MAIN), values({ x: '2' })), [
      { name: 'x', before: '1', now: '2' },
    ]);
    since(changes, 'a', 1, 3, uncounted(CALLEE), values({}), [IN_MAIN, ...OUTER]);
    assert.equal(since(changes, 'a', 1, 4, uncounted(MAIN), values({ x: '2' })), undefined);
  });

  it('of a deep recursion only the innermost frames are remembered', () => {
    const changes = new Changes();
    const callers = (depth: number): ReportedStop['callers'] =>
      Array.from({ length: depth - 1 }, () => IN_MAIN);
    for (let depth = 1; depth <= 200; depth += 1)
      since(changes, 'a', 1, depth, { ...MAIN, depth }, values({ x: '1' }), callers(depth));
    assert.deepEqual(
      since(changes, 'a', 1, 201, { ...MAIN, depth: 180 }, values({ x: '1' }), callers(180)),
      [],
    );
    assert.equal(
      since(changes, 'a', 1, 202, { ...MAIN, depth: 100 }, values({ x: '1' }), callers(100)),
      undefined,
    );
  });

  describe('on the way of several steps', () => {
    const passed = (
      changes: Changes,
      stopId: number,
      variables: Record<string, string>,
      frame = MAIN,
      callers: ReportedStop['callers'] = OUTER,
    ): void =>
      void changes.since(
        'a',
        1,
        { stopId, frame, callers, variables: values(variables) },
        'passed',
      );

    it('each is compared with the one before, and the last with what was shown', () => {
      const changes = new Changes();
      since(changes, 'a', 1, 1, MAIN, values({ x: '1', y: '2', z: '3' }));
      passed(changes, 2, { x: '5', y: '2', z: '3' });
      const last = changes.since(
        'a',
        1,
        { stopId: 3, frame: MAIN, callers: OUTER, variables: values({ x: '5', y: '6', z: '3' }) },
        'passed',
      );
      assert.deepEqual(last, {
        changes: [{ name: 'y', before: '2', now: '6' }],
        shown: { names: new Set(['x', 'y']), gone: [], hasSameCallers: true },
      });
      assert.deepEqual(changes.show('a', 1, 3), {
        names: new Set(['x', 'y']),
        gone: [],
        hasSameCallers: true,
      });
      const next = changes.since('a', 1, {
        stopId: 4,
        frame: MAIN,
        callers: OUTER,
        variables: values({ x: '5', y: '6', z: '3' }),
      });
      assert.deepEqual(next?.shown?.names, new Set(), 'it has been shown');
    });

    it('what was shown and is not there any more is named', () => {
      const changes = new Changes();
      since(changes, 'a', 1, 1, MAIN, values({ x: '1', inner: '2' }));
      passed(changes, 2, { x: '1', inner: '2', deeper: '3' });
      const last = changes.since('a', 1, {
        stopId: 3,
        frame: MAIN,
        callers: OUTER,
        variables: values({ x: '1' }),
      });
      assert.deepEqual(last?.shown?.gone, ['inner'], 'of what was passed nobody knows');
    });

    it('what could not be read is not said to be gone', () => {
      const changes = new Changes();
      since(changes, 'a', 1, 1, MAIN, values({ x: '1', inner: '2' }));
      const part = changes.since('a', 1, {
        stopId: 2,
        frame: MAIN,
        callers: OUTER,
        variables: values({ x: '1' }),
        isPart: true,
      });
      assert.deepEqual(part?.shown?.gone, []);
    });

    it('of a frame that was only passed nothing was shown', () => {
      const changes = new Changes();
      since(changes, 'a', 1, 1, MAIN, values({ x: '1' }));
      passed(changes, 2, { z: '3' }, CALLEE, [IN_MAIN, ...OUTER]);
      passed(changes, 3, { z: '4' }, CALLEE, [IN_MAIN, ...OUTER]);
      assert.equal(changes.show('a', 1, 3), undefined);
      const next = changes.since('a', 1, {
        stopId: 4,
        frame: CALLEE,
        callers: [IN_MAIN, ...OUTER],
        variables: values({ z: '4' }),
      });
      assert.deepEqual(next?.shown?.names, new Set(), 'and then it was');
    });

    it('one that is shown to another caller meanwhile has been shown', () => {
      const changes = new Changes();
      passed(changes, 1, { x: '1' });
      since(changes, 'a', 1, 1, MAIN, values({ x: '1' }));
      assert.deepEqual(
        changes.since('a', 1, {
          stopId: 2,
          frame: MAIN,
          callers: OUTER,
          variables: values({ x: '2' }),
        })?.shown?.names,
        new Set(['x']),
      );
    });
  });
});
