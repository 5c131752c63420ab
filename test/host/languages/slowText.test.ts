import { strict as assert } from 'node:assert';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { call, cleanUp, stopOf, type StopData } from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';
import { stoppedIn } from './stoppedProgram';

/** A value whose text takes longer than anybody waits. */
const PROGRAM = [
  'import time',
  'class Lazy:',
  '    def __init__(self, n): self.n = n',
  '    def __repr__(self):',
  '        time.sleep(300)',
  '        return "Lazy"',
  'def work(items, name):',
  '    count = len(items)',
  '    return count  # stop here',
  'print(work([Lazy(n) for n in range(50)], "Ada"))',
];

describe('a value whose text takes minutes', function () {
  this.timeout(300_000);
  let folder = '';

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-')));
  });
  afterEach(async () => {
    await cleanUp();
    rmSync(folder, { recursive: true });
  });

  it('Python: is named as the cause, is not waited for again, and does not keep the program alive', async function () {
    skipWhereMissing(this, LANGUAGES[1] ?? assert.fail());
    const stop = await stoppedIn(folder, 'slow.py', PROGRAM);
    assertNamed(stop);
    const before = performance.now();
    assertNamed(stopOf(await call('wait_for_stop', { session_id: stop.session_id })));
    const again = performance.now() - before;
    assert.ok(again < 5000, `the next call took ${again} ms`);
    const ending = performance.now();
    const ended = await call('stop_debugging', { session_id: stop.session_id });
    const took = performance.now() - ending;
    assert.equal(ended.status, 'success', JSON.stringify(ended));
    assert.equal(ended['ended'], true, JSON.stringify(ended));
    assert.ok(took < 4000, `stop_debugging took ${took} ms`);
  });
});

/** The line and the stack are shown, and why the variables are not. debugpy answers nothing while it makes a text. */
function assertNamed(stop: StopData): void {
  assert.match(JSON.stringify(stop.unreadable), /did not answer the request “variables”/);
}
