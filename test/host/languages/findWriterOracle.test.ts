import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { z } from 'zod';
import { toolPath } from '../../support/toolchain';
import { needs } from '../languagesTrace/tracing';
import { call, cleanUp, inWorkspace, stopOf, switchLive, type Answer } from '../support/client';
import { WAIT } from './stoppedProgram';

const FOLDER = 'live/python/oracle';
const PROGRAM = `${FOLDER}/algorithms.py`;

/** The line that last wrote each value, by the line of the stop. `null`: no line did. */
const answers = z.record(z.string(), z.record(z.string(), z.int().nullable()));

/** Asks Python's own trace function. */
function oracle(): z.infer<typeof answers> {
  const args = [inWorkspace(`${FOLDER}/oracle.py`), inWorkspace(PROGRAM)];
  const { status, stdout, stderr } = spawnSync(toolPath('python'), args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return answers.parse(JSON.parse(stdout));
}

interface Writer extends Answer {
  readonly sure?: string;
  readonly at?: string;
  readonly candidates?: readonly { readonly at: string }[];
}

describe('find_writer and a trace function', function () {
  this.timeout(1_200_000);
  before(() => switchLive(true));
  afterEach(cleanUp);
  after(() => switchLive(false));

  it('agree about the last write of variables, elements and members', async function () {
    needs(this, 'Python');
    const truth = Object.entries(oracle());
    for (const [line] of truth)
      await call('set_breakpoint', { file_path: PROGRAM, line_number: Number(line) });
    let stop = stopOf(await call('start_debugging', { program: PROGRAM, ...WAIT }));
    const wrong: string[] = [];
    const seen: string[] = [];
    for (const [index, [line, values]] of truth.entries()) {
      assert.equal(stop.line, Number(line));
      for (const [expression, writer] of Object.entries(values)) {
        const found: Writer = await call('find_writer', { expression, max_seconds: 290 });
        assert.equal(found.status, 'success', JSON.stringify(found));
        const text = `${line} ${expression}: ${writer}, ${JSON.stringify(found)}`;
        const isRight = found.at === `${PROGRAM}:${writer}`;
        if (found.sure === 'seen') (isRight ? seen : wrong).push(text);
        // Another line may have assigned the same value once more, but something has written it.
        else if (found.sure === 'none' && writer !== null) wrong.push(text);
      }
      if (index < truth.length - 1) stop = stopOf(await call('continue_debugging', WAIT));
    }
    assert.deepEqual(wrong, []);
    const all = truth.flatMap(([, values]) => Object.keys(values)).length;
    // The others are not `seen`: the last line assigned the same value once more, or several moments are alike.
    assert.ok(seen.length >= all * 0.6, `${seen.length} of ${all}:\n${seen.join('\n')}`);
  });
});
