import { strict as assert } from 'node:assert';
import { call, cleanUp, marked, stopOf, type StopData } from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';
import { WAIT } from './stoppedProgram';

const PROGRAM = 'python/slow_text.py';

/** Rounds until the calls are quick. */
const MAX_ROUNDS = 3;

/** Whether a call after the stop, and the end of the program, have taken less than five and four seconds. */
function areQuick(calls: readonly number[], ends: readonly number[]): boolean {
  return Math.min(...calls) < 5000 && Math.min(...ends) < 4000;
}

/** Returns the milliseconds that an action takes. */
async function timed(action: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await action();
  return performance.now() - begun;
}

describe('a value whose text takes minutes', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  it('Python: is named as the cause, is not waited for again, and does not keep the program alive', async function () {
    skipWhereMissing(this, LANGUAGES[1] ?? assert.fail());
    // The quickest of some: on a machine that does other work, single calls take long.
    const [calls, ends]: [number[], number[]] = [[], []];
    for (let round = 0; round < MAX_ROUNDS && !areQuick(calls, ends); round += 1) {
      await call('set_breakpoint', { file_path: PROGRAM, line_number: marked(PROGRAM, 'slow') });
      const stop = stopOf(await call('start_debugging', { program: PROGRAM, ...WAIT }));
      assertNamed(stop);
      calls.push(
        await timed(async () => {
          assertNamed(stopOf(await call('wait_for_stop', { session_id: stop.session_id })));
        }),
      );
      ends.push(
        await timed(async () => {
          const ended = await call('stop_debugging', { session_id: stop.session_id });
          assert.equal(ended.status, 'success', JSON.stringify(ended));
          assert.equal(ended['ended'], true, JSON.stringify(ended));
        }),
      );
      await cleanUp();
    }
    assert.ok(
      areQuick(calls, ends),
      `the next call took ${calls.join()} ms, stop_debugging ${ends.join()} ms`,
    );
  });
});

/** The line and the stack are shown, and why the variables are not. debugpy answers nothing while it makes a text. */
function assertNamed(stop: StopData): void {
  assert.match(JSON.stringify(stop.unreadable), /did not answer the request “variables”/);
}
