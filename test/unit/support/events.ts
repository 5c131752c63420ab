import { strict as assert } from 'node:assert';
import { reduce } from '../../../src/debugger/state/reducer';
import {
  EMPTY_STATE,
  type DebugEvent,
  type DebugState,
  type SessionState,
} from '../../../src/debugger/state/state';

/** The time of every event that a test creates. */
export const AT = 1_700_000_000_000;

type Created = Extract<DebugEvent, { type: 'sessionCreated' }>;

export function created(key = 'a', more: Partial<Created> = {}): DebugEvent {
  return {
    type: 'sessionCreated',
    key,
    at: AT,
    name: `program ${key}`,
    sessionType: 'test',
    configuration: {},
    parentKey: undefined,
    knowledge: 'full',
    ...more,
  };
}

export function asked(seq: number, command: string, args: object = {}, key = 'a'): DebugEvent {
  return {
    type: 'toAdapter',
    key,
    at: AT,
    message: { seq, type: 'request', command, arguments: args },
  };
}

export function answered(seq: number, command: string, body: object = {}, key = 'a'): DebugEvent {
  return {
    type: 'fromAdapter',
    key,
    at: AT,
    message: { seq: 1000 + seq, type: 'response', request_seq: seq, command, success: true, body },
  };
}

export function refused(seq: number, command: string, message: string, key = 'a'): DebugEvent {
  return {
    type: 'fromAdapter',
    key,
    at: AT,
    message: {
      seq: 1000 + seq,
      type: 'response',
      request_seq: seq,
      command,
      success: false,
      message,
    },
  };
}

export function eventOf(event: string, body: object = {}, key = 'a'): DebugEvent {
  return { type: 'fromAdapter', key, at: AT, message: { seq: 1, type: 'event', event, body } };
}

export function stopped(threadId: number | undefined, more: object = {}, key = 'a'): DebugEvent {
  return eventOf(
    'stopped',
    { reason: 'step', ...(threadId === undefined ? {} : { threadId }), ...more },
    key,
  );
}

export function ended(key = 'a'): DebugEvent {
  return { type: 'sessionEnded', key, at: AT };
}

export function failed(message: string, key = 'a'): DebugEvent {
  return { type: 'adapterFailed', key, at: AT, message };
}

export function exited(code: number | undefined, signal?: string, key = 'a'): DebugEvent {
  return { type: 'adapterExited', key, at: AT, code, signal };
}

/** The events of a session whose launch request has been answered. */
export function launched(key = 'a', more: Partial<Created> = {}): DebugEvent[] {
  return [created(key, more), asked(1, 'launch', {}, key), answered(1, 'launch', {}, key)];
}

export function after(events: readonly DebugEvent[], from: DebugState = EMPTY_STATE): DebugState {
  return events.reduce(reduce, from);
}

export function sessionOf(state: DebugState, key = 'a'): SessionState {
  const session = state.sessions.get(key);
  assert.ok(session !== undefined, `no session ${key}`);
  return session;
}

/** The session `a` (or another) after the events. */
export function sessionAfter(events: readonly DebugEvent[], key = 'a'): SessionState {
  return sessionOf(after(events), key);
}

/** The ids of the stopped threads. */
export function held(session: SessionState): number[] {
  return [...session.threads.values()]
    .filter((thread) => thread.stop !== undefined)
    .map((thread) => thread.id);
}

/** Asserts the invariants of every state, whatever the messages were. */
export function assertSound(before: DebugState, now: DebugState): void {
  const ids = [...now.sessions.values()].map((session) => session.id);
  assert.equal(new Set(ids).size, ids.length, 'short ids are unique');
  assert.ok(now.sessionCount >= before.sessionCount, 'the number of sessions never falls');
  for (const session of now.sessions.values()) {
    const earlier = before.sessions.get(session.key);
    const holds = held(session).length > 0;
    if (session.lifecycle === 'running')
      assert.ok(!holds, `${session.key}: runs, so no thread is held`);
    // If a stop names no thread, no thread is stopped until the adapter has listed its threads.
    if (session.lifecycle === 'stopped')
      assert.ok(
        holds || session.lastStop?.threadId === undefined,
        `${session.key}: stopped, so a thread is held`,
      );
    assert.ok(session.stopCount >= (earlier?.stopCount ?? 0), 'the number of stops never falls');
    assertEpochs(session, earlier);
    assert.equal(session.id, earlier?.id ?? session.id, 'a short id never changes');
    if (session.lastStop !== undefined) assert.equal(session.lastStop.id, session.stopCount);
    for (const [id, thread] of session.threads) {
      assert.equal(thread.id, id);
      if (thread.stop !== undefined)
        assert.ok(thread.stop.id >= 1 && thread.stop.id <= session.stopCount);
      if (thread.stop !== undefined)
        assert.ok(thread.stop.epoch <= session.epochOf.move, 'a stop is a move');
    }
    if (session.lifecycle === 'terminated') {
      assert.ok(session.end !== undefined, 'an ended session says how it ended');
      assert.equal(session.threads.size + session.pending.size, 0);
    }
  }
}

/** Asserts that epochs never fall, that no recorded epoch is in the future, and that a newer stop has a later epoch. */
function assertEpochs(session: SessionState, earlier: SessionState | undefined): void {
  const { epoch, epochOf, lastStop } = session;
  assert.ok(epoch >= (earlier?.epoch ?? 1), 'the epoch never falls');
  for (const name of ['move', 'resume', 'invalidation'] as const) {
    assert.ok(epochOf[name] <= epoch, `${name}: no epoch of the future`);
    assert.ok(epochOf[name] >= (earlier?.epochOf[name] ?? 1), `${name}: the epoch never falls`);
  }
  assert.ok(epochOf.resume <= epochOf.move, 'a resume is a move');
  if (lastStop !== undefined && lastStop.id !== earlier?.lastStop?.id)
    assert.ok(lastStop.epoch > (earlier?.epoch ?? 0), 'a stop begins an epoch');
}

/** The sessions of a state without their epochs, which say when data that was read is outdated. */
export function withoutEpochs({ sessions }: DebugState): readonly object[] {
  return [...sessions.values()].map((session) => ({ ...session, epoch: 0, epochOf: undefined }));
}
