import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { readMessage } from '../../../src/debugger/protocol';
import { reduce } from '../../../src/debugger/reducer';
import { EMPTY_STATE, type DebugEvent, type SessionState } from '../../../src/debugger/state';
import { after, assertSound, held, sessionOf } from '../support/events';
import { readTrace } from '../support/trace';

const trace = readTrace('js-debug.jsonl');
const keys = [...new Set(trace.map((event) => event.key))];

/** Messages that say nothing about the debugger's state. */
const SILENT: ReadonlySet<string> = new Set(['output', 'loadedSource', 'initialized', 'stackTrace', 'scopes', 'variables', 'breakpointLocations', 'configurationDone', 'evaluate']);

function nameOf(event: DebugEvent): string | undefined {
  if (event.type !== 'to_adapter' && event.type !== 'from_adapter') return undefined;
  const message = readMessage(event.message);
  return message === undefined ? undefined : message.type === 'event' ? message.event : message.command;
}

/** All but the short id, which counts the sessions in the order of their start. */
function withoutId(session: SessionState): object {
  const { id: _id, ...rest } = session;
  return rest;
}

describe('reducer: a recorded run of js-debug', () => {
  it('holds what it says about itself after every message', () => {
    let state = EMPTY_STATE;
    for (const event of trace) {
      const before = state;
      state = reduce(before, event);
      assertSound(before, state);
      const session = state.sessions.get(event.key);
      if (session?.lifecycle === 'stopped') assert.ok(held(session).length > 0, 'js-debug always names the thread');
      for (const [key, other] of before.sessions) if (key !== event.key) assert.equal(state.sessions.get(key), other, 'one session’s message leaves the others alone');
    }
  });

  it('messages that tell nothing new leave the very same state', () => {
    let state = EMPTY_STATE;
    let silent = 0;
    for (const event of trace) {
      const before = state;
      state = reduce(before, event);
      const name = nameOf(event);
      if (name === undefined || !SILENT.has(name)) continue;
      silent += 1;
      assert.equal(state, before, name);
    }
    assert.ok(silent > 50, 'the trace has such messages');
  });

  it('follows the program step by step', () => {
    const lives: string[] = [];
    let state = EMPTY_STATE;
    for (const event of trace) {
      state = reduce(state, event);
      const life = state.sessions.get('session-2')?.lifecycle;
      if (life !== undefined && life !== lives[lives.length - 1]) lives.push(life);
    }
    assert.deepEqual(lives, ['starting', 'running', 'stopped', 'running', 'stopped', 'running', 'stopped', 'running', 'stopped', 'running', 'stopped', 'running', 'terminating', 'terminated']);
  });

  it('ends with both programs over: one by itself, one stopped by the person', () => {
    const state = after(trace);
    assert.equal(state.sessionCount, 4);
    assert.deepEqual(
      [...state.sessions.values()].map((each) => [each.id, each.parentKey, each.lifecycle, each.end?.reason, each.stopCount]),
      [['s1', undefined, 'terminated', 'terminated', 0], ['s2', 'session-1', 'terminated', 'terminated', 5], ['s3', undefined, 'terminated', 'terminated', 0], ['s4', 'session-3', 'terminated', 'terminated', 2]],
    );
    for (const session of state.sessions.values()) {
      assert.equal(session.end?.message, undefined, 'a connection that closes at the end is no failure');
      assert.equal(session.capabilities.supportsDelayedStackTraceLoading, true);
    }
    assert.equal(sessionOf(state, 'session-2').resume?.command, 'continue');
  });

  it('the breakpoint that js-debug binds later is verified at the stop', () => {
    const firstStop = trace.findIndex((event) => event.key === 'session-2' && nameOf(event) === 'stopped');
    const session = sessionOf(after(trace.slice(0, firstStop + 1)), 'session-2');
    const [breakpoint] = session.sourceBreakpoints.get('/home/ada/project/src/loop.js')?.breakpoints ?? [];
    assert.deepEqual([breakpoint?.id, breakpoint?.requestedLine, breakpoint?.verified, breakpoint?.message], [0, 11, true, undefined]);
    assert.deepEqual(session.lastStop?.hitBreakpointIds, [0]);
  });

  it('each session ends the same however its messages are interleaved with the others’', () => {
    const expected = after(trace);
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 3 }), { minLength: trace.length, maxLength: trace.length }), (picks) => {
        const queues = keys.map((key) => trace.filter((event) => event.key === key));
        const mixed = picks.flatMap((pick) => {
          const waiting = queues.filter((queue) => queue.length > 0);
          return waiting[pick % Math.max(1, waiting.length)]?.shift() ?? [];
        });
        assert.equal(mixed.length, trace.length);
        const state = after(mixed);
        for (const key of keys) assert.deepEqual(withoutId(sessionOf(state, key)), withoutId(sessionOf(expected, key)));
      }),
      { numRuns: 60 },
    );
  });
});
