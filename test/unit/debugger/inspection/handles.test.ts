import { strict as assert } from 'node:assert';
import { DebugModel } from '../../../../src/debugger/state/debugModel';
import { HandleTable, isCurrent, type Place } from '../../../../src/debugger/inspection/handles';
import { validSince } from '../../../../src/debugger/state/state';
import {
  answered,
  asked,
  created,
  ended,
  launched,
  sessionOf,
  stopped,
  eventOf,
} from '../../support/events';
import { failsWith } from '../../support/services';

describe('handles', () => {
  let model: DebugModel;
  let table: HandleTable;

  beforeEach(() => {
    model = new DebugModel();
    for (const event of [...launched(), stopped(0)]) model.dispatch(event);
    table = new HandleTable(model);
  });

  function here(threadId = 0, key = 'a'): Place {
    const session = sessionOf(model.state, key);
    return {
      sessionKey: key,
      threadId,
      epoch: validSince(session, threadId) ?? -1,
    };
  }

  it('have the same number for the same frame at the same stop, and other numbers for other frames', () => {
    const number = table.frame(here(), 5);
    assert.equal(table.frame(here(), 5), number);
    assert.notEqual(table.frame(here(), 6), number);
    assert.equal(table.size, 2);
  });

  it('resolve a number to the adapter’s own ids', () => {
    assert.deepEqual(table.resolveFrame(table.frame(here(), 5)).handle.frameId, 5);
    const { handle, session } = table.resolveVariables(table.variables(here(), 9, 5));
    assert.deepEqual(
      [handle.reference, handle.frameId, handle.threadId, session.key],
      [9, 5, 0, 'a'],
    );
  });

  it('accept 0 as an id of a frame, thread or breakpoint; a variables reference of 0 stays 0', () => {
    const number = table.frame(here(0), 0);
    assert.ok(number >= 1);
    assert.equal(table.resolveFrame(number).handle.frameId, 0);
    assert.equal(table.variables(here(), 0, 0), 0);
    assert.equal(table.size, 1);
  });

  it('have different numbers for a frame and a container with the same adapter id', () => {
    assert.notEqual(table.frame(here(), 5), table.variables(here(), 5, 5));
  });

  it('reject a frame’s number for a container, and the other way round', () => {
    assert.throws(
      () => table.resolveVariables(table.frame(here(), 5)),
      failsWith('unknown_reference'),
    );
    assert.throws(
      () => table.resolveFrame(table.variables(here(), 5, undefined)),
      failsWith('unknown_reference'),
    );
  });

  it('reject numbers that were never assigned as unknown', () => {
    table.frame(here(), 5);
    for (const number of [0, -1, 2, 99, Number.NaN, Number.MAX_SAFE_INTEGER])
      assert.throws(() => table.resolveFrame(number), failsWith('unknown_reference'));
  });

  const leavings: readonly (readonly [string, () => void])[] = [
    [
      'the program went on',
      () =>
        [asked(9, 'next', { threadId: 0 }), answered(9, 'next')].forEach((event) =>
          model.dispatch(event),
        ),
    ],
    ['the person let it go on', () => model.dispatch(eventOf('continued', { threadId: 0 }))],
    ['it stopped again in the same place', () => model.dispatch(stopped(0))],
    [
      'the adapter said that variables are invalid',
      () => model.dispatch(eventOf('invalidated', {})),
    ],
    [
      'the thread exited',
      () => model.dispatch(eventOf('thread', { reason: 'exited', threadId: 0 })),
    ],
    ['the program ended', () => model.dispatch(eventOf('terminated'))],
    ['the session ended', () => model.dispatch(ended())],
    ['the session was started again', () => model.dispatch(created())],
    [
      'it was started again and stopped again',
      () => [ended(), ...launched(), stopped(0)].forEach((event) => model.dispatch(event)),
    ],
  ];
  for (const [when, leave] of leavings) {
    it(`are stale after ${when}, and after they were forgotten`, () => {
      const frame = table.frame(here(), 5);
      const variables = table.variables(here(), 8, 5);
      leave();
      assert.throws(() => table.resolveFrame(frame), failsWith('stale_reference'));
      assert.throws(() => table.resolveVariables(variables), failsWith('stale_reference'));
      table.prune();
      assert.equal(table.size, 0);
      assert.throws(() => table.resolveFrame(frame), failsWith('stale_reference'));
    });
  }

  it('stay valid while only another thread continues', () => {
    model.dispatch(stopped(7));
    const number = table.frame(here(0), 5);
    model.dispatch(eventOf('continued', { threadId: 7, allThreadsContinued: false }));
    assert.equal(table.resolveFrame(number).handle.frameId, 5);
  });

  it('stay valid while a step is requested but not yet answered', () => {
    const number = table.frame(here(), 5);
    model.dispatch(asked(9, 'next', { threadId: 0 }));
    assert.equal(table.resolveFrame(number).handle.frameId, 5);
  });

  it('have another number for the same adapter id at the next stop', () => {
    const number = table.frame(here(), 5);
    model.dispatch(stopped(0));
    assert.notEqual(table.frame(here(), 5), number);
  });

  it('do not share numbers between sessions and threads', () => {
    for (const event of [...launched('b'), stopped(0, {}, 'b'), stopped(1)]) model.dispatch(event);
    const numbers = [
      table.frame(here(0), 5),
      table.frame(here(1), 5),
      table.frame(here(0, 'b'), 5),
    ];
    assert.equal(new Set(numbers).size, 3);
    assert.deepEqual(
      numbers.map((number) => table.resolveFrame(number).session.key),
      ['a', 'a', 'b'],
    );
  });

  it('are only those of the newest stop over 1,000 stops', () => {
    for (let stop = 0; stop < 1000; stop += 1) {
      model.dispatch(stopped(0));
      for (let frame = 0; frame < 20; frame += 1) {
        table.frame(here(), frame);
        table.variables(here(), frame + 1, frame);
      }
      assert.ok(table.size <= 40, `size ${table.size}`);
    }
  });

  it('reject logged objects after their session has ended', () => {
    const epoch = sessionOf(model.state).epochOf.resume;
    const number = table.logged(sessionOf(model.state), { reference: 5, epoch });
    assert.equal(table.resolveVariables(number).handle.reference, 5);
    model.dispatch(ended());
    assert.throws(() => table.resolveVariables(number), failsWith('stale_reference'));
    assert.equal(table.logged(sessionOf(model.state), { reference: 5, epoch }), 0);
  });

  it('keep logged objects valid until a request resumes the program or its session restarts', () => {
    const logged = (): number => {
      const session = sessionOf(model.state);
      return table.logged(session, { reference: 5, epoch: session.epochOf.resume });
    };
    const first = logged();
    for (const event of [
      stopped(0),
      eventOf('continued'),
      eventOf('invalidated'),
      eventOf('memory'),
    ])
      model.dispatch(event);
    assert.equal(table.resolveVariables(first).handle.reference, 5);
    model.dispatch(asked(9, 'next', { threadId: 0 }));
    assert.throws(() => table.resolveVariables(first), failsWith('stale_reference'));
    const second = logged();
    model.dispatch(created());
    assert.throws(() => table.resolveVariables(second), failsWith('stale_reference'));
  });

  for (const [what, events] of [
    ['an expression', [asked(9, 'evaluate', { expression: 'x = 2' }), answered(9, 'evaluate')]],
    ['memory that was written', [eventOf('memory')]],
  ] as const) {
    it(`keep the frames and references of a stop valid after ${what}, which may change values`, () => {
      const frame = table.frame(here(), 5);
      const variables = table.variables(here(), 8, 5);
      const { epoch } = sessionOf(model.state);
      for (const event of events) model.dispatch(event);
      assert.ok(sessionOf(model.state).epoch > epoch);
      assert.equal(table.resolveFrame(frame).handle.frameId, 5);
      assert.equal(table.resolveVariables(variables).handle.reference, 8);
    });
  }

  it('have a current place exactly while its stop keeps its thread stopped', () => {
    const place = here();
    assert.ok(isCurrent(sessionOf(model.state), place));
    assert.ok(!isCurrent(sessionOf(model.state), { ...place, threadId: 5 }));
    assert.ok(!isCurrent(sessionOf(model.state), { ...place, epoch: place.epoch + 1 }));
    model.dispatch(eventOf('continued', { threadId: 0 }));
    assert.ok(!isCurrent(sessionOf(model.state), place));
  });

  it('keep the expression of a container whole or not at all', () => {
    const expressionOf = (reference: number, evaluateName: string): string | undefined => {
      const counts = { indexedVariables: undefined, namedVariables: undefined, evaluateName };
      return table.resolveVariables(table.variables(here(), reference, 5, counts)).handle
        .expression;
    };
    assert.equal(expressionOf(1, 'order.total'), 'order.total');
    assert.equal(expressionOf(2, 'x'.repeat(200)), 'x'.repeat(200));
    assert.equal(expressionOf(3, 'x'.repeat(201)), undefined);
  });

  it('reject a number as unknown if it was never assigned, and as stale if it was assigned before', () => {
    const number = table.frame(here(), 5);
    for (const never of [0, -1, number + 1])
      assert.throws(() => table.resolveFrame(never), failsWith('unknown_reference'));
    model.dispatch(stopped(0));
    table.prune();
    assert.throws(() => table.resolveFrame(number), failsWith('stale_reference'));
  });
});
