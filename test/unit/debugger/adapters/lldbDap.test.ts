import { strict as assert } from 'node:assert';
import type { HitOperator, PauseLike } from '../../../../src/debugger/adapters/adapterParts';
import { adapterOf } from '../../../../src/debugger/adapters/registry';

const lldb = adapterOf('lldb-dap');
const isPause = (stop: PauseLike) => lldb.isPause?.(stop);

describe('lldb-dap', () => {
  it('treats the signal of a pause as a pause, and every other signal as an exception', () => {
    const pause = { reason: 'exception', description: 'signal SIGSTOP' };
    assert.equal(isPause(pause), true);
    assert.equal(isPause({ ...pause, reason: 'breakpoint' }), false);
    assert.equal(isPause({ ...pause, description: 'signal SIGSEGV' }), false);
  });

  it('recognizes the stop of a data breakpoint by the number of its watchpoint', () => {
    const stop = (description: string | undefined) => ({ reason: 'exception', description });
    for (const description of ['watchpoint 1', 'watchpoint 27'])
      assert.equal(lldb.isDataStop?.(stop(description)), true, description);
    for (const description of ['watchpoint', 'a watchpoint 1', 'watchpoint 1 of main', undefined])
      assert.equal(lldb.isDataStop?.(stop(description)), false, description);
  });

  it('reports a program as lost if it prints so, because the program may still run', () => {
    const ends = (why: string) => `Process 4711 exited with status = -1 (0xffffffff) ${why}\n`;
    const printed = (output: string, category = 'console') =>
      lldb.printedExit?.({ category, output });
    assert.deepEqual(printed(ends('lost connection')), {
      kind: 'lost',
      message: 'lost connection',
    });
    assert.deepEqual(printed(ends('debugserver died with signal SIGKILL')), {
      kind: 'lost',
      message: 'debugserver died with signal SIGKILL',
    });
    assert.equal(printed(ends('lost connection'), 'stdout'), undefined);
    assert.equal(printed(`> ${ends('lost connection')}`), undefined);
    assert.equal(printed('Process 4711 exited with status = 3 (0x00000003)\n'), undefined);
  });

  it('counts from a given hit on, and from the first one if 0 hits are requested', () => {
    const write = (operator: HitOperator, count: number) =>
      lldb.hitConditions?.write({ operator, count });
    assert.equal(write('>=', 3), '3');
    assert.equal(write('>=', 0), '1');
    assert.equal(write('>', 3), '4');
    assert.equal(write('==', 3), undefined);
  });

  it('runs a command before a launch, after those of the configuration, if it may', () => {
    const before = (configuration: object) =>
      lldb.withCommandBeforeLaunch?.({ request: 'launch', ...configuration }, 'script 1');
    assert.deepEqual(before({ program: 'a' }), {
      ...{ request: 'launch', program: 'a', preRunCommands: ['?script 1'] },
    });
    assert.deepEqual(before({ preRunCommands: ['settings show'] })?.['preRunCommands'], [
      'settings show',
      '?script 1',
    ]);
    for (const refused of [
      { request: 'attach' },
      { launchCommands: ['process launch'] },
      { preRunCommands: 'settings show' },
      { commandEscapePrefix: '' },
    ])
      assert.equal(before(refused), undefined, JSON.stringify(refused));
  });

  it('reads the symbols of libraries late, after the commands of the configuration', () => {
    const configuration = { program: 'a', initCommands: ['settings show'] };
    assert.deepEqual(lldb.withLateSymbols?.(configuration), {
      program: 'a',
      initCommands: ['settings show', '?settings set target.preload-symbols false'],
    });
  });

  it('tells its own remarks about debug information from the output of the program', () => {
    const remark =
      "error: cart 0x0002b8a9: DW_TAG_member '_M_local_buf' refers to type 0x0000000000073f53 which extends beyond the bounds of 0x0002b89f";
    assert.equal(lldb.runtimeOutput?.test(remark), true);
    assert.equal(lldb.runtimeOutput.test('error: no price'), false);
  });
});
