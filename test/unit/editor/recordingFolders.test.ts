import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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

/** Creates files in a folder until the folder is gone, for about a second at most. */
const WRITER = `
const fs = require('node:fs');
for (let file = 0; file < 20000; file += 1)
  try {
    fs.writeFileSync(process.argv[1] + '/' + file + '.jsonl', 'x');
    if (file === 300) fs.writeSync(1, 'writes');
  } catch (error) {
    process.exit(error.code === 'ENOENT' ? 0 : 1);
  }
process.exit(2);
`;

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

  it('are removed while a program goes on writing into them', async () => {
    const folders = new TemporaryRecordingFolders();
    for (let round = 0; round < 10; round += 1) {
      const folder = await folders.create();
      const writer = spawn(process.execPath, ['-e', WRITER, folder.path]);
      await once(writer.stdout, 'data');
      const ended = once(writer, 'exit');
      try {
        await folder.dispose();
        assert.ok(!existsSync(folder.path));
        assert.deepEqual(await ended, [0, null]);
      } finally {
        writer.kill();
      }
    }
    assert.deepEqual(
      readdirSync(privateFolder()).filter((name) => name.startsWith(`${process.pid}-`)),
      [],
    );
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
