import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { ScratchFolders } from '../../../src/editor/scratchFolders';

const NAMES = Array.from({ length: 12 }, (_, index) => `run-${index}`);

describe('the temporary folders of test runs', () => {
  let folders: ScratchFolders;
  beforeEach(() => {
    folders = new ScratchFolders();
  });
  afterEach(() => folders.dispose());

  const rootOf = (scratch: ScratchFolders): string => path.dirname(scratch.pathOf('x'));

  it('can be created and removed by several calls at once, each with its own files', async () => {
    await Promise.all(
      NAMES.map((name) => folders.make(name, { 'reporter.js': name, 'other.txt': 'x' })),
    );
    assert.deepEqual(
      await Promise.all(NAMES.map((name) => folders.read(name, 'reporter.js'))),
      NAMES,
    );
    if (process.platform !== 'win32') assert.equal(statSync(rootOf(folders)).mode & 0o077, 0);
    const [last = '', ...others] = NAMES;
    await Promise.all(others.map((name) => folders.remove(name)));
    assert.deepEqual(readdirSync(rootOf(folders)), [last]);
    await folders.remove(last);
    assert.ok(!existsSync(rootOf(folders)));
  });

  it('are created for a call that begins while the last folder is being removed', async () => {
    for (const name of NAMES) {
      await folders.make('before', { 'a.txt': 'before' });
      await Promise.all([folders.remove('before'), folders.make(name, { 'a.txt': name })]);
      assert.equal(await folders.read(name, 'a.txt'), name);
      await Promise.all([folders.make(name, { 'a.txt': 'again' }), folders.make('b', {})]);
      assert.equal(await folders.read(name, 'a.txt'), 'again', 'the same name again is made anew');
      await Promise.all([folders.remove('b'), folders.remove(name)]);
      assert.ok(!existsSync(rootOf(folders)));
    }
  });

  it('of two windows are separate', async () => {
    const other = new ScratchFolders();
    try {
      await Promise.all([
        folders.make('run', { 'a.txt': 'one' }),
        other.make('run', { 'a.txt': 'two' }),
      ]);
      await folders.remove('run');
      assert.equal(await folders.read('run', 'a.txt'), undefined);
      assert.equal(await other.read('run', 'a.txt'), 'two');
    } finally {
      other.dispose();
    }
  });
});
