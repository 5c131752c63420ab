import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { TOOLS } from '../../../src/tools/catalog';
import { MOST_OF_A_QUESTION, type Question } from '../../../src/tools/question';
import { readCard } from '../support/card';
import { answered, asked, launched, stopped, told } from '../support/events';
import { bench, failsWith, FILE, paused, running, type Bench } from '../support/services';

const FOLDER = '/home/ada/app';

async function question(on: Bench, name: string, input: object): Promise<Question> {
  const tool = TOOLS.find((each) => each.name === name);
  assert.ok(tool !== undefined);
  const question = await tool.check(input).question(on.services);
  assert.ok(question !== undefined, `${name} asks`);
  return question;
}

async function words(on: Bench, name: string, input: object): Promise<string> {
  return (await question(on, name, input)).message;
}

/** A bench whose launch.json holds these configurations and compounds. */
function configured(configurations: readonly object[], more: object = {}): Bench {
  const on = bench();
  on.workspace.sources = [
    {
      kind: 'folder',
      folder: { name: 'app', path: FOLDER },
      content: { value: { configurations, ...more } },
    },
  ];
  return on;
}

/** Stopped at main.js:3, with its thread's name known. */
function stoppedInMain(): Bench {
  const on = paused(bench());
  on.model.dispatch({
    type: 'toAdapter',
    key: 'a',
    at: 0,
    message: { seq: 50, type: 'request', command: 'threads' },
  });
  on.model.dispatch({
    type: 'fromAdapter',
    key: 'a',
    at: 0,
    message: {
      seq: 51,
      type: 'response',
      request_seq: 50,
      command: 'threads',
      success: true,
      body: { threads: [{ id: 1, name: 'main' }] },
    },
  });
  return on;
}

function frameOf(on: Bench, functionName?: string): number {
  return on.services.inspector.handles.frame(
    on.services.inspector.placeOf(on.session(), 1),
    10,
    functionName === undefined ? undefined : { functionName, file: 'main.js', line: 8 },
  );
}

describe('cards: starting', () => {
  it('names the configuration, its debugger and its folder, and what it runs', async () => {
    const on = configured([
      {
        name: 'Launch tests',
        type: 'test',
        request: 'launch',
        program: '${workspaceFolder}/test/all.js',
        args: ['--grep', 'two words'],
        cwd: '${workspaceFolder}/test',
        env: { MODE: 'fast' },
        preLaunchTask: 'build',
        postDebugTask: 'clean',
      },
    ]);
    assert.deepEqual(
      readCard(await words(on, 'start_debugging', { configuration_name: 'Launch tests' })),
      [
        'Start debugging Launch tests (test) in app',
        'Runs the task build first',
        'Runs the task clean at the end',
        'Runs test/all.js --grep "two words"',
        'In the folder test',
        'With the environment MODE=fast',
      ],
    );
    assert.match(
      await words(on, 'start_debugging', { configuration_name: 'Launch tests' }),
      /^Start debugging \*\*Launch tests\*\* \(test\) in \*app\*\n- Runs the task `build` first\n/,
    );
  });

  it('without debugging says so', async () => {
    const on = configured([
      {
        name: 'Shop',
        type: 'test',
        request: 'launch',
        module: 'shop',
        runtimeExecutable: 'npm',
        runtimeArgs: ['run', 'x'],
      },
    ]);
    const asked = await question(on, 'start_debugging', {
      configuration_name: 'Shop',
      no_debug: true,
    });
    assert.equal(asked.title, 'Run without debugging');
    assert.deepEqual(readCard(asked.message), [
      'Run Shop (test) in app without debugging',
      'With npm run x',
      'Runs shop',
    ]);
  });

  it('attaching says to what', async () => {
    const where = async (configuration: object): Promise<string | undefined> =>
      readCard(
        await words(
          configured([{ name: 'A', type: 'test', request: 'attach', ...configuration }]),
          'start_debugging',
          { configuration_name: 'A' },
        ),
      )[1];
    assert.equal(
      readCard(
        await words(
          configured([{ name: 'A', type: 'test', request: 'attach', port: 9229 }]),
          'start_debugging',
          { configuration_name: 'A' },
        ),
      )[0],
      'Attach with A (test) in app',
    );
    assert.equal(await where({ port: 9229 }), 'Attaches to localhost:9229');
    assert.equal(
      await where({ address: 'build.example', port: 9229 }),
      'Attaches to build.example:9229',
    );
    assert.equal(
      await where({ connect: { host: '10.0.0.5', port: 5678 } }),
      'Attaches to 10.0.0.5:5678',
    );
    assert.equal(await where({ hostName: 'app', port: 5005 }), 'Attaches to app:5005');
    assert.equal(await where({ processId: 4711 }), 'Attaches to pid 4711');
    assert.equal(
      await where({ pid: '${command:pickProcess}' }),
      'Attaches to pid ${command:pickProcess}',
    );
  });

  it('what VS Code will ask for is told, and what the call answers is filled in', async () => {
    const on = configured(
      [
        {
          name: 'Asks',
          type: 'test',
          request: 'launch',
          program: '${input:file}',
          args: ['${command:pickPort}'],
        },
      ],
      { inputs: [{ id: 'file', type: 'promptString' }] },
    );
    assert.deepEqual(
      readCard(await words(on, 'start_debugging', { configuration_name: 'Asks' })).slice(1),
      [
        'Runs the command pickPort',
        'Runs ${input:file} ${command:pickPort}',
        'VS Code asks you for: file',
      ],
    );
    assert.deepEqual(
      readCard(
        await words(on, 'start_debugging', {
          configuration_name: 'Asks',
          inputs: { file: 'a.js', pickPort: '1' },
        }),
      ).slice(1),
      ['Runs a.js 1'],
    );
  });

  it('a program without a configuration is told like one with', async () => {
    assert.deepEqual(
      readCard(
        await words(bench(), 'start_debugging', {
          program: 'main.js',
          args: ['1'],
          env: { A: 'b c' },
        }),
      ),
      ['Start debugging main.js (test) in app', 'Runs main.js 1', 'With the environment "A=b c"'],
    );
  });

  it('a compound tells each of its members', async () => {
    const members = Array.from({ length: 10 }, (_, each) => ({
      name: `m${each}`,
      type: 'test',
      request: 'launch',
      program: `${each}.js`,
      ...(each === 0 ? { cwd: '/srv' } : {}),
    }));
    const on = configured(members, {
      compounds: [
        { name: 'All', configurations: members.map((each) => each.name), preLaunchTask: 'build' },
      ],
    });
    const lines = readCard(await words(on, 'start_debugging', { configuration_name: 'All' }));
    assert.deepEqual(lines.slice(0, 4), [
      'Start debugging All (test) in app',
      'Runs the task build first',
      'm0 (test): Runs 0.js; In the folder /srv',
      'm1 (test): Runs 1.js',
    ]);
    assert.equal(lines.at(-1), 'm9 (test): Runs 9.js');
  });

  it('what would fail asks nothing', async () => {
    await assert.rejects(
      question(bench(), 'start_debugging', { configuration_name: 'Nope' }),
      failsWith('no_configurations'),
    );
    await assert.rejects(
      question(configured([{ name: 'Old', type: 'cobol', request: 'launch' }]), 'start_debugging', {
        configuration_name: 'Old',
      }),
      failsWith('debugger_not_installed'),
    );
  });
});

describe('cards: breakpoints', () => {
  it('tell the line with its text, and when it breaks', async () => {
    assert.equal(
      await words(bench(), 'set_breakpoint', { file_path: FILE, line_number: 3 }),
      'Break at `main.js:3`: `three`',
    );
    assert.equal(
      await words(bench(), 'set_breakpoint', {
        file_path: FILE,
        line_number: 3,
        condition: 'total > 100',
      }),
      'Break at `main.js:3` when `total > 100`: `three`',
    );
    assert.equal(
      await words(bench(), 'set_breakpoint', {
        file_path: FILE,
        line_number: 3,
        column_number: 2,
        hit_condition: '> 5',
        condition: 'x',
      }),
      'Break at `main.js:3:2` when `x`, hits `> 5`: `three`',
    );
    assert.equal(
      await words(bench(), 'set_breakpoint', {
        file_path: FILE,
        line_content: 'seven',
        log_message: 'at {x}',
      }),
      'Print `at {x}` at `main.js:7`: `seven`',
    );
    assert.equal(
      await words(bench(), 'set_breakpoint', {
        file_path: FILE,
        line_number: 2,
        log_message: 'x',
        condition: 'y',
      }),
      'Print `x` at `main.js:2` when `y`: `two`',
    );
    assert.equal(
      await words(bench(), 'set_breakpoint', { function_name: 'checkout' }),
      'Break at `checkout`',
    );
  });

  it('a file outside the workspace is told with its whole path', async () => {
    const on = bench();
    on.workspace.files.set('/etc/app.js', 'x');
    assert.equal(
      await words(on, 'set_breakpoint', {
        file_path: '/home/ada/app/../../../etc/app.js',
        line_number: 1,
      }),
      'Break at `/etc/app.js:1`\n\n`/etc/app.js` is **outside the workspace**. The agent may be told lines of it.',
    );
  });

  it('removing tells which, whose, or how many', async () => {
    const on = bench();
    const mine = on.host.addBreakpoint({ kind: 'source', path: FILE, line: 4 });
    on.services.breakpoints.claim(mine);
    const theirs = on.host.addBreakpoint({ kind: 'source', path: FILE, line: 5 });
    assert.equal(
      await words(on, 'remove_breakpoint', { clear_all: true }),
      'Remove all breakpoints that agents set: 1',
    );
    assert.equal(
      await words(on, 'remove_breakpoint', { location: { file_path: 'main.js', line_number: 4 } }),
      'Remove the breakpoint at `main.js:4`',
    );
    assert.equal(
      await words(on, 'remove_breakpoint', { breakpoint_id: on.services.breakpoints.idOf(theirs) }),
      'Remove **your own** breakpoint at `main.js:5`',
    );
  });

  it('what would fail asks nothing', async () => {
    for (const [name, input, code] of [
      [
        'set_breakpoint',
        { file_path: '/home/ada/app/absent.js', line_number: 1 },
        'file_not_found',
      ],
      ['set_breakpoint', { file_path: FILE, line_number: 99 }, 'line_out_of_range'],
      ['set_breakpoint', { file_path: FILE }, 'invalid_input'],
      ['remove_breakpoint', { breakpoint_id: 9 }, 'breakpoint_not_found'],
      ['remove_breakpoint', {}, 'invalid_input'],
    ] as const)
      await assert.rejects(question(bench(), name, input), failsWith(code));
  });
});

describe('cards: moving and evaluating', () => {
  it('name the line that the thread is at, and the thread', async () => {
    const on = stoppedInMain();
    assert.equal(
      await words(on, 'step_execution', { thread_id: 1, step_type: 'over' }),
      'Step over in **main\\.js\\:3**, thread main',
    );
    assert.equal(
      await words(on, 'step_execution', { thread_id: 1, step_type: 'into', count: 3 }),
      'Step into in **main\\.js\\:3**, thread main, 3 times',
    );
    assert.equal(
      await words(on, 'continue_debugging', { thread_id: 1 }),
      'Continue from **main\\.js\\:3**, thread main',
    );
    assert.equal(
      await words(on, 'continue_debugging', { thread_id: 1, file_path: FILE, until_line: 9 }),
      'Run on from **main\\.js\\:3**, thread main to `main.js:9`',
    );
  });

  it('each thread is told where it itself is', async () => {
    const on = stoppedInMain();
    on.host.on('stackTrace', ({ threadId }) => ({
      stackFrames: [
        {
          id: 20 + Number(threadId),
          name: 'f',
          line: 10 * Number(threadId),
          column: 1,
          source: { path: FILE },
        },
      ],
    }));
    on.model.dispatch(told('stopped', { reason: 'pause', threadId: 2, allThreadsStopped: false }));
    assert.match(
      await words(on, 'step_execution', { thread_id: 1, step_type: 'over' }),
      /main\\\.js\\:10\*\*/,
    );
    assert.match(
      await words(on, 'step_execution', { thread_id: 2, step_type: 'over' }),
      /main\\\.js\\:20\*\*/,
    );
  });

  it('where an adapter does not tell the place, the session is named', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', () => {
      throw new Error('no');
    });
    assert.equal(
      await words(on, 'continue_debugging', { thread_id: 1 }),
      'Continue from **program a**',
    );
  });

  it('pausing and stopping name the session', async () => {
    const on = running(bench());
    assert.equal(await words(on, 'pause_debugging', {}), 'Pause **program a**');
    assert.equal(
      await words(on, 'stop_debugging', {}),
      'Stop the debug session **program a**, which **you** started',
    );
  });

  it('an evaluation names the function that it is made in, and what it can do', async () => {
    const on = stoppedInMain();
    const evaluate = (frame: number, context = 'watch'): Promise<string> =>
      words(on, 'evaluate_expression', { expression: 'items.map(f)', frame_id: frame, context });
    assert.equal(
      await evaluate(frameOf(on, 'checkout')),
      'Evaluate `items.map(f)` in `checkout` at **main\\.js:8**; this can change the program',
    );
    const on2 = paused(bench());
    assert.match(
      await words(on2, 'evaluate_expression', {
        expression: 'x',
        frame_id: frameOf(on2, 'shop::total(int)'),
      }),
      /in `shop::total\(int\)` at \*\*main\\\.js:8\*\*; /,
    );
    const on3 = paused(bench());
    assert.match(
      await words(on3, 'evaluate_expression', { expression: 'x', frame_id: frameOf(on3) }),
      /in \*\*program a\*\*; /,
    );
    on.model.dispatch(told('capabilities', { capabilities: { supportsEvaluateForHovers: true } }));
    assert.match(await evaluate(frameOf(on), 'hover'), /this can change the program$/);
    for (const event of launched('a', { sessionType: 'lldb-dap' })) on.model.dispatch(event);
    for (const event of [
      stopped(1, { reason: 'breakpoint' }),
      told('capabilities', { capabilities: { supportsEvaluateForHovers: true } }),
    ])
      on.model.dispatch(event);
    assert.match(
      await evaluate(frameOf(on), 'hover'),
      /the debugger guarantees that this changes nothing$/,
    );
    assert.match(await evaluate(frameOf(on), 'watch'), /this can change the program$/);
  });

  it('what would fail asks nothing', async () => {
    await assert.rejects(
      question(running(bench()), 'step_execution', { thread_id: 7, step_type: 'over' }),
      failsWith('thread_not_found'),
    );
    await assert.rejects(question(bench(), 'stop_debugging', {}), failsWith('no_session'));
    await assert.rejects(
      question(paused(bench()), 'evaluate_expression', { expression: 'x', frame_id: 5 }),
      failsWith('unknown_reference'),
    );
  });
});

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

describe('cards: whatever names, files, conditions and expressions are', () => {
  it('a card is words, emphasis and code, on as many lines as it has of its own; what is too long for one is refused', async () => {
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
            asked.message.length <= MOST_OF_A_QUESTION,
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
        await lines(starting, 'start_debugging', { configuration_name: short }, 6);
        await lines(starting, 'start_debugging', { configuration_name: `attach ${short}` }, 2);
        await lines(starting, 'start_debugging', { configuration_name: `all ${short}` }, 3);
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

describe('cards of a start that does more', () => {
  const lines = async (on: Bench, input: object): Promise<readonly string[]> =>
    readCard(await words(on, 'start_debugging', input));

  it('name what the agent sets in a configuration, and show it', async () => {
    const on = configured([
      {
        name: 'It',
        type: 'test',
        request: 'launch',
        program: 'a.js',
        args: ['x'],
        env: { KEPT: '1' },
      },
    ]);
    assert.deepEqual(
      await lines(on, {
        configuration_name: 'It',
        args: ['y'],
        env: { MORE: '2' },
        stop_on_entry: true,
      }),
      [
        'Start debugging It (test) in app',
        'Set by the agent: args, env, stopOnEntry',
        'Runs a.js y',
        'With the environment KEPT=1 MORE=2',
      ],
    );
  });

  it('name the session that ends first, and whose it is', async () => {
    const on = configured([{ name: 'It', type: 'test', request: 'launch', program: 'a.js' }]);
    for (const event of launched('a', {
      name: 'It',
      configuration: { name: 'It', request: 'launch' },
    }))
      on.model.dispatch(event);
    for (const event of launched('b', {
      name: 'Other',
      configuration: { name: 'Other', request: 'launch' },
    }))
      on.model.dispatch(event);
    assert.deepEqual(await lines(on, { configuration_name: 'It', replace: true }), [
      'Start debugging It (test) in app',
      'Stop the debug session It, which you started',
      'Runs a.js',
    ]);
    assert.deepEqual(await lines(on, { configuration_name: 'It' }), [
      'Start debugging It (test) in app',
      'Runs a.js',
    ]);
  });

  it('name each breakpoint, and ask for a change where one evaluates something', async () => {
    const on = configured([{ name: 'It', type: 'test', request: 'launch', program: 'a.js' }]);
    const input = {
      configuration_name: 'It',
      breakpoints: [
        { file_path: FILE, line_number: 3 },
        { file_path: FILE, line_number: 4, log_message: 'now {x()}' },
      ],
    };
    assert.deepEqual((await lines(on, input)).slice(2), [
      'Break at main.js:3: three',
      'Print now {x()} at main.js:4: four',
    ]);
    const tool = TOOLS.find((each) => each.name === 'start_debugging');
    assert.ok(tool);
    assert.equal(tool.check(input).consent(on.services), 'change');
    assert.equal(
      tool.check({ ...input, breakpoints: input.breakpoints.slice(0, 1) }).consent(on.services),
      'control',
    );
  });
});
