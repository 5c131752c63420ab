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
});
