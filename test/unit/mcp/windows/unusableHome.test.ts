import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { answering, TestWindows } from '../../support/mcpWindows';
import { ROOT } from '../../support/trace';

const MAIN = path.join(ROOT, 'out/src/mcp/stdio/main.js');
const REASON =
  /the folder .+ cannot be created \((?:EEXIST|ENOTDIR)\)\. .+ the environment variable AGENT_DEBUGGER_HOME\.$/;

/** Root can write to any folder, so the test creates a file with the name of the folder. */
describe('a home folder that cannot be written', () => {
  let all: TestWindows;
  beforeEach(async () => {
    all = new TestWindows();
    await all.prepare();
    writeFileSync(all.home, 'a file');
  });
  afterEach(async () => await all.end());

  it('keeps the server from starting, with an error that says how to fix it; the server starts once the file is removed', async () => {
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

  it('ends the stdio bridge with one line that says how to fix it', async () => {
    const [code, out, err] = await new Promise<readonly [unknown, string, string]>((resolve) => {
      // The input stays open, as with a client.
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
