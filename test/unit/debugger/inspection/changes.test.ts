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
/** A frame of a function that `main` calls. */
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

describe('changes at a stop', () => {
  it('are not reported for the first stop', () => {
    assert.equal(since(new Changes(), 'a', 1, 1, MAIN, values({ x: '1' })), undefined);
  });

  it('contain each changed value and each new value in the same frame', () => {
    const changes = new Changes();
    since(changes, 'a', 1, 2, MAIN, values({ x: '1', y: '2', gone: '3' }));
    assert.deepEqual(since(changes, 'a', 1, 3, MAIN, values({ x: '1', y: '5', z: '6' })), [
      { name: 'y', before: '2', now: '5' },
      { name: 'z', before: null, now: '6' },
    ]);
    assert.deepEqual(since(changes, 'a', 1, 4, MAIN, values({ x: '1', y: '5', z: '6' })), []);
  });

  it('are not reported in another function, file or depth', () => {
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

  it('are compared separately for each thread and session', () => {
    const changes = new Changes();
    since(changes, 'a', 1, 7, MAIN, values({ x: '1' }));
    assert.equal(since(changes, 'a', 2, 8, MAIN, values({ x: '2' })), undefined);
    assert.equal(since(changes, 'b', 1, 9, MAIN, values({ x: '3' })), undefined);
    assert.deepEqual(since(changes, 'a', 1, 10, MAIN, values({ x: '4' })), [
      { name: 'x', before: '1', now: '4' },
    ]);
  });

  it('use the innermost of two variables with the same name', () => {
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

  it('contain fields of an object that were read both times', () => {
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

  it('are reported for a stop that is only read, and the stop is not remembered', () => {
    const changes = new Changes();
    const glance = (stopId: number, x: string) =>
      changes.since(
        'a',
        1,
        { stopId, frame: MAIN, callers: OUTER, variables: values({ x }) },
        'readOnly',
      );
    assert.equal(glance(1, '1'), undefined);
    assert.equal(changes.size, 0);
    since(changes, 'a', 1, 2, MAIN, values({ x: '2' }));
    assert.deepEqual(glance(3, '3')?.changes, [{ name: 'x', before: '2', now: '3' }]);
    assert.deepEqual(since(changes, 'a', 1, 4, MAIN, values({ x: '2' })), []);
  });

  it('are forgotten with their session', () => {
    const changes = new Changes();
    since(changes, 'a', 1, 13, MAIN, values({ x: '1' }));
    changes.prune(new Set<string>());
    assert.equal(since(changes, 'a', 1, 14, MAIN, values({ x: '2' })), undefined);
  });

  it('are the same when a stop is reported again', () => {
    const changes = new Changes();
    since(changes, 'a', 1, 1, MAIN, values({ x: '1' }));
    const reported = since(changes, 'a', 1, 2, MAIN, values({ x: '2' }));
    assert.deepEqual(since(changes, 'a', 1, 2, MAIN, values({ x: '2' })), reported);
  });

  it('compare a frame to which the program returns with what was reported for it before', () => {
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

  it('do not compare a frame that the program left meanwhile, even if it is in the same function again', () => {
    const changes = new Changes();
    since(changes, 'a', 1, 1, MAIN, values({ x: '1' }));
    since(changes, 'a', 1, 2, { ...CALLEE, depth: 2 }, values({ z: '3' }), OUTER.slice(1));
    assert.equal(since(changes, 'a', 1, 3, MAIN, values({ x: '1' })), undefined);
  });

  it('do not compare a frame that is not among the callers of a deeper stop', () => {
    for (const callers of [[{ ...IN_MAIN, name: 'other' }, ...OUTER], []]) {
      const changes = new Changes();
      since(changes, 'a', 1, 1, MAIN, values({ x: '1' }));
      since(changes, 'a', 1, 2, CALLEE, values({ z: '3' }), callers);
      assert.equal(since(changes, 'a', 1, 3, MAIN, values({ x: '1' })), undefined);
    }
  });

  it('compare only the previous stop if the adapter does not count the frames', () => {
    const changes = new Changes();
    const uncounted = (frame: FrameTraits): FrameTraits => ({ ...frame, depth: undefined });
    since(changes, 'a', 1, 1, uncounted(MAIN), values({ x: '1' }));
    assert.deepEqual(since(changes, 'a', 1, 2, uncounted(MAIN), values({ x: '2' })), [
      { name: 'x', before: '1', now: '2' },
    ]);
    since(changes, 'a', 1, 3, uncounted(CALLEE), values({}), [IN_MAIN, ...OUTER]);
    assert.equal(since(changes, 'a', 1, 4, uncounted(MAIN), values({ x: '2' })), undefined);
  });

  it('remember only the innermost frames of a deep recursion', () => {
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

  describe('during several steps', () => {
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

    it('compare each stop with the previous one, and the last with what was shown', () => {
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

    it('name what was shown and no longer exists', () => {
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

    it('do not report a variable that could not be read as removed', () => {
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

    it('do not treat a frame that was only passed as shown', () => {
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

    it('treat a stop that was shown to another caller meanwhile as shown', () => {
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
