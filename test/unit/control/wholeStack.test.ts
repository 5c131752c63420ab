import { strict as assert } from 'node:assert';
import { restOfStackRequested } from '../../../src/control/wholeStack';
import { answered, asked, launched, stopped } from '../support/events';
import { bench, type Bench } from '../support/services';

const REST = { threadId: 1, startFrame: 1, levels: 19 };

/** A program that has just stopped. */
function stoppedBy(sessionType: string, delays = true): Bench {
  const on = bench();
  for (const event of launched('a', { sessionType })) on.model.dispatch(event);
  on.model.dispatch(asked(3, 'initialize'));
  on.model.dispatch(answered(3, 'initialize', { supportsDelayedStackTraceLoading: delays }));
  const event = stopped(1, { reason: 'breakpoint' });
  on.model.dispatch({ ...event, at: Date.now() });
  return on;
}

/** Whether the wait is over within a turn. */
async function isOver(on: Bench, signal = new AbortController().signal): Promise<boolean> {
  const wait = restOfStackRequested(on.model, on.session(), 1, signal).then(() => true);
  const turn = new Promise<false>((resolve) => setImmediate(() => resolve(false)));
  return await Promise.race([wait, turn]);
}

describe('a call that resumes soon after a stop', () => {
  it('waits for VS Code’s request for the rest of the stack if the adapter would hang on that request', async () => {
    const on = stoppedBy('lldb-dap');
    let isDone = false;
    const wait = restOfStackRequested(on.model, on.session(), 1, new AbortController().signal).then(
      () => (isDone = true),
    );
    on.model.dispatch(asked(10, 'stackTrace', { threadId: 1, startFrame: 0, levels: 1 }));
    on.model.dispatch(answered(10, 'stackTrace', { stackFrames: [] }));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isDone, false);
    on.model.dispatch(asked(11, 'stackTrace', REST));
    on.model.dispatch(answered(11, 'stackTrace', { stackFrames: [] }));
    await wait;
    assert.equal(await isOver(on), true);
  });

  it('does not wait in any other case', async () => {
    assert.equal(await isOver(stoppedBy('debugpy')), true);
    assert.equal(await isOver(stoppedBy('lldb-dap', false)), true);
    const long = stoppedBy('lldb-dap');
    const event = stopped(1, { reason: 'step' });
    long.model.dispatch({ ...event, at: Date.now() - 5000 });
    assert.equal(await isOver(long), true);
    const cancelled = new AbortController();
    cancelled.abort();
    assert.equal(await isOver(stoppedBy('lldb-dap'), cancelled.signal), true);
  });
});
