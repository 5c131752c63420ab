import { strict as assert } from 'node:assert';
import { endsWith, LAUNCH_MARK, STOP_ALL_MARK } from '../../../../src/debugger/state/launchMark';
import type { DebugEvent } from '../../../../src/debugger/state/state';
import { after, asked, ended, launched, sessionOf } from '../../support/events';

/** A session that a call started; with `stopAll` its compound ends as one. */
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

/** The keys of those that end with a session, when somebody ends that, as the last of the events. */
function endingWith(key: string, events: readonly DebugEvent[], isAsked = true): string[] {
  const state = after([
    ...events,
    ...(isAsked ? [asked(99, 'disconnect', {}, key)] : []),
    ended(key),
  ]);
  return endsWith(state, sessionOf(state, key)).map((each) => each.key);
}

describe('what ends with a session', () => {
  it('all others of its compound', () => {
    assert.deepEqual(
      endingWith(
        'b',
        ['a', 'b', 'c'].flatMap((key) => member(key)),
      ),
      ['a', 'c'],
    );
  });

  it('nothing, when its program ended by itself', () => {
    assert.deepEqual(
      endingWith(
        'b',
        ['a', 'b', 'c'].flatMap((key) => member(key)),
        false,
      ),
      [],
    );
  });

  it('nothing, where the compound does not say so', () => {
    assert.deepEqual(
      endingWith(
        'a',
        ['a', 'b'].flatMap((key) => member(key, { stopAll: false })),
      ),
      [],
    );
  });

  it('nothing, where the mark is anything else than true', () => {
    const configuration = { [LAUNCH_MARK]: 'call 1', [STOP_ALL_MARK]: 'true' };
    assert.deepEqual(endingWith('a', [...launched('a', { configuration }), ...member('b')]), []);
  });

  it('nothing of another call, and nothing of the person’s', () => {
    assert.deepEqual(
      endingWith('a', [...member('a'), ...member('b', { mark: 'call 2' }), ...launched('c')]),
      [],
    );
  });

  it('nothing with a child: only the outermost session’s end counts', () => {
    assert.deepEqual(
      endingWith('child', [...member('a'), ...member('child', { parentKey: 'a' }), ...member('b')]),
      [],
    );
  });

  it('the outermost session of a tree, not its children one by one', () => {
    assert.deepEqual(
      endingWith('a', [...member('a'), ...member('b'), ...member('child', { parentKey: 'b' })]),
      ['b'],
    );
  });

  it('its own children are not ended by it', () => {
    assert.deepEqual(endingWith('a', [...member('a'), ...member('child', { parentKey: 'a' })]), []);
  });

  it('nothing that is over, or about to be', () => {
    const events = ['a', 'b', 'c', 'd'].flatMap((key) => member(key));
    assert.deepEqual(endingWith('a', [...events, ended('b'), asked(9, 'disconnect', {}, 'c')]), [
      'd',
    ]);
  });

  it('a tree of which a child still lives', () => {
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

  it('nothing, when it was alone', () => {
    assert.deepEqual(endingWith('a', member('a')), []);
  });
});
