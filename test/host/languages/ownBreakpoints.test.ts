import { strict as assert } from 'node:assert';
import { call, cleanUp, marked, stopOf, type Answer } from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';

const WAIT = { timeout_seconds: 120 };

/** Two programs of each language, and a condition that is never true. */
const PROGRAMS = [
  { name: 'Python', file: 'python/lines.py', other: 'python/scenario.py', never: 'False' },
  { name: 'Node', file: 'node/lines.js', other: 'node/scenario.js', never: 'false' },
] as const;

async function run(program: string, breakpoints: readonly object[] = []): Promise<Answer> {
  const answer = await call('start_debugging', { program, breakpoints, ...WAIT });
  assert.equal(answer.status, 'completed', JSON.stringify(answer));
  return answer;
}

for (const { name, file, other, never } of PROGRAMS) {
  describe(`breakpoints that the end of a program reports, in ${name}`, function () {
    this.timeout(300_000);

    before(function () {
      const language = LANGUAGES.find((each) => each.name === name);
      assert.ok(language);
      skipWhereMissing(this, language);
    });
    afterEach(cleanUp);

    it('do not include breakpoints of another program', async () => {
      const theirs = { file_path: other, line_number: marked(other, 'add'), condition: never };
      const first = await run(other, [theirs]);
      assert.equal((first['missed_breakpoints'] as object[]).length, 1, JSON.stringify(first));
      const second = await run(file);
      assert.equal(second['missed_breakpoints'], undefined, JSON.stringify(second));
      assert.doesNotMatch(String(second['hint']), /debugpy treats a condition/);
      const again = await run(other);
      assert.equal((again['missed_breakpoints'] as object[]).length, 1, JSON.stringify(again));
    });

    it('include a logpoint that printed nothing, and the start’s breakpoints have their state at the end', async () => {
      const at = (marker: string, log_message: string): object => ({
        file_path: file,
        line_number: marked(file, marker),
        log_message,
      });
      for (const round of [1, 2]) {
        const ended = await run(file, [at('done', 'logged at the end'), at('never', 'never said')]);
        const answerText = `run ${round}: ${JSON.stringify(ended)}`;
        const base = file.split('/').at(-1) ?? '';
        const [done, missed] = ended['breakpoints'] as {
          id: number;
          verified: boolean;
          line_text?: string;
          hits?: number;
        }[];
        assert.deepEqual(
          ended['missed_breakpoints'],
          [{ id: missed?.id, at: `${base}:${marked(file, 'never')}`, why: 'not_reached' }],
          answerText,
        );
        assert.deepEqual([done?.verified, missed?.verified], [true, true], answerText);
        assert.match(done?.line_text ?? '', /marker: done/, answerText);
        // debugpy does not report the logpoint that printed.
        assert.deepEqual([done?.hits, missed?.hits], [name === 'Node' ? 1 : undefined, undefined]);
      }
    });
  });
}

describe('conditions of another language', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  it('hide js-debug’s message about a Python condition, and show its message about a JavaScript condition', async () => {
    for (const [file, condition] of [
      ['python/lines.py', 'one is not None and two == "x"'],
      ['node/lines.js', 'one is not'],
    ] as const)
      await call('set_breakpoint', {
        file_path: file,
        line_number: marked(file, file.endsWith('.py') ? 'total' : 'sum'),
        condition,
      });
    const ended = await run('node/lines.js');
    const { lines } = await call('get_debug_output', { session_id: ended['session_id'] });
    const shown = JSON.stringify([ended['output'], lines]);
    assert.match(shown, /Syntax error setting breakpoint with condition [^,]*one is not/);
    assert.doesNotMatch(shown, /None/);
  });
});

describe('a column in a file that the program has not loaded', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  it('is not reported as the reason for the unbound breakpoint', async () => {
    const file = 'node/lines.js';
    const stopped = await call('start_debugging', {
      program: file,
      breakpoints: [{ file_path: file, line_number: marked(file, 'done') }],
      ...WAIT,
    });
    assert.equal(stopOf(stopped).line, marked(file, 'done'));
    const reasonAt = async (file_path: string, marker: string): Promise<unknown> => {
      const answer = await call('set_breakpoint', {
        file_path,
        line_number: marked(file_path, marker),
        column_number: 2,
      });
      const { bound } = answer['breakpoint'] as { bound?: { reason?: string }[] };
      return bound?.[0]?.reason;
    };
    assert.equal(await reasonAt('node/scenario.js', 'add'), 'not_loaded');
  });
});
