import { strict as assert } from 'node:assert';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { call, cleanUp, inWorkspace } from '../../host/support/client';
import { longestBlock, slowness } from '../../support/processor';

/** A file of blank lines and what else made patterns slow, in each language. 50 kB blocked the window for 15.7 s once. */
const FILES: Readonly<Record<string, string>> = {
  'blank_test.py': '\n'.repeat(50_000),
  'imports_test.py': 'import \n'.repeat(7000),
  'BlankTest.java': '\n'.repeat(50_000),
  'ImportsTest.java': 'import org.junit.\n'.repeat(3000),
  'blank_test.cc': '\n'.repeat(50_000),
  'includes_test.cc': '#include <a>\n'.repeat(4000),
  'blank_test.go': '\n'.repeat(50_000),
  'blank_test.rs': '\n'.repeat(50_000),
  'blank.test.js': '\n'.repeat(50_000),
  'blank.test.ts': '\n'.repeat(50_000),
};

/** Milliseconds of processor time on the machine on which `slowness` is 1. The other extensions are part of it. */
const MAX_BLOCKED = 1000;

describe('a project with a long file', () => {
  before(() => {
    mkdirSync(inWorkspace('long'), { recursive: true });
    for (const [name, text] of Object.entries(FILES))
      writeFileSync(inWorkspace(`long/${name}`), text);
  });
  after(async () => {
    await cleanUp();
    rmSync(inWorkspace('long'), { recursive: true, force: true });
  });

  for (const name of Object.keys(FILES))
    it(`does not stop the window by ${name}`, async function () {
      this.timeout(60_000);
      let outcome: unknown;
      const longest = await longestBlock(async () => {
        const answer = await call('debug_test', { file_path: `long/${name}`, line: 3 });
        outcome = answer['outcome'] ?? answer['code'];
      });
      // No file contains a test. A runner may be asked for one, and a project file is missing.
      assert.match(String(outcome), /not_found|errored/);
      assert.ok(longest < MAX_BLOCKED || longest / slowness() < MAX_BLOCKED, `${longest} ms`);
    });
});
