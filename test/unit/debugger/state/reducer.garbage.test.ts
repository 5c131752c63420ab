import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { reduce } from '../../../../src/debugger/state/reducer';
import { readMessage } from '../../../../src/debugger/protocol';
import type { DebugEvent } from '../../../../src/debugger/state/state';
import { after, assertSound, AT, created, launched, stopped } from '../../support/events';

const COMMANDS = [
  'initialize',
  'launch',
  'attach',
  'threads',
  'setBreakpoints',
  'setFunctionBreakpoints',
  'continue',
  'next',
  'goto',
  'disconnect',
  'terminate',
  'evaluate',
];
const EVENTS = [
  'stopped',
  'continued',
  'thread',
  'capabilities',
  'process',
  'exited',
  'terminated',
  'invalidated',
  'breakpoint',
  'output',
  'module',
];

/** Plain objects, as JSON.parse returns them. */
const plainly = { noNullPrototype: true } as const;
const small = fc.integer({ min: 0, max: 3 });
/** A value of the right kind most of the time. */
const wild = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.jsonValue() });
const list = fc.array(
  fc.oneof(
    fc.record(
      { id: wild(small), name: wild(fc.string()), line: wild(small), verified: wild(fc.boolean()) },
      plainly,
    ),
    fc.jsonValue(),
  ),
  { maxLength: 4 },
);
const body = wild(
  fc.record(
    {
      threadId: wild(small),
      reason: wild(fc.constantFrom('started', 'exited', 'step', 'changed', 'removed')),
      allThreadsStopped: wild(fc.boolean()),
      allThreadsContinued: wild(fc.boolean()),
      singleThread: wild(fc.boolean()),
      threads: wild(list),
      breakpoints: wild(list),
      breakpoint: wild(fc.record({ id: wild(small), verified: wild(fc.boolean()) }, plainly)),
      source: wild(fc.record({ path: wild(fc.constantFrom('/a', '/b')) }, plainly)),
      exitCode: wild(small),
      hitBreakpointIds: wild(fc.array(wild(small))),
      capabilities: fc.jsonValue(),
    },
    { requiredKeys: [], noNullPrototype: true },
  ),
);

const key = fc.constantFrom('a', 'b', 'never created');
const message = fc.oneof(
  fc.record(
    {
      type: fc.constant('request'),
      seq: wild(small),
      command: wild(fc.constantFrom(...COMMANDS)),
      arguments: body,
    },
    plainly,
  ),
  fc.record(
    {
      type: fc.constant('response'),
      request_seq: wild(small),
      command: wild(fc.constantFrom(...COMMANDS)),
      success: wild(fc.boolean()),
      message: fc.jsonValue(),
      body,
    },
    plainly,
  ),
  fc.record({ type: fc.constant('event'), event: wild(fc.constantFrom(...EVENTS)), body }, plainly),
  fc.jsonValue(),
);

const event: fc.Arbitrary<DebugEvent> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      type: fc.constantFrom('toAdapter' as const, 'fromAdapter' as const),
      key,
      at: fc.constant(AT),
      message,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('adapterFailed' as const),
      key,
      at: fc.constant(AT),
      message: fc.string(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('adapterExited' as const),
      key,
      at: fc.constant(AT),
      code: fc.option(small, { nil: undefined }),
      signal: fc.option(fc.string(), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('sessionEnded' as const), key, at: fc.constant(AT) }),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('a', 'b')
      .chain((each) => fc.constantFrom(created(each), created(each, { knowledge: 'partial' }))),
  },
);

describe('reducer: messages that no adapter should send', () => {
  const state = after([...launched(), stopped(1), ...launched('b')]);

  it('ignores values that are no protocol messages', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, toAdapter) => {
        fc.pre(readMessage(value) === undefined);
        assert.equal(
          reduce(state, {
            type: toAdapter ? 'toAdapter' : 'fromAdapter',
            key: 'a',
            at: AT,
            message: value,
          }),
          state,
        );
      }),
      { numRuns: 500 },
    );
  });

  it('ignores values that are not even JSON', () => {
    for (const value of [
      undefined,
      null,
      Number.NaN,
      10n,
      Symbol('x'),
      () => 1,
      new Date(),
      [],
      '',
      { type: 'event' },
      { type: 'request', seq: 1 },
      { type: 'response' },
    ]) {
      assert.equal(reduce(state, { type: 'fromAdapter', key: 'a', at: AT, message: value }), state);
    }
  });

  it('ignores a message that is sent in the wrong direction', () => {
    assert.equal(
      reduce(state, {
        type: 'toAdapter',
        key: 'a',
        at: AT,
        message: { type: 'event', event: 'terminated' },
      }),
      state,
    );
    assert.equal(
      reduce(state, {
        type: 'fromAdapter',
        key: 'a',
        at: AT,
        message: { type: 'request', seq: 4, command: 'next', arguments: { threadId: 1 } },
      }),
      state,
    );
  });

  it('ignores a response to a request that was never sent', () => {
    assert.equal(
      reduce(state, {
        type: 'fromAdapter',
        key: 'a',
        at: AT,
        message: {
          type: 'response',
          request_seq: 77,
          command: 'continue',
          success: true,
          body: {},
        },
      }),
      state,
    );
  });

  it('never throws, stays consistent, and never changes an earlier state in place, whatever arrives', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let now = state;
        for (const each of events) {
          const before = now;
          const copy = structuredClone(before);
          now = reduce(before, each);
          assert.deepEqual(before, copy, 'the state of before is as it was');
          assertSound(before, now);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('returns the same state for the same events', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) =>
        assert.deepEqual(after(events), after(structuredClone(events))),
      ),
      { numRuns: 100 },
    );
  });
});
