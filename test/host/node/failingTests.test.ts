import { strict as assert } from 'node:assert';
import path from 'node:path';
import { call, cleanUp, marked, stopOf } from '../support/client';

const NODE_TEST = 'tests/cart.test.js';
const MOCHA_TEST = 'tests/mochaCart.test.js';
const MOCHA = path.resolve(__dirname, '../../../../node_modules/mocha/bin/mocha.js');
const WAIT = { timeout_seconds: 120 };

describe('a failing Node test', function () {
  this.timeout(300_000);
  beforeEach(async () => {
    await call('set_exception_breakpoints', {});
  });
  afterEach(async () => {
    await cleanUp();
    await call('set_exception_breakpoints', {});
  });

  it('stops at its assertion when its file is started, and the answer names the filters', async () => {
    const answer = await call('start_debugging', { program: NODE_TEST, ...WAIT });
    const stop = stopOf(answer);
    assert.equal(stop.reason, 'exception');
    assert.equal(
      stop.exception?.own_frame?.line_number ?? stop.line,
      marked(NODE_TEST, 'node assertion'),
      JSON.stringify(answer),
    );
    const [chosen] = answer['exception_filters'] as {
      filters: string[];
      conditions: Record<string, string>;
    }[];
    assert.deepEqual(chosen?.filters, ['all', 'uncaught']);
    const state = await call('get_debug_state', {});
    assert.equal(
      (state['exception_filters'] as { session_id?: string }[])[0]?.session_id !== undefined,
      true,
      JSON.stringify(state),
    );
    await call('stop_debugging', {});
    assert.equal(
      (await call('get_debug_state', {}))['exception_filters'],
      undefined,
      'for that session only',
    );
  });

  it('stops at its assertion under mocha when mocha’s script is started', async () => {
    const answer = await call('start_debugging', {
      program: MOCHA,
      args: ['--no-config', '--timeout', '0', MOCHA_TEST],
      ...WAIT,
    });
    const stop = stopOf(answer);
    assert.equal(
      stop.exception?.own_frame?.line_number ?? stop.line,
      marked(MOCHA_TEST, 'mocha assertion'),
      JSON.stringify(answer),
    );
  });

  it('is reported with the filter that would have stopped at it', async () => {
    const answer = await call('start_debugging', { configuration_name: 'Failing test', ...WAIT });
    assert.equal(answer.status, 'completed', JSON.stringify(answer));
    assert.match(
      String(answer['hint']),
      /A test seems to have failed.*filters \["all"\].*AssertionError.*skipFiles must not contain <node_internals>/,
    );
  });

  it('keeps the filters that the agent chose itself', async () => {
    await call('set_exception_breakpoints', { filters: [] });
    const answer = await call('start_debugging', { program: NODE_TEST, ...WAIT });
    assert.equal(answer.status, 'completed', JSON.stringify(answer));
    assert.equal(answer['exception_filters'], undefined);
  });
});
