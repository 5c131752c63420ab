import { strict as assert } from 'node:assert';
import { ReachedBreakpoints } from '../../../../src/debugger/breakpoints/reachedBreakpoints';
import { DebugModel } from '../../../../src/debugger/state/debugModel';
import type { SessionState, StopState } from '../../../../src/debugger/state/state';
import { created, ended, launched, sessionOf, stopped } from '../../support/events';

function setUp(): {
  readonly model: DebugModel;
  readonly reached: ReachedBreakpoints;
  readonly session: (key?: string) => SessionState;
  readonly stop: (key?: string) => StopState;
} {
  const model = new DebugModel();
  for (const key of ['a', 'b']) {
    for (const event of launched(key)) model.dispatch(event);
    model.dispatch(stopped(1, {}, key));
  }
  const session = (key = 'a'): SessionState => sessionOf(model.state, key);
  const stop = (key = 'a'): StopState => {
    const { lastStop } = session(key);
    assert.ok(lastStop);
    return lastStop;
  };
  return { model, reached: new ReachedBreakpoints(model), session, stop };
}

describe('breakpoints that a session has reached', () => {
  it('are known once a stop of that session was seen, for that session only', () => {
    const { reached, session, stop } = setUp();
    reached.see(session(), stop(), [3, 4]);
    assert.deepEqual(
      [3, 4, 5].map((id) => reached.has([session()], id)),
      [true, true, false],
    );
    assert.equal(reached.has([session('b')], 3), false);
    assert.equal(reached.has([session('b'), session()], 3), true);
    assert.equal(reached.has([], 3), false);
  });

  it('are unsure while a stop has not been seen', () => {
    const { model, reached, session, stop } = setUp();
    assert.equal(reached.isUnsure(session()), false);
    reached.stopped(session(), stop());
    const first = stop();
    model.dispatch(stopped(1));
    reached.stopped(session(), stop());
    reached.see(session(), first, []);
    assert.deepEqual([reached.isUnsure(session()), reached.isUnsure(session('b'))], [true, false]);
    reached.see(session(), stop(), []);
    assert.equal(reached.isUnsure(session()), false);
  });

  it('are always unsure for a session that ran before it was found', () => {
    const { reached, session, stop } = setUp();
    reached.foundRunning('a');
    reached.stopped(session(), stop());
    reached.see(session(), stop(), [3]);
    assert.equal(reached.isUnsure(session()), true);
  });

  it('are forgotten with their session', () => {
    const { model, reached, session, stop } = setUp();
    const gone = session();
    reached.see(gone, stop(), [3]);
    reached.foundRunning('a');
    reached.see(session('b'), stop('b'), [3]);
    reached.prune();
    assert.deepEqual([reached.has([gone], 3), reached.isUnsure(gone)], [true, true]);
    model.dispatch(ended('a'));
    for (let each = 0; each < 30; each += 1) {
      model.dispatch(created(`short ${each}`));
      model.dispatch(ended(`short ${each}`));
    }
    reached.prune();
    assert.deepEqual([reached.has([gone], 3), reached.isUnsure(gone)], [false, false]);
    assert.equal(reached.has([session('b')], 3), true);
  });
});
