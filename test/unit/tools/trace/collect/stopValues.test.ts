import { strict as assert } from 'node:assert';
import { textOf } from '../../../../../src/debugger/protocol';
import { ask } from '../../../support/asking';
import { launched } from '../../../support/events';
import type { Bench } from '../../../support/services';
import { frameAt, lldbAt, PROBE, probeOf, value } from './stoppingPrograms';

/** LLDB without scripts, which names the breakpoint of each stop. */
function lldbByStops(lines: readonly number[]): Bench {
  const on = lldbAt(lines, undefined);
  const emit = on.host.emit.bind(on.host);
  on.host.emit = (event, body, key) =>
    emit(event, event === 'stopped' ? { ...body, hitBreakpointIds: [1] } : body, key);
  return on;
}

/** The program's expressions that were evaluated, in their order. Commands of LLDB are left out. */
function evaluations({ host }: Bench): string[] {
  return host
    .sent('evaluate')
    .map(({ expression }) => textOf(expression) ?? '')
    .filter((expression) => !expression.startsWith('`'));
}

describe('values at stops', () => {
  it('are requested before the stack has arrived, from the second hit on', async () => {
    const on = lldbByStops([3, 3, 3]);
    const before: number[] = [];
    on.host.on('stackTrace', async () => {
      await new Promise(setImmediate);
      before.push(evaluations(on).length);
      return frameAt(3);
    });
    const answer = await ask(on, 'collect_values', { probes: [PROBE] });
    assert.deepEqual([answer['hits'], probeOf(answer)['expect']], [3, 'confirmed']);
    // At the first hit, the stack is requested again after the script was refused.
    assert.deepEqual(before, [0, 0, 4, 6]);
    assert.deepEqual(evaluations(on), ['x', 'x > 0', 'x', 'x > 0', 'x', 'x > 0']);
  });

  it('are requested again if the frame has another id', async () => {
    const on = lldbByStops([3, 3]);
    let stops = 0;
    on.host.on('stackTrace', () => {
      stops += 1;
      const frame = { id: 10 * stops, name: 'main', line: 3, column: 1 };
      return { stackFrames: [{ ...frame, source: { path: PROBE.file_path } }] };
    });
    on.host.on('evaluate', ({ expression, frameId }) =>
      value(expression === 'x' ? `of frame ${String(frameId)}` : 'true'),
    );
    const answer = await ask(on, 'collect_values', { probes: [PROBE] });
    const rows = JSON.stringify(answer['rows']);
    assert.match(rows, /of frame 20.*of frame 30/);
    assert.equal(evaluations(on).length, 6);
  });

  it('are requested once if another session stops in the meantime', async () => {
    const on = lldbByStops([3, 3]);
    for (const event of launched('b', { sessionType: 'node' })) on.model.dispatch(event);
    on.host.on('stackTrace', async () => {
      on.host.emit('stopped', { reason: 'breakpoint', threadId: 1, hitBreakpointIds: [1] }, 'b');
      await new Promise(setImmediate);
      return frameAt(3);
    });
    const answer = await ask(on, 'collect_values', {
      probes: [PROBE],
      session_id: on.session().id,
    });
    assert.equal(answer['hits'], 2, JSON.stringify(answer));
    assert.deepEqual(evaluations(on), ['x', 'x > 0', 'x', 'x > 0']);
  });

  it('are requested after the stack if they may change the program', async () => {
    const on = lldbByStops([3, 3]);
    const before: string[][] = [];
    on.host.on('stackTrace', async () => {
      await new Promise(setImmediate);
      before.push(evaluations(on));
      return frameAt(3);
    });
    const expressions = ['next()', 'x = 1', 'x++', 'x <<= 1', 'all[x]', 'x'];
    const probe = { file_path: PROBE.file_path, line: 3, expressions };
    const answer = await ask(on, 'collect_values', { probes: [probe] });
    assert.equal(answer['hits'], 2, JSON.stringify(answer));
    assert.deepEqual(before.at(-1), [...expressions, 'x']);
    assert.equal(evaluations(on).length, 2 * expressions.length);
  });

  it('are not requested before their condition is known', async () => {
    const on = lldbByStops([3, 3]);
    on.host.on('evaluate', () => value('false'));
    const probe = { ...PROBE, condition: 'x > 5' };
    const answer = await ask(on, 'collect_values', { probes: [probe] });
    assert.equal(answer['hits'], 0);
    assert.deepEqual(evaluations(on), ['x > 5', 'x > 5']);
  });

  it('are not requested at a breakpoint of the person', async () => {
    const on = lldbByStops([3, 3, 9]);
    const emit = on.host.emit.bind(on.host);
    let stops = 0;
    on.host.emit = (event, body, key) => {
      stops += event === 'stopped' ? 1 : 0;
      if (stops < 3 || event !== 'stopped') {
        emit(event, body, key);
        return;
      }
      on.model.dispatch({
        type: 'fromAdapter',
        key: 'a',
        at: 0,
        message: {
          seq: 999,
          type: 'event',
          event,
          body: { ...body, hitBreakpointIds: [7] },
        },
      });
    };
    const answer = await ask(on, 'collect_values', { probes: [PROBE] });
    assert.deepEqual([answer['hits'], answer['ended_by']], [2, 'breakpoint']);
    assert.equal(evaluations(on).length, 4);
  });
});
