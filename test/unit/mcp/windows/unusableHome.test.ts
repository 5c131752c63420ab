import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { answering, TestWindows } from '../../support/mcpWindows';
import { ROOT } from '../../support/trace';

const MAIN = path.join(ROOT, 'out/src/mcp/stdio/main.js');
const REASON =
  /the folder .+ cannot be made \((?:EEXIST|ENOTDIR)\)\. .+ the variable AGENT_DEBUGGER_HOME\.$/;

/** A folder that cannot be written to is no such thing for root: a file stands in its place. */
describe('a home folder in which nothing can be written', () => {
  let all: TestWindows;
  beforeEach(async () => {
    all = new TestWindows();
    await all.prepare();
    writeFileSync(all.home, 'a file');
  });
  afterEach(async () => await all.end());

  it('the server does not start and says what to do; the file stays, and without it all is well', async () => {
    const { window } = all.make('one');
    await window.start({ fromOthers: true });
    const { state } = window;
    assert.ok(state.kind === 'failed' && state.error instanceof Error);
    assert.match(state.error.message, REASON);
    assert.equal(state.isPortTaken, false);
    assert.equal(readFileSync(all.home, 'utf8'), 'a file');
    rmSync(all.home);
    await window.start({ fromOthers: true });
    assert.equal(await answering(await all.connect()), 'one');
  });

  it('the stdio bridge ends with one line that says what to do', async () => {
    const [code, out, err] = await new Promise<readonly [unknown, string, string]>((resolve) => {
      // Its input stays open, as a client's does.
      execFile(
        process.execPath,
        [MAIN],
        { env: { AGENT_DEBUGGER_HOME: all.home }, timeout: 30_000 },
        (error, stdout, stderr) => resolve([error?.code, stdout, stderr]),
      );
    });
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /^Agent Debugger: [^\n]+\n$/);
    assert.match(err.trimEnd(), REASON);
  });
});
