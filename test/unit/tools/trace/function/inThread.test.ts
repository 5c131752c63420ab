import { strict as assert } from 'node:assert';
import type { Injection, PointAnswer } from '../../../../../src/control/injectedBreakpoints';
import { inThread } from '../../../../../src/tools/trace/function/inThread';
import { frameAt, stackIn } from '../../../support/stacks';
import { bench } from '../../../support/services';

const { signal } = new AbortController();
const answered = (id: number | undefined): PointAnswer => ({
  kind: 'answered',
  adapter: {
    ...{ id, verified: true, line: 3, column: undefined, message: undefined },
    ...{ requestedLine: 3, requestedColumn: undefined, requestedName: undefined },
    ...{ requestedCondition: undefined, requestedHitCondition: undefined },
    requestedLogMessage: undefined,
  },
});

/** The requests and removals of a trace's breakpoints under a debugger, in order. */
async function lived(
  type: string,
  answers: readonly PointAnswer[],
  isSlow = false,
): Promise<readonly string[]> {
  const on = bench();
  const done: string[] = [];
  on.host.on('evaluate', ({ expression }) => {
    done.push(String(expression).replace(/.*SetThreadID\((.*)\) for id in /, '$1 '));
    return isSlow && done.includes('set') ? new Promise(() => undefined) : { result: '' };
  });
  const call = { ...stackIn([frameAt('total')], type, on), threadId: 42 };
  const injection: Injection = {
    placed: Promise.resolve(),
    answeredIn: () => answers,
    withdraw: () => Promise.resolve(),
    dispose: () => {
      done.push('disposed');
      return Promise.resolve();
    },
  };
  const stops = await inThread(on.services, injection, call, signal, 1);
  done.push('set');
  await stops.dispose();
  return done;
}

describe('the breakpoints of a trace', () => {
  it('are limited to the thread of the call, and free again before they are removed', async () => {
    const answers = [answered(3), { kind: 'displaced' } as const, answered(5)];
    assert.deepEqual(await lived('lldb-dap', answers), [
      ...['42 [3, 5]]', 'set', 'lldb.LLDB_INVALID_THREAD_ID [3, 5]]', 'disposed'],
    ]);
  });

  it('are freed before they are removed if the debugger does not answer in time', async () => {
    assert.deepEqual(await lived('lldb-dap', [answered(3)], true), [
      ...['42 [3]]', 'set', 'lldb.LLDB_INVALID_THREAD_ID [3]]', 'disposed'],
    ]);
  });

  it('are not limited if there are none, or if the debugger has no commands', async () => {
    assert.deepEqual(await lived('lldb-dap', [answered(undefined)]), ['set', 'disposed']);
    assert.deepEqual(await lived('pwa-node', [answered(3)]), ['set', 'disposed']);
  });
});
