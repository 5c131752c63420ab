import { strict as assert } from 'node:assert';
import { reduce } from '../../../../src/debugger/state/reducer';
import { ENDED_SESSIONS_KEPT } from '../../../../src/debugger/state/retention';
import {
  EMPTY_STATE,
  isOver,
  liveSessions,
  rootOf,
  sessionById,
  stoppedThreads,
  treeOf,
  type DebugState,
} from '../../../../src/debugger/state/state';
import { after, created, ended, launched, sessionOf, stopped } from '../../support/events';

function endMany(count: number, from: DebugState): DebugState {
  let state = from;
  for (let each = 0; each < count; each += 1)
    state = after([created(`short ${each}`), ended(`short ${each}`)], state);
  return state;
}

describe('retention', () => {
  it('after 1,000 sessions only the newest ended ones stay, and the count goes on', () => {
    let state = EMPTY_STATE;
    for (let each = 1; each <= 1000; each += 1) {
      state = after(
        [...launched(`run ${each}`), stopped(1, {}, `run ${each}`), ended(`run ${each}`)],
        state,
      );
      assert.ok(state.sessions.size <= ENDED_SESSIONS_KEPT);
    }
    assert.equal(state.sessions.size, ENDED_SESSIONS_KEPT);
    assert.equal(state.sessionCount, 1000);
    assert.deepEqual(
      [...state.sessions.values()].map((each) => each.id),
      Array.from(
        { length: ENDED_SESSIONS_KEPT },
        (_, index) => `s${1000 - ENDED_SESSIONS_KEPT + index + 1}`,
      ),
    );
  });

  it('live sessions are never forgotten', () => {
    const state = endMany(100, after([...launched('long'), stopped(1, {}, 'long')]));
    assert.equal(sessionOf(state, 'long').lifecycle, 'stopped');
    assert.equal(state.sessions.size, ENDED_SESSIONS_KEPT + 1);
  });

  it('the ended parent of a live session stays', () => {
    const state = endMany(
      100,
      after([created('parent'), created('child', { parentKey: 'parent' }), ended('parent')]),
    );
    assert.equal(rootOf(state, sessionOf(state, 'child')).key, 'parent');
  });

  it('all that a live session descends from stays', () => {
    const state = endMany(
      100,
      after([
        created('grandparent'),
        created('parent', { parentKey: 'grandparent' }),
        created('child', { parentKey: 'parent' }),
        ended('parent'),
        ended('grandparent'),
      ]),
    );
    assert.equal(rootOf(state, sessionOf(state, 'child')).key, 'grandparent');
  });

  it('the state of before keeps what the new one forgets', () => {
    const before = endMany(ENDED_SESSIONS_KEPT, after([created('x')]));
    const size = before.sessions.size;
    const now = reduce(before, ended('x'));
    assert.equal(before.sessions.size, size);
    assert.equal(now.sessions.size, size - 1);
  });
});

describe('state: questions about sessions', () => {
  const state = after([
    created('root'),
    created('one', { parentKey: 'root' }),
    created('two', { parentKey: 'one' }),
    created('alone'),
    created('orphan', { parentKey: 'forgotten' }),
    ended('alone'),
  ]);

  it('the root of a tree is the outermost session that is known', () => {
    assert.equal(rootOf(state, sessionOf(state, 'two')).key, 'root');
    assert.equal(rootOf(state, sessionOf(state, 'root')).key, 'root');
    assert.equal(rootOf(state, sessionOf(state, 'orphan')).key, 'orphan');
  });

  it('a tree holds a session and all below it, parents first', () => {
    assert.deepEqual(
      treeOf(state, sessionOf(state, 'root')).map((each) => each.key),
      ['root', 'one', 'two'],
    );
    assert.deepEqual(
      treeOf(state, sessionOf(state, 'one')).map((each) => each.key),
      ['one', 'two'],
    );
    assert.deepEqual(
      treeOf(state, sessionOf(state, 'alone')).map((each) => each.key),
      ['alone'],
    );
  });

  it('a tree is over when all of it has ended, for a child may outlive its parent', () => {
    const parentGone = after([
      created('root'),
      created('one', { parentKey: 'root' }),
      ended('root'),
    ]);
    assert.equal(isOver(parentGone, sessionOf(parentGone, 'root')), false);
    const allGone = after([ended('one')], parentGone);
    assert.equal(isOver(allGone, sessionOf(allGone, 'root')), true);
  });

  it('ended sessions are not live, and are still found by their id', () => {
    assert.deepEqual(
      liveSessions(state).map((each) => each.key),
      ['root', 'one', 'two', 'orphan'],
    );
    assert.equal(sessionById(state, 's4')?.key, 'alone');
    assert.equal(sessionById(state, 's99'), undefined);
    assert.equal(sessionById(state, 'alone'), undefined, 'the long key is no id');
  });

  it('only threads that a stop holds are stopped', () => {
    const session = sessionOf(after([...launched(), { ...stopped(1) }, stopped(2)]));
    assert.deepEqual(
      stoppedThreads(session).map((each) => each.id),
      [1, 2],
    );
    assert.deepEqual(stoppedThreads(sessionOf(after(launched()))), []);
  });
});
