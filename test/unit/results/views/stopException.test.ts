import { strict as assert } from 'node:assert';
import {
  aboutToEnd,
  exceptionOf,
  repeatedStop,
  textsOf,
} from '../../../../src/results/views/stopException';
import type { StopEventData } from '../../../../src/results/views/stopEventData';
import type { StopState } from '../../../../src/debugger/state/state';
import { launched, sessionAfter, stopped } from '../../support/events';

const CALLERS = 'get_call_stack start_frame=1';
const frame = (frame_id: number, more: object = {}) => ({
  frame_id,
  function_name: 'f',
  file_path: '/app/main.py',
  line_number: 1,
  column_number: 1,
  ...more,
});

const STOP: StopEventData = {
  timestamp: '2026-11-24T10:00:00.000Z',
  session_id: 's1',
  stop_id: 2,
  reason: 'exception',
  thread_id: 1,
  description: null,
  text: null,
  all_threads_stopped: true,
  source: null,
  line: 3,
  column: 1,
  top_frame_variables: { scope_name: 'Locals', variables: [] },
  call_stack: [frame(1), frame(2)],
  hit_breakpoint_ids: null,
};
const EXCEPTION = { type: 'ValueError', message: 'broken', inner: [{ type: 'KeyError' }] };

const stopAt = (more: object): StopState => {
  const { lastStop } = sessionAfter([...launched(), stopped(1, { reason: 'exception', ...more })]);
  assert.ok(lastStop !== undefined);
  return lastStop;
};

describe('a stop at which the program is about to end', () => {
  it('has its location, its exit code and its output, and no values', () => {
    const { exception: _, ...expected } = STOP as StopEventData & { exception?: unknown };
    const stop = aboutToEnd(
      {
        ...STOP,
        source_lines: ['>3 exit(4)'],
        changed: [{ name: 'a', before: '1', now: '2' }],
        total_frames: 2,
        exception: { ...EXCEPTION, type: 'SystemExit', message: '4' },
        output: ['done'],
        omitted: { output_lines: 7, frames: 2 },
      },
      4,
      undefined,
    );
    assert.deepEqual(stop, {
      ...expected,
      exit_code: 4,
      exception: { type: 'SystemExit', message: '4' },
      top_frame_variables: null,
      call_stack: [frame(1)],
      output: ['done'],
      omitted: { output_lines: 7 },
    });
  });

  it('has the person’s own frame if there is one', () => {
    assert.deepEqual(aboutToEnd(STOP, 0, frame(2)).call_stack, [frame(2)]);
  });

  it('has no exception and no count of output if there is none', () => {
    const stop = aboutToEnd(STOP, 0, undefined);
    assert.ok(!('exception' in stop) && !('omitted' in stop));
    assert.ok(!('omitted' in aboutToEnd({ ...STOP, omitted: { frames: 3 } }, 0, undefined)));
  });
});

describe('a stop at the same exception as the previous stop', () => {
  it('has its innermost frame, and counts the callers', () => {
    const call_stack = [frame(1), frame(2, { folded: 3 }), frame(3)];
    const stop = repeatedStop({ ...STOP, call_stack, exception: EXCEPTION }, 1, CALLERS);
    assert.deepEqual(stop.call_stack, [frame(1)]);
    assert.deepEqual(stop.exception, {
      type: 'ValueError',
      message: 'broken',
      again: 'same type and message as at stop 1, in a frame further out',
    });
    assert.deepEqual(stop.omitted, { frames: 4, fetch_frames: CALLERS });
  });

  it('counts the callers with the frames that were left out before', () => {
    const omitted = { frames: 5, fetch_frames: 'x', output_lines: 2 };
    assert.deepEqual(repeatedStop({ ...STOP, omitted }, 1, CALLERS).omitted, {
      frames: 6,
      fetch_frames: CALLERS,
      output_lines: 2,
    });
  });

  it('counts nothing if there are no callers', () => {
    const stop = repeatedStop({ ...STOP, call_stack: [frame(1)] }, 1, CALLERS);
    assert.ok(!('exception' in stop));
    assert.deepEqual(Object.keys(stop.omitted ?? {}), []);
  });
});

describe('the exception of a stop', () => {
  it('is the one that the adapter reports, without whether it is handled', () => {
    const reported = { type: 'ValueError', message: 'broken', isUnhandled: true } as const;
    assert.deepEqual(exceptionOf(stopAt({ text: 'other' }), reported, false), {
      type: 'ValueError',
      message: 'broken',
    });
  });

  it('otherwise has the text of the stop', () => {
    for (const [said, message] of [
      [{ description: 'fatal error', text: 'deadlock' }, 'fatal error: deadlock'],
      [{ text: 'deadlock' }, 'deadlock'],
    ] as const)
      assert.deepEqual(exceptionOf(stopAt(said), undefined, false), { type: 'unknown', message });
  });

  it('is recognized by the person’s own frame if the stop has no text', () => {
    const stop = stopAt({ description: 'fatal error' });
    assert.deepEqual(exceptionOf(stop, undefined, true), {
      type: 'unknown',
      message: 'fatal error',
    });
    assert.deepEqual(exceptionOf(stopAt({}), undefined, true), { type: 'unknown' });
    assert.equal(exceptionOf(stop, undefined, false), undefined);
  });

  it('is missing if the program stops for another reason', () => {
    const stop = stopAt({ reason: 'step', text: 'x' });
    assert.equal(exceptionOf(stop, undefined, true), undefined);
  });
});

describe('the texts of a stop', () => {
  it('are its own if there is no exception', () => {
    assert.deepEqual(textsOf(stopAt({ description: 'Paused', text: 'x' }), undefined), {
      description: 'Paused',
      text: 'x',
    });
    assert.deepEqual(textsOf(stopAt({}), undefined), { description: null, text: null });
  });

  it('are left out if the exception says the same', () => {
    const stop = stopAt({ description: 'Paused on exception', text: 'ValueError: broken' });
    assert.deepEqual(textsOf(stop, EXCEPTION), { description: 'Paused on exception', text: null });
  });
});
