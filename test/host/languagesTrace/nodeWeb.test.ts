import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { skip } from '../../support/skip';
import { call, cleanUp } from '../support/client';
import { ask } from './asking';
import { assertEnds, installed, tracedWhileServing } from './webTracing';

describe('a traced Node call that Express makes', function () {
  this.timeout(900_000);
  before(function () {
    if (!existsSync(installed('test-runners/node_modules/express')))
      skip(this, 'needs npm run test-runners:setup');
  });
  afterEach(cleanUp);

  it('is recorded while the application serves others, and the session stops cleanly', async () => {
    const file = 'web/express_app.js';
    const started = await call('start_debugging', {
      ...{ program: file, args: [installed('test-runners')] },
      ...{ output_pattern: 'ready \\d+', timeout_seconds: 60 },
    });
    const port = Number(/ready (\d+)/.exec(JSON.stringify(started))?.[1]);
    const paused = { staysPaused: true } as const;
    const requests = await tracedWhileServing(port, file, [
      {
        ...paused,
        ...{ name: 'plain', path: '/plain?page=3', lines: 6, returned: /^7$/, rounds: 10 },
        shows: ['twice = 6', 'twice: 6 → 7', 'response.statusMessage = "OK"'],
      },
      {
        ...paused,
        ...{ name: 'slow', path: '/slow?page=3', lines: 7, returned: /^7$/, rounds: 10 },
        shows: ['twice = 6', 'twice: 6 → 7', 'response.statusMessage = "OK"'],
      },
      {
        ...paused,
        name: 'refused',
        path: '/refused',
        lines: 2,
        threw: /^RangeError/,
        shows: ['threw'],
      },
    ]);
    assert.equal(await ask(port, '/log'), String(requests));
    await assertEnds();
  });
});
