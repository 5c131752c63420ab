import { strict as assert } from 'node:assert';
import { ProbeLines } from '../../../../../src/tools/trace/collect/probeLines';
import { bench } from '../../../support/services';

const FILE = '/home/ada/app/shop.py';

describe('the lines of probes', () => {
  it('are changed by an edit that moves them, but not by one behind them', async () => {
    const { services, workspace } = bench();
    workspace.files.set(FILE, 'a = 1\nb = 2\nc = 3\n');
    const probe = { expressions: [], condition: undefined, expect: undefined };
    const lines = await ProbeLines.of(services, [
      { ...probe, id: 1, path: FILE, line: 1 },
      { ...probe, id: 2, path: FILE, line: 2 },
      { ...probe, id: 3, path: '/elsewhere.py', line: 2 },
    ]);
    assert.deepEqual([...(await lines.changed())], []);
    workspace.files.set(FILE, 'a = 1\nb = 2\nc = 4\n');
    assert.deepEqual([...(await lines.changed())], []);
    workspace.files.set(FILE, 'a = 1\nnew = 0\nb = 2\nc = 3\n');
    assert.deepEqual([...(await lines.changed())], [2]);
  });
});
