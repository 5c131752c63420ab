import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '../../../src/util/freePort';

describe('the free port of a seed', () => {
  it('is the same for the same seed', async () => {
    assert.equal(await freePort('/tmp/window-1/a'), await freePort('/tmp/window-1/a'));
  });

  it('differs for the same test in two windows', async () => {
    assert.notEqual(await freePort('/tmp/window-1/a'), await freePort('/tmp/window-2/a'));
  });

  it('is another one while something listens at it', async () => {
    const before = await freePort('/tmp/window-3/a');
    const server = createServer().listen(before, '127.0.0.1');
    await once(server, 'listening');
    try {
      assert.equal(await freePort('/tmp/window-3/a'), before + 1);
    } finally {
      server.close();
      await once(server, 'close');
    }
    assert.equal(await freePort('/tmp/window-3/a'), before);
  });

  it('is below the ports that operating systems assign', async () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const port = await freePort(`seed ${seed}`);
      assert.ok(port >= 20_000 && port < 32_000, String(port));
    }
  });
});
