import { strict as assert } from 'node:assert';
import { endsWith, LAUNCH_MARK, STOP_ALL_MARK } from '../../../../src/debugger/state/launchMark';
import type { DebugEvent } from '../../../../src/debugger/state/state';
import { after, asked, ended, launched, sessionOf } from '../../support/events';

/** A session that a call started. With `stopAll`, ending one session of its compound ends all of them. */
const member = (
  key: string,
  {
    mark = 'call 1',
    stopAll = true,
    parentKey,
  }: { mark?: string; stopAll?: boolean; parentKey?: string } = {},
): DebugEvent[] =>
  launched(key, {
    configuration: { [LAUNCH_MARK]: mark, ...(stopAll ? { [STOP_ALL_MARK]: true } : {}) },
    parentKey,
  });

/** The keys of the sessions to end with a session. The last events request its end (with `isAsked`) and report it. */
function endingWith(key: string, events: readonly DebugEvent[], isAsked = true): string[] {
  const state = after([
    ...events,
    ...(isAsked ? [asked(99, 'disconnect', {}, key)] : []),
    ended(key),
  ]);
  return endsWith(state, sessionOf(state, key)).map((each) => each.key);
}

describe('sessions that end with another session', () => {
  it('are all others of its compound', () => {
    assert.deepEqual(
      endingWith(
        'b',
        ['a', 'b', 'c'].flatMap((key) => member(key)),
      ),
      ['a', 'c'],
    );
  });

  it('are none if its program ended by itself', () => {
    assert.deepEqual(
      endingWith(
        'b',
        ['a', 'b', 'c'].flatMap((key) => member(key)),
        false,
      ),
      [],
    );
  });

  it('are none if the compound does not request it', () => {
    assert.deepEqual(
      endingWith(
        'a',
        ['a', 'b'].flatMap((key) => member(key, { stopAll: false })),
      ),
      [],
    );
  });

  it('are none if the mark is anything other than true', () => {
    const configuration = { [LAUNCH_MARK]: 'call 1', [STOP_ALL_MARK]: 'true' };
    assert.deepEqual(endingWith('a', [...launched('a', { configuration }), ...member('b')]), []);
  });

  it('exclude sessions of another call and sessions of the person', () => {
    assert.deepEqual(
      endingWith('a', [...member('a'), ...member('b', { mark: 'call 2' }), ...launched('c')]),
      [],
    );
  });

  it('are none for a child session: only the end of the root session counts', () => {
    assert.deepEqual(
      endingWith('child', [...member('a'), ...member('child', { parentKey: 'a' }), ...member('b')]),
      [],
    );
  });

  it('include the root session of a tree, but not each of its children', () => {
    assert.deepEqual(
      endingWith('a', [...member('a'), ...member('b'), ...member('child', { parentKey: 'b' })]),
      ['b'],
    );
  });

  it('exclude its own children', () => {
    assert.deepEqual(endingWith('a', [...member('a'), ...member('child', { parentKey: 'a' })]), []);
  });

  it('exclude sessions that have ended or are ending', () => {
    const events = ['a', 'b', 'c', 'd'].flatMap((key) => member(key));
    assert.deepEqual(endingWith('a', [...events, ended('b'), asked(9, 'disconnect', {}, 'c')]), [
      'd',
    ]);
  });

  it('include a tree in which a child session is still live', () => {
    assert.deepEqual(
      endingWith('a', [
        ...member('a'),
        ...member('b'),
        ...member('child', { parentKey: 'b' }),
        ended('b'),
      ]),
      ['b'],
    );
    assert.deepEqual(
      endingWith('a', [
        ...member('a'),
        ...member('b'),
        ...member('child', { parentKey: 'b' }),
        ended('child'),
        ended('b'),
      ]),
      [],
    );
  });

  it('are none if the session was the only one', () => {
    assert.deepEqual(endingWith('a', member('a')), []);
  });
});
