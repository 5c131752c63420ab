import { strict as assert } from 'node:assert';
import path from 'node:path';
import { adapterOf } from '../../../../src/debugger/adapters/registry';

const delve = adapterOf('go');
const printedExit = (output: string, category = 'console') =>
  delve.printedExit?.({ category, output });

describe('delve', () => {
  it('launches the package of a file, which is the file’s folder', () => {
    const folder = path.join('app', 'cart');
    assert.deepEqual(delve.launch?.(path.join(folder, 'main.go')), {
      mode: 'debug',
      program: folder,
    });
  });

  it('launches a folder unchanged', () => {
    for (const folder of [path.join('app', 'cart'), path.join('app', 'v1.2')])
      assert.deepEqual(delve.launch?.(folder), { mode: 'debug', program: folder });
  });

  it('tells a condition that fails from an exception of the program', () => {
    const failed = (reason: string, text?: string) =>
      delve.failedCondition?.({ reason, description: 'runtime error', text });
    const text = 'error evaluating expression: could not find symbol value for x';
    assert.equal(failed('exception', text), 'could not find symbol value for x');
    assert.equal(failed('exception', 'runtime error: index out of range'), undefined);
    assert.equal(failed('breakpoint', text), undefined);
    assert.equal(failed('exception'), undefined);
  });

  it('names the functions that its instructions call, and their addresses', () => {
    const called = (instruction: string, instructionBytes: string, address = '0x49cd4b') =>
      delve.loggedCalls?.ends?.called({ instruction, instructionBytes, address });
    const fact = { name: 'main.fact', address: '0x49cae0' };
    assert.deepEqual(called('CALL $main.fact(SB)', 'e890fdffff'), fact);
    // `BL` of AArch64 counts in units of four bytes.
    assert.deepEqual(called('CALL main.fact(SB)', 'fdffff97', '0x49caec'), fact);
    assert.deepEqual(called('CALL main.fact(SB)', '03000094', '0x49cad4'), fact);
    assert.equal(called('CALL (DX)', 'ff12'), undefined);
    assert.equal(called('CALL main.fact(SB)', 'e890'), undefined);
    assert.equal(called('MOVQ main.fact(SB), AX', 'e890fdffff'), undefined);
    assert.equal(called('CALL $main.fact(SB)', 'e890fdffff', 'here'), undefined);
    const { allocated } = delve.loggedCalls?.ends ?? {};
    assert.deepEqual(
      ['SUBQ $0x20, SP', 'ADDQ $-0x80, SP', 'MOVD.W R30, -0x30(RSP)', 'SUBQ AX, SP', 'RET'].map(
        (text) => allocated?.(text),
      ),
      [32, 128, 48, 0, 0],
    );
    const { isReturn, isResult } = delve.loggedCalls?.ends ?? {};
    assert.deepEqual(
      [isReturn?.('RET'), isReturn?.('RETRY'), isReturn?.('MOVQ')],
      [true, false, false],
    );
    assert.deepEqual([isResult?.('~r0'), isResult?.('r0')], [true, false]);
  });

  it('prints the exit of its program on a separate line in the console', () => {
    const line = 'Process 4711 has exited with status 3\n';
    assert.deepEqual(printedExit(line, 'console'), {
      kind: 'exited',
      code: 3,
    });
    assert.deepEqual(printedExit('Process 4711 has exited with status -9'), {
      kind: 'exited',
      code: -9,
    });
    assert.equal(printedExit(line, 'stdout'), undefined);
    for (const output of [`> ${line}`, `${line}and more`, 'Process x has exited with status 3'])
      assert.equal(printedExit(output), undefined, output);
  });

  it('reads the value of a panic without the type of the interface', () => {
    const { read } = delve.panics ?? {};
    assert.equal(read?.('interface {}(string) "no tea"'), 'panic: "no tea"');
    assert.equal(read('any(runtime.boundsError) {x: 5}'), 'panic: runtime.boundsError {x: 5}');
    assert.equal(read('(unreadable)'), undefined);
  });
});
