import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { encode } from '../../../src/investigation/events';
import { analyze } from '../../../src/investigation/readCapture';
import { kept, removeFolders } from './support';

const FILE = 'logs/capture.ndjson';

describe('a capture on the disk', () => {
  afterEach(removeFolders);

  it('is analyzed even if it is cut off or contains lines that are not events', async () => {
    const { root, investigations, files } = kept();
    const { sid } = await investigations.start('x');
    const whole = encode({
      ts: 1,
      level: 'error',
      module: 'a.js',
      func: 'f',
      msg: 'Error: early',
      kv: {},
    });
    mkdirSync(path.join(root, sid, 'logs'));
    writeFileSync(
      path.join(root, sid, FILE),
      Buffer.concat([
        Buffer.from(`${whole}null\n[1]\n{"level":3,"msg":{},"kv":"x"}\n`),
        Buffer.from([0xff, 0xfe, 0x00, 0x0a]),
        Buffer.from(whole.slice(0, 30)),
      ]),
    );
    const analysis = await analyze(files, sid, FILE);
    assert.deepEqual([analysis.events, analysis.errors], [6, 1]);
    assert.equal(analysis.windows[0]?.title, 'Error: early');
  });

  it('that does not exist is empty', async () => {
    const { investigations, files } = kept();
    const { sid } = await investigations.start('x');
    assert.equal((await analyze(files, sid, FILE)).events, 0);
  });
});
