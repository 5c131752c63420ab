import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { answered, asked } from '../../support/events';
import { bench, failsWith, FILE, running, type Bench } from '../../support/services';
import { configured, card } from '../../support/launchCards';

/** A session whose adapter offers exception filters that take conditions. */
function offering(filters: readonly string[]): Bench {
  const on = running(bench());
  const exceptionBreakpointFilters = filters.map((filter) => ({
    filter,
    label: filter,
    supportsCondition: true,
  }));
  for (const event of [
    asked(3, 'initialize'),
    answered(3, 'initialize', { supportsExceptionFilterOptions: true, exceptionBreakpointFilters }),
  ])
    on.model.dispatch(event);
  return on;
}

describe('cards: commands that run', () => {
  it('show the commands of the configuration, by the names that run', async () => {
    const on = configured({
      program: '${command:AskForProgram}',
      env: { '${command:in.key}': '1' },
    });
    on.workspace.commands = { AskForProgram: 'test.askForProgram' };
    assert.deepEqual((await card(on)).slice(1, 3), [
      'Runs the command test.askForProgram',
      'Runs the command in.key',
    ]);
  });

  it('show the command of an input of the type “command”, with its arguments', async () => {
    const inputs = [
      { id: 'x', type: 'promptString' },
      { id: 'x', type: 'command', command: 'evil.run', args: { file: '/etc/passwd' } },
    ];
    assert.deepEqual(
      (await card(configured({ program: '${input:x}' }, { inputs })))[1],
      'Runs the command evil.run with {"file":"/etc/passwd"}',
      'of several with one id, VS Code takes the last',
    );
    assert.deepEqual(
      await card(configured({ program: '${input:x}' }, { inputs }), {
        configuration_name: 'It',
        inputs: { x: 'a.js' },
      }),
      ['Start debugging It (test) in app', 'Runs a.js'],
    );
  });

  it('show the command of an input that only VS Code’s settings define, too', async () => {
    const on = configured({ program: '${input:x}' });
    on.workspace.inputs = [{ id: 'x', type: 'command', command: 'evil.run' }];
    assert.deepEqual((await card(on))[1], 'Runs the command evil.run');
  });
});

describe('cards: attributes that can run code', () => {
  const long = 'x'.repeat(3000);

  it('show tasks, runtimes, the debugger’s own commands and sensitive variables above the program', async () => {
    const on = configured({
      program: 'a.js',
      cwd: '/srv',
      preLaunchTask: 'build',
      postDebugTask: 'clean',
      runtimeExecutable: './node',
      runtimeArgs: ['--require', './x.js'],
      initCommands: ['platform shell rm -rf x', 'second'],
      pipeTransport: { pipeProgram: './evil' },
      envFile: '.env',
      serverReadyAction: { action: 'startDebugging', name: 'Other' },
      env: { A: long, NODE_OPTIONS: '--require ./evil.js', B: long, LD_PRELOAD: './evil.so' },
      stopOnEntry: true,
      skipFiles: ['<node_internals>/**'],
      newFangled: { deep: 'value' },
    });
    assert.deepEqual(await card(on), [
      'Start debugging It (test) in app',
      'What the task build runs is not known before it starts',
      'What the task clean runs is not known before it starts',
      'Runs the task build first',
      'Runs the task clean at the end',
      'With ./node --require ./x.js',
      'With the environment "NODE_OPTIONS=--require ./evil.js" LD_PRELOAD=./evil.so',
      'initCommands: "platform shell rm -rf x" second',
      'pipeTransport: {"pipeProgram":"./evil"}',
      'envFile: .env',
      'serverReadyAction: {"action":"startDebugging","name":"Other"}',
      'Runs a.js',
      'In the folder /srv',
      `With the environment A=${long} B=${long}`,
      'newFangled: {"deep":"value"}',
    ]);
  });

  it('name each of several attributes that could be run', async () => {
    assert.deepEqual(
      (
        await card(
          configured({ program: 'a.js', module: 'evil', python: 'py', runtimeExecutable: 'node' }),
        )
      ).slice(1),
      ['With node', 'python: py', 'Runs a.js', 'module: evil'],
    );
  });

  it('show every member of a compound', async () => {
    const configurations = Array.from({ length: 12 }, (_, index) => ({
      name: `m${index}`,
      type: 'test',
      request: 'launch',
      program: `${index}.js`,
    }));
    const on = configured(
      {},
      {
        configurations,
        compounds: [
          {
            name: 'All',
            configurations: configurations.map((configuration) => configuration.name),
          },
        ],
      },
    );
    assert.equal((await card(on, { configuration_name: 'All' })).at(-1), 'm11 (test): Runs 11.js');
  });

  it('are refused for a configuration that is too long to show', async () => {
    await assert.rejects(
      card(configured({ program: 'a.js', runtimeArgs: ['-e', 'x'.repeat(100_000)] })),
      failsWith('invalid_input'),
    );
    await assert.rejects(
      card(
        configured({
          program: 'a.js',
          ...Object.fromEntries(
            Array.from({ length: 50 }, (_, index) => [`command${index}`, 'x'.repeat(1000)]),
          ),
        }),
      ),
      failsWith('invalid_input'),
    );
  });

  it('show the text of every property, whatever its name and value', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[a-z]{12,20}$/),
        fc.stringMatching(/^[a-z]{1,400}$/),
        async (name, value) => {
          for (const nested of [value, [value], { a: [value] }])
            assert.ok(
              (await card(configured({ program: 'a.js', [name]: nested }))).some(
                (line) => line.includes(name) && line.includes(value),
              ),
              name,
            );
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('cards: expressions, conditions and messages in full', () => {
  const hidden = `${'a'.repeat(150)}, require('fs').writeFileSync('/tmp/x', ''), ${'b'.repeat(1500)}`;

  it('show up to a few thousand characters, including the middle', async () => {
    for (const input of [{ condition: hidden }, { log_message: hidden }])
      assert.ok(
        (await card(bench(), { file_path: FILE, line_number: 1, ...input }, 'set_breakpoint'))
          .join()
          .includes(hidden),
      );
    assert.ok(
      (
        await card(
          offering(['raised']),
          { filters: ['raised'], conditions: { raised: hidden } },
          'set_exception_breakpoints',
        )
      )
        .join()
        .includes(hidden),
    );
    assert.ok(
      (await card(bench(), { function_name: `f${'x'.repeat(400)}g` }, 'set_breakpoint'))
        .join()
        .includes('x'.repeat(400)),
    );
  });

  it('show line ends as signs, so that no comment hides the text after it', async () => {
    assert.deepEqual(
      await card(
        bench(),
        { file_path: FILE, line_number: 1, condition: 'x // harmless\nevil()\u202e' },
        'set_breakpoint',
      ),
      ['Break at main.js:1 when x // harmless ⏎ evil()\\u{202e}: one'],
    );
  });

  it('are refused beyond that limit: nobody can approve text that is not shown', async () => {
    for (const input of [{ condition: 'x'.repeat(9000) }, { log_message: 'x'.repeat(9000) }])
      await assert.rejects(
        card(bench(), { file_path: FILE, line_number: 1, ...input }, 'set_breakpoint'),
        failsWith('invalid_input'),
      );
    const conditions = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`f${index}`, 'x'.repeat(2000)]),
    );
    await assert.rejects(
      card(
        offering(Object.keys(conditions)),
        { filters: Object.keys(conditions), conditions },
        'set_exception_breakpoints',
      ),
      failsWith('invalid_input'),
    );
  });

  it('are refused for a function name with control characters', async () => {
    for (const character of [
      '\n',
      '\r',
      '\u0000',
      '\u001b',
      '\u007f',
      '\u0085',
      '\u2028',
      '\u2029',
    ])
      await assert.rejects(
        card(bench(), { function_name: `main${character}x` }, 'set_breakpoint'),
        failsWith('invalid_input'),
        JSON.stringify(character),
      );
  });
});
