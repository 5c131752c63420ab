import { strict as assert } from 'node:assert';
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { call, cleanUp, inWorkspace, marked, stopOf } from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';

/** After report 07: runtimes name files by their real paths, or by the link, whichever way the person went. */
describe('files that are reached through a link', function () {
  this.timeout(300_000);
  let folder = '';
  const linked = (file: string): string => path.join(folder, 'link', file);

  before(function () {
    skipIfMissing(this, 'Python');
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-')));
    symlinkSync(inWorkspace(''), linked(''));
  });
  after(() => {
    if (folder !== '') rmSync(folder, { recursive: true });
  });
  afterEach(cleanUp);

  for (const [name, file, [one, other, returned]] of [
    ['Node', 'node/lines.js', ['1', '2', '3']],
    ['Python', 'python/lines.py', ['2', '3', '5']],
  ] as const)
    it(`${name}: a stop knows its breakpoint, and a trace is of the function`, async () => {
      const program = linked(file);
      const breakpoints = [
        { file_path: program, line_number: marked(file, name === 'Node' ? 'sum' : 'total') },
      ];
      const started = await call('start_debugging', { program, breakpoints });
      const stop = stopOf(started);
      assert.equal(stop.hit_breakpoint_ids?.length, 1, JSON.stringify(started));
      assert.equal(started['missed_breakpoints'], undefined);
      await cleanUp();
      const traced = await call('trace_function', {
        function_name: 'add',
        file_path: program,
        program,
      });
      assert.deepEqual(traced['arguments'], { one, other }, JSON.stringify(traced));
      assert.equal(traced['returned'], returned, JSON.stringify(traced));
    });

  it('Python: a failed test has its place and the frames of the project', async () => {
    const failed = await call('debug_test', {
      file_path: linked('tests/python/test_cart.py'),
      test_name: 'TestCart > test_finds',
    });
    assert.equal(failed['outcome'], 'failed', JSON.stringify(failed));
    const at = failed['at'] as { readonly file_path?: string } | undefined;
    assert.match(at?.file_path ?? '', /tests.python.\w*cart\.py$/, JSON.stringify(failed));
    assert.ok((failed['frames'] as unknown[] | undefined)?.length, JSON.stringify(failed));
  });
});

function skipIfMissing(context: Mocha.Context, name: string): void {
  const language = LANGUAGES.find((each) => each.name === name);
  if (language !== undefined) skipWhereMissing(context, language);
}
