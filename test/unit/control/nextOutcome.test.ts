import { strict as assert } from 'node:assert';
import { epochsOf, nextOutcome } from '../../../src/control/nextOutcome';
import { after, created, ended, launched, stopped, eventOf } from '../support/events';

const NONE = new Map<string, number>();

describe('nextOutcome', () => {
  const family = [
    created('parent'),
    ...launched('child', { parentKey: 'parent' }),
    ...launched('other'),
  ];

  it('finds nothing while all sessions run', () => {
    assert.equal(nextOutcome(after(family), 'parent', NONE), undefined);
  });

  it('finds a stop anywhere in the tree, starting from any session of the tree', () => {
    const state = after([...family, stopped(1, { reason: 'some unheard-of reason' }, 'child')]);
    for (const key of ['parent', 'child']) {
      const found = nextOutcome(state, key, NONE);
      assert.deepEqual(
        [
          found?.kind,
          found?.kind === 'stopped' && found.sessionKey,
          found?.kind === 'stopped' && found.stop.id,
        ],
        ['stopped', 'child', 1],
      );
    }
    assert.equal(nextOutcome(state, 'other', NONE), undefined, 'not a stop in another tree');
  });

  it('finds only a stop that is newer than the known ones', () => {
    const state = after([...family, stopped(1, {}, 'child')]);
    assert.equal(nextOutcome(state, 'child', epochsOf(state)), undefined);
    assert.equal(
      nextOutcome(after([stopped(1, {}, 'child')], state), 'child', epochsOf(state))?.kind,
      'stopped',
    );
  });

  it('does not find a stop that the program has already left', () => {
    assert.equal(
      nextOutcome(
        after([...family, stopped(1, {}, 'child'), eventOf('continued', {}, 'child')]),
        'child',
        NONE,
      ),
      undefined,
    );
  });

  it('finds the end of the whole tree, not of one session in it', () => {
    const childGone = after([...family, ended('child')]);
    assert.equal(nextOutcome(childGone, 'parent', NONE), undefined);
    assert.equal(nextOutcome(childGone, 'child', NONE), undefined);
    assert.equal(
      nextOutcome(after([...family, ended('parent')]), 'parent', NONE),
      undefined,
      'the child lives on',
    );
    assert.deepEqual(nextOutcome(after([ended('parent')], childGone), 'child', NONE), {
      kind: 'ended',
      rootKey: 'parent',
    });
  });

  it('finds a sibling that was already stopped, once the resumed session or thread has ended', () => {
    const siblings = after([
      created('parent'),
      ...launched('one', { parentKey: 'parent' }),
      ...launched('two', { parentKey: 'parent' }),
      stopped(1, {}, 'one'),
      stopped(5, {}, 'two'),
    ]);
    const since = epochsOf(siblings);
    const resumed = after([eventOf('continued', { threadId: 1 }, 'one')], siblings);
    assert.equal(
      nextOutcome(resumed, 'one', since, 1),
      undefined,
      'the resumed program still runs',
    );
    const found = nextOutcome(after([ended('one')], resumed), 'one', since, 1);
    assert.deepEqual(
      [found?.kind, found?.kind === 'stopped' && found.sessionKey],
      ['stopped', 'two'],
    );
    const threads = after([...launched(), stopped(1), stopped(2)]);
    const gone = after(
      [
        eventOf('continued', { threadId: 2, allThreadsContinued: false }),
        eventOf('thread', { reason: 'exited', threadId: 2 }),
      ],
      threads,
    );
    assert.equal(nextOutcome(gone, 'a', epochsOf(threads), 2)?.kind, 'stopped');
    assert.equal(
      nextOutcome(gone, 'a', epochsOf(threads)),
      undefined,
      'nothing new when no thread was resumed',
    );
  });

  it('finds a stop of a child that outlives its parent', () => {
    assert.equal(
      nextOutcome(after([...family, ended('parent'), stopped(1, {}, 'child')]), 'parent', NONE)
        ?.kind,
      'stopped',
    );
  });

  it('reports an unknown session as ended', () => {
    assert.deepEqual(nextOutcome(after(family), 'forgotten', NONE), {
      kind: 'ended',
      rootKey: 'forgotten',
    });
  });

  it('does not take stops from before a restart for new ones', () => {
    const before = after([...launched(), stopped(1), ended()]);
    const since = epochsOf(before);
    const again = after(launched(), before);
    assert.equal(nextOutcome(again, 'a', since), undefined);
    assert.equal(nextOutcome(after([stopped(1)], again), 'a', since)?.kind, 'stopped');
  });
});
