import { strict as assert } from 'node:assert';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  call,
  cleanUp,
  errorOf,
  marked,
  stopOf,
  until,
  type VariableData,
} from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';

const WAIT = { timeout_seconds: 120 };

interface Line {
  readonly text: string;
  readonly category?: string;
  readonly variables_reference?: number;
}

/** Rounds until an answer has the output of its expression. */
const MAX_ROUNDS = 20;

describe('the output of a program', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  for (const name of ['Python', 'Node']) {
    it(`${name}: is read from the integrated terminal`, async function () {
      const language = LANGUAGES.find((each) => each.name === name);
      assert.ok(language);
      skipWhereMissing(this, language);
      await call('set_breakpoint', {
        file_path: language.source,
        line_number: marked(language.source, 'inside'),
      });
      const stop = stopOf(
        await call('start_debugging', { configuration_name: `${name} terminal`, ...WAIT }),
      );
      await call('remove_breakpoint', { clear_all: true });
      assert.equal(
        (
          await call('continue_debugging', {
            session_id: stop.session_id,
            thread_id: stop.thread_id,
            ...WAIT,
          })
        ).status,
        'completed',
      );
      const prints = (lines: readonly Line[]): boolean =>
        lines.some(
          (each) => each.category === 'terminal' && language.prints.test(each.text.trim()),
        );
      const sessions = (await call('get_debug_state', { session_id: stop.session_id }))[
        'sessions'
      ] as { session_id: string; parent?: string }[];
      // js-debug requests the terminal in the parent session.
      const printing =
        sessions.find((each) => each.session_id === stop.session_id)?.parent ?? stop.session_id;
      // The text of a terminal arrives by another way than the adapter's messages, and a little later.
      await until(
        (model) =>
          [...model.state.sessions.values()].some(
            (each) => each.id === printing && prints(model.output(each).read({ since: 0 })),
          ),
        'the terminal’s output',
      );
      const output = await call('get_debug_output', { session_id: printing, category: 'terminal' });
      assert.ok(prints(output['lines'] as Line[]), JSON.stringify(output));
      assert.equal(output['message'], undefined);
    });
  }

  for (const [name, expression, prints] of [
    ['Node', 'console.log(`seen ${n}`)', 'seen 1'],
    ['Python', 'print(f"seen {n}")', 'seen 1'],
  ] as const) {
    it(`${name}: is reported once with the answer if an expression prints it`, async function () {
      const language = LANGUAGES.find((each) => each.name === name);
      assert.ok(language);
      skipWhereMissing(this, language);
      await call('set_breakpoint', {
        file_path: language.source,
        line_number: marked(language.source, 'inside'),
      });
      const stop = stopOf(await call('start_debugging', { configuration_name: name, ...WAIT }));
      const [frame] = stop.call_stack;
      assert.ok(frame);
      const evaluate = async (text: string): Promise<unknown> => {
        const place = { frame_id: frame.frame_id, session_id: stop.session_id };
        const answer = await call('evaluate_expression', { expression: text, ...place });
        assert.equal(answer.status, 'success', JSON.stringify(answer));
        return answer['output'];
      };
      // An answer has what the adapter has reported by then. On a machine that does other work, the next one has it.
      for (let round = 0; ; round += 1) {
        const [first, next] = [await evaluate(expression), await evaluate('n + 1')];
        const all = [first, next].filter((each) => each !== undefined);
        assert.deepEqual(all, [[prints]], JSON.stringify([first, next]));
        if (first !== undefined) break;
        assert.ok(round < MAX_ROUNDS, 'no answer has the output');
      }
    });
  }

  it('has logged objects that can be expanded until the program goes on', async () => {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-')));
    try {
      const file = path.join(folder, 'logs.js');
      writeFileSync(
        file,
        "console.log('person', { name: 'Ada', deep: { list: [1, 2, 3] } });\nconsole.log('plain');\nlet a = 1; // stop\na += 1;\nconsole.log(a);\n",
      );
      await call('set_breakpoint', { file_path: file, line_number: 3 });
      const stop = stopOf(await call('start_debugging', { program: file, ...WAIT }));
      const lines = (await call('get_debug_output', { session_id: stop.session_id }))[
        'lines'
      ] as Line[];
      const logged = lines.find((each) => each.text.includes('person'));
      assert.ok((logged?.variables_reference ?? 0) > 0, JSON.stringify(lines));
      assert.equal(lines.find((each) => each.text === 'plain')?.variables_reference, undefined);
      const parts = (
        await call('get_variables', { variables_reference: logged?.variables_reference, depth: 4 })
      )['variables'] as VariableData[];
      assert.match(JSON.stringify(parts), /\(3\) \[1, 2, 3\].*'Ada'/s);
      stopOf(
        await call('step_execution', {
          session_id: stop.session_id,
          thread_id: stop.thread_id,
          step_type: 'over',
        }),
      );
      errorOf(
        await call('get_variables', { variables_reference: logged?.variables_reference }),
        'stale_reference',
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
