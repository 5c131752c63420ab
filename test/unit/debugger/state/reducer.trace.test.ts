import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { flagOf, numberOf, type ProtocolMessage } from '../../../../src/debugger/protocol';
import { reduce } from '../../../../src/debugger/state/reducer';
import {
  EMPTY_STATE,
  type DebugEvent,
  type DebugState,
  type SessionState,
} from '../../../../src/debugger/state/state';
import { after, assertSound, held, sessionOf } from '../../support/events';
import { keysOf, messageOf, mixedBy, nameOf, readTrace, traceNames } from '../../support/trace';

/** Messages that do not change the debugger's state. */
const SILENT: ReadonlySet<string> = new Set([
  'output',
  'loadedSource',
  'initialized',
  'telemetry',
  'processid',
  'stackTrace',
  'scopes',
  'variables',
  'source',
  'exceptionInfo',
  'breakpointLocations',
  'setExceptionBreakpoints',
  'setDataBreakpoints',
  'setInstructionBreakpoints',
  'canEmulate',
  'enableNetworking',
]);

const RESUMES: ReadonlySet<string> = new Set(['continue', 'next', 'stepIn', 'stepOut']);

/** The session without its short id, which numbers the sessions in the order of their start. */
function withoutId(session: SessionState): object {
  const { id: _id, ...rest } = session;
  return rest;
}

/** A stop of a thread, and the later requests that would resume the thread. */
interface Holding {
  readonly threadId: number;
  readonly stopId: number;
  readonly resumes: Set<number>;
}

/** Whether the message resumes the stopped thread. A request from before the stop does not. */
function letsGo(holding: Holding, message: ProtocolMessage): boolean {
  if (message.type === 'request') return false;
  if (message.type === 'response')
    return message.success && holding.resumes.has(message.requestSeq);
  const mine = numberOf(message.body['threadId']) === holding.threadId;
  switch (message.event) {
    case 'continued':
      return mine || flagOf(message.body['allThreadsContinued']) !== false;
    case 'thread':
      return mine && message.body['reason'] === 'exited';
    default:
      return false;
  }
}

/**
 * Checks that the thread that a stop names is stopped by that stop, the newest, until it resumes, and not after that.
 */
class Holdings {
  private readonly bySession = new Map<string, Holding>();
  stops = 0;

  check(before: DebugState, event: DebugEvent, now: DebugState): void {
    const session = sessionOf(now, event.key);
    const message = messageOf(event);
    if (message?.type === 'event' && message.event === 'stopped') {
      const threadId = numberOf(message.body['threadId']);
      assert.ok(threadId !== undefined, 'these adapters always name the thread');
      this.stops += 1;
      this.bySession.set(event.key, {
        threadId,
        stopId: sessionOf(before, event.key).stopCount + 1,
        resumes: new Set(),
      });
    }
    const holding = this.bySession.get(event.key);
    if (holding === undefined) return;
    if (message?.type === 'request' && RESUMES.has(message.command))
      holding.resumes.add(message.seq);
    // After the end was reported, it does not matter whether the thread is still known.
    if (message?.type === 'event' && message.event === 'terminated') {
      this.bySession.delete(event.key);
      return;
    }
    const thread = session.threads.get(holding.threadId);
    if (session.lifecycle === 'terminated' || (message !== undefined && letsGo(holding, message))) {
      this.bySession.delete(event.key);
      assert.equal(thread?.stop, undefined, `${event.key}: thread ${holding.threadId} goes on`);
      return;
    }
    assert.equal(session.stopCount, holding.stopId, `${event.key}: no other stop since`);
    assert.equal(
      thread?.stop?.id,
      holding.stopId,
      `${event.key}: thread ${holding.threadId} is held by stop ${holding.stopId}`,
    );
  }
}

/** The state after the events. All invariants are checked after each event. */
function replayed(events: readonly DebugEvent[]): {
  readonly state: DebugState;
  readonly stops: number;
} {
  const holdings = new Holdings();
  let state = EMPTY_STATE;
  for (const event of events) {
    const before = state;
    state = reduce(before, event);
    assertSound(before, state);
    holdings.check(before, event, state);
    const session = sessionOf(state, event.key);
    if (session.lifecycle === 'stopped')
      assert.ok(held(session).length > 0, 'these adapters always name the thread');
    for (const [key, other] of before.sessions)
      if (key !== event.key)
        assert.equal(
          state.sessions.get(key),
          other,
          'one session’s message leaves the others alone',
        );
  }
  return { state, stops: holdings.stops };
}

function assertSameMixed(trace: readonly DebugEvent[], numRuns: number): void {
  const expected = after(trace);
  const keys = keysOf(trace);
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: keys.length - 1 }), {
        minLength: trace.length,
        maxLength: trace.length,
      }),
      (picks) => {
        const mixed = mixedBy(picks, trace);
        assert.equal(mixed.length, trace.length);
        const { state } = replayed(mixed);
        for (const key of keys)
          assert.deepEqual(withoutId(sessionOf(state, key)), withoutId(sessionOf(expected, key)));
      },
    ),
    { numRuns },
  );
}

for (const name of traceNames()) {
  describe(`reducer: a recorded run, ${name}`, () => {
    const trace = readTrace(name);

    it('stays consistent after every message', () => {
      assert.ok(replayed(trace).stops >= 5, 'the trace has stops');
    });

    it('returns the identical state for messages that report nothing new', () => {
      let state = EMPTY_STATE;
      let silent = 0;
      for (const event of trace) {
        const before = state;
        state = reduce(before, event);
        const reported = nameOf(event);
        if (reported === undefined || !SILENT.has(reported)) continue;
        silent += 1;
        assert.equal(state, before, reported);
      }
      assert.ok(silent > 50, 'the trace has such messages');
    });

    it('ends each session in the same state, however its messages are interleaved with the others’', () => {
      assertSameMixed(trace, 60);
    });
  });
}

describe('reducer: recorded runs of all adapters at once', () => {
  it('ends each session in the same state, however its messages are interleaved with the other adapters’', () => {
    const all = traceNames().flatMap((name) =>
      readTrace(name).map((event): DebugEvent => {
        const key = `${name} ${event.key}`;
        if (event.type !== 'sessionCreated') return { ...event, key };
        return {
          ...event,
          key,
          parentKey: typeof event.parentKey === 'string' ? `${name} ${event.parentKey}` : undefined,
        };
      }),
    );
    assert.equal(keysOf(all).length, 16, 'no more than are kept after their end');
    assertSameMixed(all, 10);
  });
});
