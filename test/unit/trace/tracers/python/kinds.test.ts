import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { skip } from '../../../../support/skip';
import { PYTHON, RECORDERS } from '../../../support/recorderRuns';

/** What `compare.py` prints for each kind. */
interface Compared {
  readonly kind: string;
  readonly ends: string;
  readonly ended: string;
  /** The lines, each with its variables. */
  readonly lines: readonly unknown[];
  readonly recorded: readonly unknown[];
  readonly isOver: boolean;
}

/** Other versions of Python to compare with, as paths. */
const OTHERS = (process.env['AGENT_DEBUGGER_PYTHONS'] ?? '')
  .split(path.delimiter)
  .filter((python) => python !== '');

/** The number of kinds that each version has, at least. */
const LEAST = 95;

function compared(python: string): readonly Compared[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-'));
  const script = path.resolve('test/fixtures/pythonKinds/compare.py');
  const args = ['-B', script, path.join(RECORDERS, 'python'), path.join(folder, 'rows')];
  try {
    const { status, stdout, stderr } = spawnSync(python, args, { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    assert.equal(stderr, '');
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Compared);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the recorder of a Python call', function () {
  this.timeout(240_000);

  for (const python of [PYTHON, ...OTHERS])
    it(`sees what sys.settrace sees, and how the call ends, in each kind: ${python}`, function () {
      if (!existsSync(python)) skip(this, `needs ${python}`);
      const kinds = compared(python);
      assert.ok(kinds.length >= LEAST, String(kinds.length));
      for (const { kind, ends, ended, lines, recorded, isOver } of kinds) {
        assert.equal(ended, ends, kind);
        assert.deepEqual(recorded, lines, kind);
        assert.ok(isOver, `${kind}: the recorder is removed`);
      }
    });
});
