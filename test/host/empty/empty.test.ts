import { strict as assert } from 'node:assert';
import path from 'node:path';
import { call, cleanUp, errorOf, stopOf } from '../support/client';

const program = path.resolve(__dirname, '../../../../test/fixtures/node/src/loop.js');

describe('a window without a folder', () => {
  afterEach(cleanUp);

  it('reports that no folder is open, also for a relative path', async () => {
    errorOf(await call('get_debugger_configurations', {}), 'no_folder');
    errorOf(await call('start_debugging', { configuration_name: 'Loop' }), 'no_folder');
    errorOf(await call('set_breakpoint', { file_path: 'loop.js', line_number: 1 }), 'no_folder');
  });

  it('still debugs a program by its absolute path', async () => {
    await call('set_breakpoint', { file_path: program, line_number: 4 });
    const stop = stopOf(await call('start_debugging', { program }));
    assert.equal(stop.line, 4);
  });
});
