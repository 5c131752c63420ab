import { strict as assert } from 'node:assert';
import { CaptureWriter } from '../../../src/investigation/captureWriter';
import { decode, type CaptureEvent } from '../../../src/investigation/events';
import type { GrowingFile } from '../../../src/investigation/files';
import { NO_SCRUB, REAL_SCRUB } from './support';

class MemoryFile implements GrowingFile {
  text = '';
  isClosed = false;
  onAppend: () => void = () => undefined;

  async append(text: string): Promise<void> {
    assert.ok(!this.isClosed);
    this.text += text;
    this.onAppend();
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  get events(): readonly CaptureEvent[] {
    return this.text.split('\n').slice(0, -1).map(decode);
  }
}

describe('a capture that is being written', () => {
  it('has one event for each line of each stream, however the output is split', async () => {
    const file = new MemoryFile();
    const writer = new CaptureWriter(file, NO_SCRUB, { now: () => 7 });
    await writer.accept('stdout', 'one\ntw');
    await writer.accept('stderr', 'Error: three\n');
    await writer.accept('stdout', 'o\nfour');
    const stats = await writer.finish();
    assert.deepEqual(
      file.events.map(({ msg, level }) => [msg, level]),
      [
        ['one', 'info'],
        ['Error: three', 'error'],
        ['two', 'info'],
        ['four', 'info'],
      ],
    );
    assert.ok(file.isClosed);
    assert.deepEqual([stats.events, stats.errors, stats.firstErrors], [4, 1, ['Error: three']]);
    assert.equal(stats.bytes, Buffer.byteLength(file.text));
  });

  it('is on the disk before the run has ended', async () => {
    const file = new MemoryFile();
    const seen = new Promise<void>((resolve) => {
      file.onAppend = resolve;
    });
    const writer = new CaptureWriter(file, NO_SCRUB);
    await writer.accept('stdout', 'early\n');
    await seen;
    assert.equal(file.events[0]?.msg, 'early');
    await writer.finish();
  });

  it('contains no credential, no e-mail address and no match of the person’s own patterns', async () => {
    const file = new MemoryFile();
    const writer = new CaptureWriter(file, REAL_SCRUB);
    const key = `ghp_${'a1B2'.repeat(9)}`;
    await writer.accept('stdout', `token ${key}\nmail ada@example.com\nhost internal-17\n`);
    await writer.accept('stdout', `{"level":"info","msg":"password","kv":{"k":"${key}"}}\n`);
    await writer.finish();
    assert.ok(
      !file.text.includes(key) && !file.text.includes('ada@') && !file.text.includes('internal-17'),
      file.text,
    );
    assert.equal(file.events.length, 4);
  });

  it('contains no private key, even if its lines arrive one by one', async () => {
    const file = new MemoryFile();
    const writer = new CaptureWriter(file, REAL_SCRUB);
    const body = Array.from(
      { length: 20 },
      (_, index) => `${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'.repeat(2)}${index}`,
    );
    for (const line of [
      '-----BEGIN PRIVATE KEY-----',
      ...body,
      '-----END PRIVATE KEY-----',
      'after',
    ])
      await writer.accept('stdout', `${line}\n`);
    await writer.finish();
    assert.ok(!file.text.includes('MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'), file.text.slice(0, 500));
    assert.equal(file.events.at(-1)?.msg, 'after');
  });

  it('keeps its beginning and its end within the limit, and reports the number of dropped events', async () => {
    const file = new MemoryFile();
    const writer = new CaptureWriter(file, NO_SCRUB, { mostBytes: 20_000 });
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index}\n`).join('');
    await writer.accept('stdout', lines);
    const stats = await writer.finish();
    const { events } = file;
    assert.equal(events[0]?.msg, 'line 0');
    assert.equal(events.at(-1)?.msg, 'line 9999');
    assert.equal(stats.events, 10_000);
    assert.equal(stats.dropped, 10_000 - (events.length - 1));
    assert.ok(events.some(({ kv }) => kv['dropped'] === stats.dropped));
  });

  it('keeps a line of many megabytes whole, in parts', async () => {
    const file = new MemoryFile();
    const writer = new CaptureWriter(file, NO_SCRUB);
    const piece = 'x'.repeat(1024 * 1024);
    for (let count = 0; count < 5; count += 1) await writer.accept('stdout', piece);
    await writer.accept('stdout', '\nnext\n');
    await writer.finish();
    const parts = file.events.filter(({ msg }) => msg.startsWith('x'));
    assert.equal(
      parts.reduce((sum, { msg }) => sum + msg.length, 0),
      5 * piece.length,
    );
    assert.deepEqual(parts.map(({ kv }) => kv['part']).slice(0, 3), [1, 2, 3]);
  });
});
