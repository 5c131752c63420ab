import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { TemporaryRecordingFolders } from '../../../src/editor/recordingFolders';

describe('the folders that recorders write to', () => {
  it('are read whatever a program puts into them', async () => {
    const folder = await new TemporaryRecordingFolders().create();
    try {
      const file = path.join(folder.path, '1-a.jsonl');
      writeFileSync(file, '\n'.repeat(1_000_000));
      mkdirSync(path.join(folder.path, '2-b.jsonl'));
      const [first, second] = await folder.read();
      assert.equal(first?.lines.length, 1_000_000);
      assert.deepEqual(second?.lines, []);
      writeFileSync(file, '["b",1]\n[1,', { flag: 'a' });
      assert.deepEqual((await folder.read())[0]?.lines, ['["b",1]']);
      writeFileSync(file, '"l",0]\n', { flag: 'a' });
      assert.deepEqual((await folder.read())[0]?.lines, ['[1,"l",0]']);
    } finally {
      await folder.dispose();
    }
    assert.ok(!existsSync(folder.path));
  });

  it('are removed where the extension host that made them is gone', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const [left, mine, other] = [`${pid}-abcDEF`, `${process.pid}-abcDEF`, `${pid}-abcDEF-x`].map(
      (name) => path.join(os.tmpdir(), `agent-debugger-${name}`),
    );
    assert.ok(left !== undefined && mine !== undefined && other !== undefined);
    try {
      for (const each of [left, mine, other]) mkdirSync(each);
      await new TemporaryRecordingFolders().removeLeft();
      assert.deepEqual([left, mine, other].map(existsSync), [false, true, true]);
    } finally {
      for (const each of [left, mine, other]) rmSync(each, { recursive: true, force: true });
    }
  });
});
