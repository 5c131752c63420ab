import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { generated } from '../../scripts/generate';
import { ROOT } from './support/trace';

describe('generated files', () => {
  it('are up to date (if not, run npm run generate)', async function () {
    // Two seconds of work, which is long on a busy machine.
    this.timeout(120_000);
    const files = await generated();
    assert.ok(files.size > 0);
    const stale = [...files]
      .filter(([file, content]) => readFileSync(path.join(ROOT, file), 'utf8') !== content)
      .map(([file]) => file);
    assert.deepEqual(stale, []);
  });
});
