import { strict as assert } from 'node:assert';
import type { FramePage } from '../../../../src/debugger/inspection/framePage';
import type { LocalVariables } from '../../../../src/debugger/inspection/localVariables';
import type { Frame } from '../../../../src/debugger/inspection/stackAndVariables';
import {
  fetchFrames,
  framesLeft,
  left,
  localsLeft,
  withoutRuntime,
} from '../../../../src/results/views/stopOmissions';
import { after, launched, sessionOf, stopped } from '../../support/events';

const frame = (subtle = false): Frame => ({
  id: 1,
  name: 'f',
  path: '/app/main.js',
  sourceName: undefined,
  line: 1,
  column: 1,
  subtle,
  isLabel: false,
  instructionPointerReference: undefined,
});
const LOCALS: LocalVariables = {
  scope: undefined,
  variables: [],
  omitted: 0,
  omittedScopes: 0,
  expensive: [],
  unreadable: 0,
};
const REST = 'get_scopes, then get_variables';

describe('variables that a stop leaves out', () => {
  it('are none if all were read, or if there are none', () => {
    assert.deepEqual(localsLeft(LOCALS), {});
    assert.deepEqual(localsLeft(undefined), {});
  });

  it('are counted, with the call that fetches them', () => {
    assert.deepEqual(localsLeft({ ...LOCALS, omitted: 3, omittedScopes: 2, unreadable: 4 }), {
      variables: 3,
      fetch_variables: REST,
      scopes: 2,
      fetch_scopes: REST,
      unreadable_variables: 4,
    });
  });

  it('include those of expensive scopes, by the names of the scopes', () => {
    assert.deepEqual(localsLeft({ ...LOCALS, expensive: ['Global', 'Module'] }), {
      expensive_scopes: 'Global, Module',
      fetch_expensive_scopes: REST,
    });
  });

  it('of the person’s own frame are fetched by its id', () => {
    assert.deepEqual(left('own_frame_variables', 2), {
      own_frame_variables: 2,
      fetch_own_frame_variables: 'get_scopes of own_frame, then get_variables',
    });
    assert.deepEqual(left('top_frame_variables', 2), {
      top_frame_variables: 2,
      fetch_top_frame_variables: REST,
    });
    assert.deepEqual([left('variables', 0), left('variables', undefined)], [{}, {}]);
  });
});

describe('frames that a stop leaves out', () => {
  const state = after([...launched(), stopped(1)]);
  const of = (page: Partial<FramePage>, shown: number) =>
    framesLeft(
      state,
      sessionOf(state),
      1,
      { frames: [frame(), frame()], total: 2, next: undefined, unreadable: 0, ...page },
      shown,
    );
  const from = (start: number) => `get_call_stack start_frame=${start}`;

  it('are none if all are shown', () => {
    assert.deepEqual(of({}, 2), {});
    assert.deepEqual(of({ total: undefined }, 2), {});
  });

  it('are counted up to the total', () => {
    assert.deepEqual(of({ total: 30, next: 20 }, 2), { frames: 28, fetch_frames: from(20) });
    assert.deepEqual(of({ total: 30 }, 2), { frames: 28, fetch_frames: from(2) });
    assert.deepEqual(of({}, 1), { frames: 1, fetch_frames: from(1) });
  });

  it('are not counted if there is no total', () => {
    assert.deepEqual(of({ total: undefined, next: 20 }, 2), { fetch_frames: from(20) });
    assert.deepEqual(of({ total: undefined }, 1), { fetch_frames: from(1) });
  });

  it('are counted separately if they cannot be read', () => {
    assert.deepEqual(of({ total: 5, unreadable: 3 }, 2), { unreadable_frames: 3 });
    assert.deepEqual(of({ total: 6, unreadable: 3 }, 2), {
      frames: 1,
      fetch_frames: from(2),
      unreadable_frames: 3,
    });
  });
});

describe('frames of the runtime', () => {
  it('are left out after the last frame of the person’s own code', () => {
    const [own, runtime] = [frame(), frame(true)];
    assert.deepEqual(withoutRuntime([own, runtime, own, runtime, runtime]), [own, runtime, own]);
  });

  it('are limited to five if there is no other frame', () => {
    assert.equal(withoutRuntime(Array.from({ length: 9 }, () => frame(true))).length, 5);
    assert.deepEqual(withoutRuntime([]), []);
  });
});

describe('the call that fetches frames', () => {
  it('names the session only if another is stopped as well', () => {
    const [a, b] = [
      [...launched(), stopped(1)],
      [...launched('b'), stopped(1, {}, 'b')],
    ];
    const alone = after(a);
    assert.equal(fetchFrames(alone, sessionOf(alone), 1, 3), 'get_call_stack start_frame=3');
    const beside = after([...a, ...launched('b')]);
    assert.equal(fetchFrames(beside, sessionOf(beside), 1, 3), 'get_call_stack start_frame=3');
    const both = after([...a, ...b]);
    assert.equal(
      fetchFrames(both, sessionOf(both, 'b'), 1, 3),
      'get_call_stack session_id=s2 start_frame=3',
    );
  });

  it('names the thread only if it is not that of the stop', () => {
    const state = after([...launched(), stopped(2), stopped(1)]);
    const session = sessionOf(state);
    assert.equal(fetchFrames(state, session, 1, 3), 'get_call_stack start_frame=3');
    assert.equal(fetchFrames(state, session, 2, 3), 'get_call_stack thread_id=2 start_frame=3');
  });
});
