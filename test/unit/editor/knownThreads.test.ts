import { strict as assert } from 'node:assert';
import { asOwnThreadList } from '../../../src/debugger/state/ownThreadList';
import { EMPTY_STATE, type DebugEvent, type DebugState } from '../../../src/debugger/state/state';
import { KnownThreads } from '../../../src/editor/knownThreads';
import { after, answered, asked, eventOf, launched } from '../support/events';

const session = { id: 'a' };

function knownAfter(events: readonly DebugEvent[]): {
  readonly known: KnownThreads;
  readonly then: (more: readonly DebugEvent[]) => void;
} {
  const model: { state: DebugState } = { state: after(events, EMPTY_STATE) };
  return {
    known: new KnownThreads(model),
    then: (more) => {
      model.state = after(more, model.state);
    },
  };
}

const list = (seq: number, ids: readonly number[], args: object = {}): DebugEvent[] => [
  asked(seq, 'threads', args),
  answered(seq, 'threads', { threads: ids.map((id) => ({ id, name: `thread ${id}` })) }),
];

describe('the threads that VS Code knows', () => {
  it('are those of its own list, when a request that was sent behind it is answered', async () => {
    const { known } = knownAfter([...launched(), ...list(9, [1])]);
    assert.equal(known.isListed(session, 1), true);
    assert.equal(known.has(session, 1), false, 'VS Code may not have handled its list');
    await known.during(session, () => Promise.resolve());
    assert.equal(known.has(session, 1), true);
    assert.equal(known.has({ id: 'a' }, 1), false, 'another session');
  });

  it('are not those of a list that arrived after the request was sent', async () => {
    const { known, then } = knownAfter(launched());
    await known.during(session, () => {
      then(list(9, [1]));
      return Promise.resolve();
    });
    assert.equal(known.has(session, 1), false);
    await known.during(session, () => Promise.reject(new Error('refused'))).catch(() => undefined);
    assert.equal(known.has(session, 1), true);
  });

  it('are not those that were listed for us alone', async () => {
    const { known } = knownAfter([...launched(), ...list(9, [1], asOwnThreadList({}))]);
    await known.during(session, () => Promise.resolve());
    assert.equal(known.has(session, 1), false);
  });

  it('stay known if we list them again, and are forgotten with their end', async () => {
    const { known, then } = knownAfter([...launched(), ...list(9, [1, 2])]);
    then(list(10, [1, 2], asOwnThreadList({})));
    await known.during(session, () => Promise.resolve());
    assert.equal(known.has(session, 2), true);
    then([eventOf('thread', { reason: 'exited', threadId: 2 })]);
    assert.equal(known.has(session, 2), false);
    assert.equal(known.has(session, 1), true);
    await known.during(session, () => Promise.resolve());
    then(list(11, [1, 2]));
    assert.equal(known.has(session, 2), false, 'another thread with the id');
    assert.equal(known.has(session, 1), true);
  });
});
