import { strict as assert } from 'node:assert';
import { BoundedRun } from '../../../../../src/control/boundedRun';
import { arrivalAt } from '../../../../../src/tools/trace/function/arrival';
import { created, eventOf } from '../../../support/events';
import { frameAt, stackIn } from '../../../support/stacks';
import { bench, FILE, type Bench } from '../../../support/services';

const FRAMES = [
  { id: 1, name: 'total', line: 5, column: 1, source: { path: FILE } },
  { id: 2, name: 'main', line: 9, column: 1, source: { path: FILE } },
];

/** A program with two threads under LLDB. Its first thread was stopped in a traced call, and makes a step. */
function program(type = 'lldb-dap') {
  const on = bench();
  on.host.on('stackTrace', () => ({ stackFrames: FRAMES, totalFrames: 2 }));
  on.host.on('scopes', () => ({ scopes: [] }));
  on.model.dispatch(created('a', { sessionType: type }));
  on.model.dispatch(eventOf('initialized'));
  for (const threadId of [1, 2])
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId }));
  on.host.emit('stopped', { reason: 'breakpoint', threadId: 1, allThreadsStopped: true });
  const before = stackIn([frameAt('total', { line: 4 }), frameAt('main', { line: 9 })], type, on);
  return { on, before };
}

const step = (on: Bench, ...stops: readonly object[]): void => {
  on.host.on('next', () => {
    for (const stop of stops) on.host.emit('stopped', { allThreadsStopped: true, ...stop });
    return {};
  });
};

const OWN = { reason: 'step', threadId: 1, preserveFocusHint: false };
const REMOVED = {
  ...{ reason: 'breakpoint', threadId: 2, hitBreakpointIds: [0], description: 'breakpoint 0.0' },
  preserveFocusHint: true,
};
const PERSONS = { ...REMOVED, hitBreakpointIds: [7], description: 'breakpoint 7.1' };
const TRAP = {
  ...{ reason: 'exception', threadId: 2, description: 'signal SIGTRAP' },
  preserveFocusHint: true,
};

async function arrive({ on, before }: ReturnType<typeof program>): Promise<string> {
  const limits = { deadline: performance.now() + 2000, signal: on.call.signal };
  const run = BoundedRun.of(on.services.control, on.session(), 'trace_function', limits);
  const first = await run.move('next', on.session(), 1);
  const arrival = await arrivalAt(on.services, run, limits, first, before, before);
  return arrival.kind === 'over'
    ? arrival.endedBy
    : `${arrival.stack.top.name} ${arrival.stack.top.line} of ${arrival.stack.threadId}`;
}

describe('a step of a trace', () => {
  it('arrives at the next line of its thread', async () => {
    const one = program();
    step(one.on, OWN);
    assert.equal(await arrive(one), 'total 5 of 1');
  });

  for (const beside of [REMOVED, TRAP])
    for (const stops of [
      [OWN, beside],
      [beside, OWN],
    ])
      it(`arrives there if LLDB also reports a thread at a removed breakpoint (${stops.map(({ reason }) => reason).join(', ')})`, async () => {
        const one = program();
        step(one.on, ...stops);
        assert.equal(await arrive(one), 'total 5 of 1');
      });

  it('arrives there if its own stop is reported later, and if another is reported while it is read', async () => {
    const late = program();
    late.on.host.on('next', () => {
      late.on.host.emit('stopped', { allThreadsStopped: true, ...REMOVED });
      setImmediate(() => late.on.host.emit('stopped', { allThreadsStopped: true, ...OWN }));
      return {};
    });
    assert.equal(await arrive(late), 'total 5 of 1');
    const during = (stop: object) => {
      const one = program();
      let requests = 0;
      one.on.host.on('stackTrace', () => {
        requests += 1;
        if (requests === 1) one.on.host.emit('stopped', { allThreadsStopped: true, ...stop });
        return { stackFrames: FRAMES, totalFrames: 2 };
      });
      step(one.on, OWN);
      return arrive(one);
    };
    assert.equal(await during(TRAP), 'total 5 of 1');
    assert.equal(await during(PERSONS), 'breakpoint');
  });

  it('ends the trace at the person’s breakpoint in another thread, in whatever order the stops are reported', async () => {
    for (const stops of [
      [PERSONS, OWN],
      [OWN, PERSONS],
      [
        { ...PERSONS, preserveFocusHint: false },
        { ...REMOVED, threadId: 3 },
      ],
    ]) {
      const one = program();
      step(one.on, ...stops);
      assert.equal(await arrive(one), 'breakpoint', JSON.stringify(stops));
    }
  });

  it('ends the trace if another thread stops for itself', async () => {
    const alone = program();
    step(alone.on, { ...REMOVED, preserveFocusHint: false });
    assert.equal(await arrive(alone), 'breakpoint');
    const crashed = program();
    step(crashed.on, OWN, { ...TRAP, description: 'signal SIGSEGV' });
    assert.equal(await arrive(crashed), 'exception');
    // Other debuggers do not report threads at removed breakpoints.
    const other = program('test');
    step(other.on, OWN, REMOVED);
    assert.equal(await arrive(other), 'breakpoint');
  });

  it('ends at the stops of its own thread', async () => {
    const thrown = program();
    step(thrown.on, REMOVED, { reason: 'exception', threadId: 1 });
    assert.equal(await arrive(thrown), 'exception');
    const paused = program();
    step(paused.on, { reason: 'pause', threadId: 1 });
    assert.equal(await arrive(paused), 'person');
  });
});
