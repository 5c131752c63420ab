import { strict as assert } from 'node:assert';
import { reduce } from '../../../../src/debugger/state/reducer';
import {
  EMPTY_STATE,
  type DebugEvent,
  type Lifecycle,
  type SessionState,
} from '../../../../src/debugger/state/state';
import { after, held, sessionOf } from '../../support/events';
import { keysOf, messageOf, nameOf, readTrace, traceNames } from '../../support/trace';
import { EXPECTED, type Expected } from './recordedAdapters';

/** The states of one session, after each event. */
function statesOf(trace: readonly DebugEvent[], key: string): readonly SessionState[] {
  let state = EMPTY_STATE;
  return trace.flatMap((event) => {
    state = reduce(state, event);
    return state.sessions.get(key) ?? [];
  });
}

function livesOf(trace: readonly DebugEvent[], key: string): readonly Lifecycle[] {
  const lives = statesOf(trace, key).map((session) => session.lifecycle);
  return lives.filter((life, index) => life !== lives[index - 1]);
}

/**
 * The lifecycle phases of a session with this many stops. It runs at its end if it was resumed, or if its thread exited
 * before the end was reported.
 */
function livesWith(stops: number, runsAtEnd: boolean): readonly Lifecycle[] {
  const held = Array.from({ length: stops }, (): Lifecycle[] => ['running', 'stopped']).flat();
  return [
    'starting',
    ...held,
    ...(runsAtEnd ? (['running'] as const) : []),
    'terminating',
    'terminated',
  ];
}

function isContinued(event: DebugEvent): boolean {
  return event.type === 'fromAdapter' && nameOf(event) === 'continued';
}

it('reducer: every recorded trace has its expectations', () => {
  assert.deepEqual(traceNames(), [...EXPECTED.keys()].sort());
});

for (const [name, sessions] of EXPECTED) {
  const trace = readTrace(name);
  const keys = keysOf(trace);
  const each = (check: (key: string, expected: Expected) => void): void => {
    assert.equal(keys.length, sessions.length);
    sessions.forEach((expected, index) => check(keys[index] ?? '', expected));
  };

  describe(`reducer: the events of a recorded adapter, ${name}`, () => {
    it('reports every stop as the adapter did', () => {
      each((key, expected) => {
        const stops = new Map(
          statesOf(trace, key).flatMap(({ lastStop }) =>
            lastStop === undefined ? [] : [[lastStop.id, lastStop] as const],
          ),
        );
        assert.deepEqual(
          [...stops.keys()],
          expected.stops.map((_, index) => index + 1),
          key,
        );
        assert.deepEqual(
          [...stops.values()].map((stop) => [
            stop.reason,
            stop.description,
            stop.text,
            stop.threadId,
            stop.hitBreakpointIds,
          ]),
          expected.stops,
          key,
        );
      });
    });

    it('knows the threads of the last stop, and which of them are stopped', () => {
      each((key, expected) => {
        const last = statesOf(trace, key)
          .filter((session) => session.lifecycle === 'stopped')
          .pop();
        const threads = [...(last?.threads.values() ?? [])].sort((one, other) => one.id - other.id);
        assert.deepEqual(
          threads.map((thread) => thread.name),
          expected.threads,
          key,
        );
        assert.deepEqual(
          last === undefined ? [] : held(last).sort((one, other) => one - other),
          expected.held,
          key,
        );
      });
    });

    it('ends every program as the adapter reported it', () => {
      const state = after(trace);
      assert.equal(state.sessionCount, sessions.length);
      each((key, expected) => {
        const session = sessionOf(state, key);
        assert.deepEqual(
          [session.lifecycle, session.end?.reason, session.exitCode],
          ['terminated', expected.end, expected.exitCode],
          key,
        );
        assert.equal(
          session.end?.message,
          undefined,
          'a connection that closes at the end is no failure',
        );
        assert.equal(
          session.capabilities.supportsDelayedStackTraceLoading,
          name !== 'java-debug.jsonl',
        );
      });
    });

    it('continues at the response, whether or not the adapter also sends `continued`', () => {
      const silent = trace.filter((event) => !isContinued(event));
      each((key, expected) => {
        assert.equal(
          trace.filter((event) => event.key === key && isContinued(event)).length,
          expected.continued,
          key,
        );
        const lives = livesWith(
          expected.stops.length,
          expected.stops.length === 0 || name === 'js-debug.jsonl',
        );
        assert.deepEqual(livesOf(trace, key), lives, key);
        assert.deepEqual(livesOf(silent, key), lives, `${key} without \`continued\``);
      });
    });
  });
}

for (const [name, path, id, line] of [
  ['debugpy.jsonl', '/home/ada/project/python/scenario.py', 0, 32],
  ['delve.jsonl', '/home/ada/project/go/scenario.go', 1, 35],
  ['java-debug.jsonl', '/home/ada/project/java/src/Scenario.java', 1, 32],
  ['js-debug.jsonl', '/home/ada/project/src/loop.js', 0, 11],
  ['lldb-dap.jsonl', '/home/ada/project/native/scenario.cpp', 1, 32],
] as const) {
  it(`reducer: the breakpoint is verified at the first stop, ${name}`, () => {
    const trace = readTrace(name);
    const firstStop = trace.findIndex(
      (event) => messageOf(event)?.type === 'event' && nameOf(event) === 'stopped',
    );
    const key = trace[firstStop]?.key ?? '';
    const [breakpoint] =
      sessionOf(after(trace.slice(0, firstStop + 1)), key).sourceBreakpoints.get(path)
        ?.breakpoints ?? [];
    assert.deepEqual(
      [breakpoint?.id, breakpoint?.requestedLine, breakpoint?.verified],
      [id, line, true],
    );
    assert.ok(!breakpoint?.message, 'nothing is wrong with it');
  });
}

describe('reducer: behaviour of js-debug only', () => {
  const trace = readTrace('js-debug.jsonl');

  it('starts a separate session for the program', () => {
    const state = after(trace);
    assert.deepEqual(
      [...state.sessions.values()].map((session) => [session.id, session.parentKey]),
      [
        ['s1', undefined],
        ['s2', 'session-1'],
        ['s3', undefined],
        ['s4', 'session-3'],
      ],
    );
    assert.equal(sessionOf(state, 'session-2').resume?.command, 'continue');
  });
});

describe('reducer: behaviour of java-debug', () => {
  it('continues one thread, and removes a thread that ends', () => {
    const lives = statesOf(readTrace('java-debug.jsonl'), 'session-3');
    const last = lives
      .filter((session) => session.lifecycle === 'running' && session.stopCount === 1)
      .pop();
    assert.equal(last?.threads.has(10), false);
    assert.deepEqual(
      [last.resume?.command, last.resume?.outcome, last.lastStop?.allThreadsStopped],
      ['continue', 'done', false],
    );
  });
});
