import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { privateFolder } from '../../../src/editor/privateFolder';
import { TemporaryRecordingFolders } from '../../../src/editor/recordingFolders';
import type { RecordingFolder } from '../../../src/recording/recordingFiles';

/** All lines that were written since the last call. */
async function linesIn(folder: RecordingFolder): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const { lines } of folder.read()) all.push(...lines);
  return all;
}

describe('recording folders', () => {
  it('can be read whatever a program writes into them', async () => {
    const folder = await new TemporaryRecordingFolders().create();
    try {
      const file = path.join(folder.path, '1-a.jsonl');
      writeFileSync(file, '\n'.repeat(1_000_000));
      mkdirSync(path.join(folder.path, '2-b.jsonl'));
      assert.deepEqual(await linesIn(folder), []);
      writeFileSync(file, '["b",1]\n[1,', { flag: 'a' });
      assert.deepEqual(await linesIn(folder), ['["b",1]']);
      writeFileSync(file, '"l",0]\n', { flag: 'a' });
      assert.deepEqual(await linesIn(folder), ['[1,"l",0]']);
    } finally {
      await folder.dispose();
    }
    assert.ok(!existsSync(folder.path));
  });

  it('are removed if the extension host that created them has ended', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const folders = [
      [`${pid}-abcDEF`, false],
      [`${pid}-${randomUUID()}`, false],
      [`${process.pid}-abcDEF`, true],
      [`${pid}-abcDEF-x`, true],
    ].map(([name, stays]) => ({
      folder: path.join(privateFolder(), String(name)),
      stays,
    }));
    try {
      for (const { folder } of folders) mkdirSync(folder);
      await new TemporaryRecordingFolders().removeLeft();
      for (const { folder, stays } of folders) assert.equal(existsSync(folder), stays, folder);
    } finally {
      for (const { folder } of folders) rmSync(folder, { recursive: true, force: true });
    }
  });
});
