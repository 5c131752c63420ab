import { strict as assert } from 'node:assert';
import { call, cleanUp, marked, stopOf } from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';

const TEST = 'python/test_cart.py';
const WAIT = { timeout_seconds: 120 };

describe('a failing Python test', function () {
  this.timeout(300_000);
  const python = LANGUAGES.find((each) => each.name === 'Python');

  before(function () {
    assert.ok(python);
    skipWhereMissing(this, python);
  });
  beforeEach(async () => {
    await call('set_exception_breakpoints', {});
  });
  afterEach(async () => {
    await cleanUp();
    await call('set_exception_breakpoints', {});
  });

  it('stops at its assertion when its file is started, and the answer names the filters', async () => {
    const answer = await call('start_debugging', { program: TEST, ...WAIT });
    const stop = stopOf(answer);
    assert.equal(
      stop.exception?.own_frame?.line_number ?? stop.line,
      marked(TEST, 'assertion'),
      JSON.stringify(answer),
    );
    assert.deepEqual(answer['exception_filters'], [{ filters: ['userUnhandled', 'uncaught'] }]);
  });

  it('is reported with the filter that would have stopped at it, and that filter stops at it', async () => {
    const ended = await call('start_debugging', { configuration_name: 'Python tests', ...WAIT });
    const last =
      ended.status === 'stopped'
        ? await call('continue_debugging', { thread_id: stopOf(ended).thread_id, ...WAIT })
        : ended;
    assert.equal(last.status, 'completed', JSON.stringify(last));
    assert.match(
      String(ended['hint'] ?? last['hint']),
      /A test seems to have failed.*filters \["userUnhandled"\]/,
      JSON.stringify([ended, last]),
    );
    await call('set_exception_breakpoints', { filters: ['userUnhandled'], type: 'debugpy' });
    const stop = stopOf(
      await call('start_debugging', { configuration_name: 'Python tests', ...WAIT }),
    );
    assert.equal(stop.exception?.own_frame?.line_number ?? stop.line, marked(TEST, 'assertion'));
  });
});
