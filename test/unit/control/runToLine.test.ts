import { strict as assert } from 'node:assert';
import type { RunLimits } from '../../../src/control/outcome';
import { runToLine, type RunToLineOutcome } from '../../../src/control/runToLine';
import { DebuggerError } from '../../../src/debugger/debuggerError';
import { Interrupted } from '../../../src/debugger/requests';
import { binding, theirs } from '../support/breakpointCalls';
import { ended } from '../support/events';
import { never } from '../support/fakeHost';
import { bench, FILE, paused, running, type Bench } from '../support/services';

const LINE = 7;

function run(on: Bench, milliseconds = 1000): Promise<RunToLineOutcome> {
  const limits: RunLimits = {
    deadline: performance.now() + milliseconds,
    signal: on.call.signal,
  };
  const place = { session: on.session(), thread: 1, path: FILE, line: LINE };
  return runToLine(on.services.control, on.services.breakpoints, place, limits);
}

/** The program stops as soon as it continues. */
function arriving(on: Bench): Bench {
  on.host.on('continue', (_args, key) => {
    on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 }, key);
    return {};
  });
  return on;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('run to a line', () => {
  it('uses the person’s breakpoint on the line, and does not remove it', async () => {
    const on = arriving(binding(paused(bench())));
    const { hostId } = theirs(on, LINE);
    const { outcome } = await run(on);
    assert.equal(outcome.kind, 'stopped');
    assert.deepEqual(
      on.host.breakpoints().map((each) => each.hostId),
      [hostId],
    );
  });

  for (const more of [
    { enabled: false },
    { condition: 'i > 1' },
    { hitCondition: '3' },
    { logMessage: 'here' },
  ])
    it(`does not run past a breakpoint that does not always stop: ${JSON.stringify(more)}`, async () => {
      const on = arriving(binding(paused(bench())));
      const other = theirs(on, LINE, more);
      await assert.rejects(run(on), (error: unknown) => {
        assert.ok(error instanceof DebuggerError);
        assert.deepEqual(error.problem, {
          kind: 'placeTaken',
          breakpointId: on.services.breakpoints.idOf(other),
        });
        return true;
      });
      assert.deepEqual([on.host.moves, on.host.breakpoints().length], [[], 1]);
    });

  it('reports the line that its own adapter bound the breakpoint to, even if the program has ended since', async () => {
    const on = running(paused(bench()), 'b');
    on.host.on('setBreakpoints', (_args, key) => ({
      breakpoints: [{ id: 1, verified: true, line: key === 'a' ? LINE + 1 : LINE + 2 }],
    }));
    on.host.on('continue', (_args, key) => {
      on.model.dispatch(ended(key));
      return {};
    });
    const { outcome, boundLine } = await run(on);
    assert.deepEqual([outcome.kind, boundLine], ['ended', LINE + 1]);
  });

  it('does not move a program that the person has moved while the breakpoint was being set', async () => {
    const on = paused(bench());
    let answer: () => void = () => undefined;
    on.host.on(
      'setBreakpoints',
      () =>
        new Promise((resolve) => {
          answer = () => resolve({ breakpoints: [{ id: 1, verified: true, line: LINE }] });
        }),
    );
    const reached = run(on);
    on.host.emit('continued', { threadId: 1 });
    on.host.emit('stopped', { reason: 'step', threadId: 1 });
    answer();
    const { outcome } = await reached;
    assert.equal(outcome.kind === 'stopped' && outcome.stop.reason, 'step');
    assert.deepEqual([on.host.moves, on.host.breakpoints()], [[], []]);
  });

  it('leaves no breakpoint and moves nothing if it is cancelled before the adapter has answered', async () => {
    const on = paused(bench());
    on.host.on('setBreakpoints', never);
    const reached = run(on);
    on.cancel();
    await assert.rejects(reached, Interrupted);
    assert.deepEqual([on.host.moves, on.host.breakpoints()], [[], []]);
  });

  it('keeps the breakpoint until the program stops if it is cancelled while the program runs', async () => {
    const on = binding(paused(bench()));
    on.host.on('continue', () => ({}));
    const reached = run(on);
    await turn();
    on.cancel();
    assert.equal((await reached).outcome.kind, 'cancelled');
    assert.equal(on.host.breakpoints().length, 1);
    on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
    await turn();
    assert.deepEqual(on.host.breakpoints(), []);
  });
});
