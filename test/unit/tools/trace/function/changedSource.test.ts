import { strict as assert } from 'node:assert';
import { changedSource } from '../../../../../src/tools/trace/function/changedSource';
import { findTarget } from '../../../../../src/tools/trace/function/traceTarget';
import { bench } from '../../../support/services';

const FILE = '/home/ada/app/shop.py';
const SOURCE = 'import os\n\n\ndef order(n):\n    n += 1\n    return n\n';

describe('the source of a traced function that is edited meanwhile', () => {
  const changedTo = async (text: string) => {
    const on = bench();
    on.workspace.files.set(FILE, SOURCE);
    const target = await findTarget(on.services, { file_path: FILE, function_name: 'order' });
    on.workspace.files.set(FILE, text);
    return await changedSource(on.services, target);
  };

  it('is the same, or still has the breakpoint at the beginning of the function', async () => {
    assert.equal(await changedTo(SOURCE), undefined);
    assert.deepEqual(await changedTo(SOURCE.replace('return n', 'return n + 1')), {});
  });

  it('has the function elsewhere, or no more: its calls could not be seen', async () => {
    const moved = await changedTo(`# new\n${SOURCE}`);
    assert.match(moved?.message ?? '', /order now begins in line 6, but .* was in line 5/);
    const renamed = await changedTo(SOURCE.replace('order', 'orders'));
    assert.match(renamed?.message ?? '', /has no function order any more/);
  });
});
