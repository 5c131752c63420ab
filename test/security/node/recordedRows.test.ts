import { strict as assert } from 'node:assert';
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { TemporaryRecordingFolders } from '../../../src/editor/recordingFolders';
import { RecordingReader } from '../../../src/recording/recordingReader';
import { longestBlock, slowness } from '../../support/processor';

const MEGABYTE = 1024 * 1024;

/** A row of a hit, as a program can write it itself, and a file that is full of them. */
const ROW = `${JSON.stringify([1, 1, 'main', 1, 1, null, false, [['x']], null])}\n`;
const BEGUN = `${JSON.stringify(['b', 1])}\n`;
const rows = (bytes: number): string => ROW.repeat(Math.ceil(bytes / ROW.length));

describe('a program that writes rows of its own', () => {
  it('fills one budget with all its files, and blocks nothing', async function () {
    this.timeout(60_000);
    const folder = await new TemporaryRecordingFolders().create();
    const reader = new RecordingReader(folder, 100);
    try {
      for (const name of ['1-a.jsonl', '2-b.jsonl', '3-c.jsonl'])
        writeFileSync(path.join(folder.path, name), BEGUN + rows(30 * MEGABYTE));
      let bytes = 0;
      const read = folder.read.bind(folder);
      folder.read = async function* () {
        for await (const part of read()) {
          bytes += part.lines.reduce((sum, line) => sum + line.length + 1, 0);
          yield part;
        }
      };
      const longest = await longestBlock(async () => await reader.settle());
      assert.ok(bytes > 30 * MEGABYTE && bytes <= 32 * MEGABYTE, String(bytes));
      assert.ok(longest < 250 || longest / slowness() < 250, `${longest} ms`);
      assert.deepEqual([reader.data.hits.length, reader.data.isFull], [100, true]);
      assert.equal(reader.data.gaps.lost > 0, true);
    } finally {
      reader.dispose();
      await folder.dispose();
    }
  });

  it('cannot pass the budget with further rows, and what is missing is reported once', async () => {
    const folder = await new TemporaryRecordingFolders(undefined, 2000).create();
    const reader = new RecordingReader(folder, 1_000_000);
    try {
      const file = path.join(folder.path, '1-a.jsonl');
      writeFileSync(file, BEGUN + rows(1000));
      await reader.settle();
      const { length } = reader.data.hits;
      assert.deepEqual([length > 10, reader.data.isFull], [true, false]);
      for (let round = 0; round < 3; round += 1) {
        appendFileSync(file, rows(1500));
        await reader.settle();
      }
      assert.deepEqual(
        [reader.data.hits.length, reader.data.isFull, reader.data.gaps.lost],
        [length, true, 1],
      );
    } finally {
      reader.dispose();
      await folder.dispose();
    }
  });
});
