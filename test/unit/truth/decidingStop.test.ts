import { strict as assert } from 'node:assert';
import { decidingStack, decidingStop } from '../../../src/tools/trace/function/decidingStop';
import { created, eventOf } from '../support/events';
import { bench, FILE } from '../support/services';

/** A stop that LLDB reports for a thread. */
interface Reported {
  readonly threadId: number;
  readonly reason: 'breakpoint' | 'exception';
  readonly preserveFocusHint: boolean;
}

const AT_PROBE: Reported = { threadId: 1, reason: 'breakpoint', preserveFocusHint: false };
const FAULT: Reported = { threadId: 2, reason: 'exception', preserveFocusHint: true };

/** A program of a type, with what its adapter has reported. The run has ended with the first of these stops. */
function stoppedProgram(type: string, stops: readonly Reported[]) {
  const on = bench();
  on.model.dispatch(created('a', { sessionType: type }));
  on.model.dispatch(eventOf('initialized', {}, 'a'));
  const report = (stop: Reported): void => {
    on.model.dispatch(eventOf('stopped', { ...stop, allThreadsStopped: true }, 'a'));
  };
  const [first, ...more] = stops;
  assert.ok(first);
  report(first);
  const stop = on.model.state.sessions.get('a')?.lastStop;
  assert.ok(stop);
  for (const other of more) report(other);
  return { on, report, step: { kind: 'stopped', sessionKey: 'a', stop } as const };
}

describe('several threads that stop at the same time', () => {
  for (const [name, stops] of [
    ['first', [FAULT, AT_PROBE]],
    ['last', [AT_PROBE, FAULT]],
    ['between others', [AT_PROBE, FAULT, { ...AT_PROBE, threadId: 3 }]],
  ] as const)
    it(`end a run for the exception that is reported ${name}`, () => {
      const { on, step } = stoppedProgram('lldb-dap', stops);
      const decides = decidingStop(on.model.state, step);
      assert.deepEqual([decides?.threadId, decides?.stop.reason], [2, 'exception']);
    });

  it('end a run for the thread that was named last if there is no exception', () => {
    const { on, step } = stoppedProgram('lldb-dap', [AT_PROBE, { ...AT_PROBE, threadId: 3 }]);
    const decides = decidingStop(on.model.state, step);
    assert.deepEqual([decides?.threadId, decides?.stop.id], [3, 2]);
  });

  it('do not end a later run for an exception of an earlier one', () => {
    const { on, report } = stoppedProgram('lldb-dap', [FAULT]);
    report(AT_PROBE);
    const stop = on.model.state.sessions.get('a')?.lastStop;
    assert.ok(stop);
    const decides = decidingStop(on.model.state, { kind: 'stopped', sessionKey: 'a', stop });
    assert.deepEqual([decides?.threadId, decides?.stop.reason], [1, 'breakpoint']);
  });

  it('are one stop with an adapter that reports one for all', () => {
    const { on, step } = stoppedProgram('debugpy', [AT_PROBE, FAULT]);
    assert.equal(decidingStop(on.model.state, step)?.stop, step.stop);
  });

  it('are read again if the exception is reported during the reading', async () => {
    const { on, report, step } = stoppedProgram('lldb-dap', [AT_PROBE]);
    const asked: unknown[] = [];
    on.host.on('stackTrace', ({ threadId }) => {
      asked.push(threadId);
      if (asked.length === 1) report(FAULT);
      const frame = { id: 1, name: 'work', line: 4, column: 1, source: { path: FILE } };
      return { stackFrames: [frame], totalFrames: 1 };
    });
    const read = await decidingStack(on.services, step, on.call.signal, 'frames');
    assert.equal(read?.stop.reason, 'exception');
    assert.ok(typeof read.stack !== 'string');
    assert.equal(read.stack.threadId, 2);
    assert.deepEqual([...new Set(asked)], [1, 2]);
  });
});
