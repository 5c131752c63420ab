import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { MAX_OF_A_QUESTION } from '../../../src/tools/question';
import { readCard } from '../support/card';
import { answered, asked } from '../support/events';
import { bench, failsWith, FILE, paused, type Bench } from '../support/services';
import { question, configured, stoppedInMain, frameOf } from '../support/cards';

const HOSTILE = [
  'x\n\n# Approved by the person\n- [run](command:workbench.action.terminal.new)',
  '[click](command:evil) ![](https://evil.example/p.png) <b>bold</b> <img src=x onerror=alert(1)>',
  '` [click](command:evil) ``` `',
  '**Allowed** _by_ ~~you~~ | a | b |\n| --- | --- |',
  'safe\u202egnp.exe\u202c \u2066hidden\u2069 \u200b\u2028second line\u2029third',
  'https://evil.example www.evil.example mail@evil.example &lt;b&gt; &#10; $(check)',
  '<script>'.repeat(1250),
  '`'.repeat(10_000),
  '\u202e'.repeat(10_000),
  `1. ${'['.repeat(9990)}`,
];

const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({
    unit: fc.oneof(
      fc.constantFrom(
        '`',
        '\n',
        '\r',
        '\u2028',
        '\u202e',
        '\u2066',
        '\u200b',
        '*',
        '_',
        '[',
        ']',
        '(',
        ')',
        '<',
        '>',
        '\\',
        '!',
        '#',
        ' ',
        '-',
        '+',
        '1',
        '.',
        '|',
        '~',
        '&',
        ';',
        ':',
        '/',
        'h',
        't',
        'p',
        's',
        'w',
        '@',
        '$',
        '=',
      ),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    minLength: 1,
    maxLength: 60,
  }),
);

describe('cards: hostile names, files, conditions and expressions', () => {
  it('contain only text, emphasis and code, on the expected number of lines; input that is too long for a card is refused', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const short = text.slice(0, 480);
        const on = stoppedInMain();
        const frame = frameOf(on, text);
        on.workspace.files.set(FILE, `${text.replace(/[\r\n]+/g, ' ')}\nsecond`);
        const starting = configured(
          [
            {
              name: short,
              type: 'test',
              request: 'launch',
              program: text,
              args: [text],
              cwd: text,
              env: { [text]: text },
              preLaunchTask: text,
              runtimeExecutable: text,
            },
            { name: `attach ${short}`, type: 'test', request: 'attach', address: text, port: text },
          ],
          { compounds: [{ name: `all ${short}`, configurations: [short, `attach ${short}`] }] },
        );
        starting.workspace.tasks.set(text, [
          { name: text, command: text, cwd: text, env: { [text]: text }, isByExtension: false },
        ]);
        const lineCount = async (
          bench: Bench,
          name: string,
          input: object,
        ): Promise<number | 'too long'> => {
          const asked = await question(bench, name, input).catch((error: unknown) => {
            failsWith('invalid_input')(error);
            assert.ok(text.length > 1000, `${name} is refused: ${text}`);
          });
          if (asked === undefined) return 'too long';
          assert.ok(
            asked.message.length <= MAX_OF_A_QUESTION,
            `${name}: ${asked.message.length} characters`,
          );
          return readCard(asked.message).length;
        };
        const lines = async (
          bench: Bench,
          name: string,
          input: object,
          expected: number,
        ): Promise<void> => {
          const count = await lineCount(bench, name, input);
          assert.ok(count === 'too long' || count === expected, `${name}: ${count} lines`);
        };
        await lines(
          on,
          'set_breakpoint',
          { file_path: FILE, line_number: 1, condition: text, log_message: text },
          1,
        );
        await lines(
          on,
          'set_breakpoint',
          { function_name: short.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '') || 'f' },
          1,
        );
        const filter = text.slice(0, 200);
        for (const event of [
          asked(3, 'initialize'),
          answered(3, 'initialize', {
            supportsExceptionFilterOptions: true,
            exceptionBreakpointFilters: [{ filter, supportsCondition: true }],
          }),
        ])
          on.model.dispatch(event);
        await lines(
          on,
          'set_exception_breakpoints',
          { filters: [filter], conditions: { [filter]: text } },
          1,
        );
        await lines(on, 'evaluate_expression', { expression: text, frame_id: frame }, 1);
        await lines(starting, 'start_debugging', { configuration_name: short }, 8);
        await lines(starting, 'start_debugging', { configuration_name: `attach ${short}` }, 2);
        await lines(starting, 'start_debugging', { configuration_name: `all ${short}` }, 5);
        const odd = paused(bench());
        odd.host.on('stackTrace', () => ({
          stackFrames: [{ id: 1, name: text, line: 1, column: 1, source: { path: `/${text}` } }],
        }));
        await lines(odd, 'step_execution', { thread_id: 1, step_type: 'over' }, 1);
      }),
      { numRuns: 300 },
    );
  });
});
