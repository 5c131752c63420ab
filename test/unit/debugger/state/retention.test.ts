import { strict as assert } from 'node:assert';
import { reduce } from '../../../../src/debugger/state/reducer';
import { ENDED_SESSIONS_KEPT, isForgotten } from '../../../../src/debugger/state/retention';
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
  it('keeps only the newest ended sessions after 1,000 sessions, and continues the count', () => {
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

  it('never forgets live sessions', () => {
    const state = endMany(100, after([...launched('long'), stopped(1, {}, 'long')]));
    assert.equal(sessionOf(state, 'long').lifecycle, 'stopped');
    assert.equal(state.sessions.size, ENDED_SESSIONS_KEPT + 1);
  });

  it('keeps the ended parent of a live session', () => {
    const state = endMany(
      100,
      after([created('parent'), created('child', { parentKey: 'parent' }), ended('parent')]),
    );
    assert.equal(rootOf(state, sessionOf(state, 'child')).key, 'parent');
  });

  it('keeps all ancestors of a live session', () => {
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

  it('does not change the previous state when the new one forgets a session', () => {
    const before = endMany(ENDED_SESSIONS_KEPT, after([created('x')]));
    const size = before.sessions.size;
    const now = reduce(before, ended('x'));
    assert.equal(before.sessions.size, size);
    assert.equal(now.sessions.size, size - 1);
  });
});

describe('state: queries about sessions', () => {
  const state = after([
    created('root'),
    created('one', { parentKey: 'root' }),
    created('two', { parentKey: 'one' }),
    created('alone'),
    created('orphan', { parentKey: 'forgotten' }),
    ended('alone'),
  ]);

  it('returns the outermost known session as the root of a tree', () => {
    assert.equal(rootOf(state, sessionOf(state, 'two')).key, 'root');
    assert.equal(rootOf(state, sessionOf(state, 'root')).key, 'root');
    assert.equal(rootOf(state, sessionOf(state, 'orphan')).key, 'orphan');
  });

  it('returns a session and all of its descendants as a tree, parents first', () => {
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

  it('reports a tree as over when all of it has ended, because a child may outlive its parent', () => {
    const parentGone = after([
      created('root'),
      created('one', { parentKey: 'root' }),
      ended('root'),
    ]);
    assert.equal(isOver(parentGone, sessionOf(parentGone, 'root')), false);
    const allGone = after([ended('one')], parentGone);
    assert.equal(isOver(allGone, sessionOf(allGone, 'root')), true);
  });

  it('does not return ended sessions as live, and still finds them by their id', () => {
    assert.deepEqual(
      liveSessions(state).map((each) => each.key),
      ['root', 'one', 'two', 'orphan'],
    );
    assert.equal(sessionById(state, 's4')?.key, 'alone');
    assert.equal(sessionById(state, 's99'), undefined);
    assert.equal(sessionById(state, 'alone'), undefined, 'the long key is no id');
  });

  it('returns only threads with a stop as stopped', () => {
    const session = sessionOf(after([...launched(), { ...stopped(1) }, stopped(2)]));
    assert.deepEqual(
      stoppedThreads(session).map((each) => each.id),
      [1, 2],
    );
    assert.deepEqual(stoppedThreads(sessionOf(after(launched()))), []);
  });
});

describe('the id of a session that is no longer kept', () => {
  const state = after(
    [...launched('live')],
    endMany(ENDED_SESSIONS_KEPT + 12, after([created('first'), ended('first')])),
  );

  it('is an id that was assigned and is no longer known', () => {
    assert.deepEqual(
      ['s1', 's13', 's14', 's33', 's34', 's35'].map((id) => isForgotten(state, id)),
      [true, true, false, false, false, false],
    );
  });

  it('is no other text', () => {
    for (const id of ['', 's', 's0', 's01', '1', 'xs1', 's1x', 's-1', 's1.5', `s${'1'.repeat(20)}`])
      assert.equal(isForgotten(state, id), false, id);
  });

  it('does not exist if exactly as many sessions ended as are kept', () => {
    const all = endMany(ENDED_SESSIONS_KEPT, EMPTY_STATE);
    assert.equal(all.sessions.size, ENDED_SESSIONS_KEPT);
    assert.equal(isForgotten(all, 's1'), false);
  });

  it('is not the id of an ended ancestor of a live session', () => {
    const families = endMany(
      ENDED_SESSIONS_KEPT + 5,
      after([
        created('grandparent'),
        created('parent', { parentKey: 'grandparent' }),
        ...launched('child', { parentKey: 'parent' }),
        ended('parent'),
        ended('grandparent'),
      ]),
    );
    assert.deepEqual(
      ['s1', 's2', 's3', 's4'].map((id) => isForgotten(families, id)),
      [false, false, false, true],
    );
  });
});
