import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { TOOLS } from '../../../../src/tools/catalog';
import { prepareCall, runTool } from '../../../../src/tools/run';
import { readCard } from '../../support/card';
import { answered, asked } from '../../support/events';
import { bench, failsWith, FILE, running, type Bench } from '../../support/services';

const FOLDER = '/home/ada/app';

/** A bench whose launch.json holds this one configuration, named `It`. */
function configured(configuration: object, more: object = {}): Bench {
  const on = bench();
  on.workspace.sources = [
    {
      kind: 'folder',
      folder: { name: 'app', path: FOLDER },
      content: {
        value: {
          configurations: [{ name: 'It', type: 'test', request: 'launch', ...configuration }],
          ...more,
        },
      },
    },
  ];
  return on;
}

async function card(
  on: Bench,
  input: object = { configuration_name: 'It' },
  name = 'start_debugging',
): Promise<readonly string[]> {
  const tool = TOOLS.find((each) => each.name === name);
  assert.ok(tool);
  const question = await tool.check(input).question(on.services);
  return readCard(question?.message ?? '');
}

/** What a call refuses, whether it is prepared or made at once. */
async function refusal(on: Bench, input: object): Promise<Record<string, unknown>> {
  await assert.rejects(card(on, input), failsWith('invalid_input'));
  const tool = TOOLS.find((each) => each.name === 'start_debugging');
  assert.ok(tool);
  const answer = await runTool(tool, input, on.services, on.call);
  assert.equal(answer['code'], 'invalid_input', JSON.stringify(answer));
  assert.equal(on.host.started.length, 0, 'nothing was started');
  return answer;
}

describe('cards: what VS Code makes of a configuration', () => {
  const everywhere = (section: object): object => ({
    linux: section,
    osx: section,
    windows: section,
  });

  it('the section of the operating system replaces what stands beside it', async () => {
    const on = configured({
      program: 'good.js',
      args: ['a'],
      env: { A: '1' },
      ...everywhere({ program: 'evil.js', env: { NODE_OPTIONS: '--require ./x.js' } }),
    });
    assert.deepEqual(await card(on), [
      'Start debugging It (test) in app',
      'With the environment "NODE_OPTIONS=--require ./x.js"',
      'Runs evil.js a',
    ]);
  });

  it('what is started is what the card showed: merged, without the sections', async () => {
    const on = configured({
      program: 'good.js',
      ...everywhere({ program: 'evil.js', preLaunchTask: 'build', type: 'test' }),
    });
    assert.deepEqual(await card(on), [
      'Start debugging It (test) in app',
      'Runs the task build first',
      'Runs evil.js',
    ]);
    const tool = TOOLS.find((each) => each.name === 'start_debugging');
    assert.ok(tool);
    await runTool(tool, { configuration_name: 'It', timeout_seconds: 1 }, on.services, on.call);
    const [started] = on.host.started;
    assert.deepEqual(
      [started?.['program'], started?.['linux'], started?.['osx'], started?.['windows']],
      ['evil.js', undefined, undefined, undefined],
    );
  });

  it('a section that names another debugger is refused where that is not installed', async () => {
    await assert.rejects(
      card(configured({ program: 'good.js', ...everywhere({ type: 'cobol' }) })),
      failsWith('debugger_not_installed'),
    );
  });

  it('where a folder’s settings are put in, what they hold is shown', async () => {
    const on = configured({ program: '${config:app.main}', args: ['${env:EXTRA}'] });
    on.workspace.values.set('config:app.main', 'evil.js');
    on.workspace.values.set('env:EXTRA', '--x');
    assert.deepEqual(
      await card(on),
      ['Start debugging It (test) in app', 'Runs evil.js ${env:EXTRA}'],
      'an environment variable may be secret',
    );
    on.workspace.values.set('env:EXTRA', '--x=${command:evil.run}');
    assert.deepEqual(await card(on), [
      'Start debugging It (test) in app',
      'Runs the command evil.run',
      'Runs evil.js --x=${command:evil.run}',
    ]);
  });

  it('a command that a setting brings in is shown, since VS Code runs it', async () => {
    const on = configured({ program: 'a.js', args: ['${config:app.more}'] });
    on.workspace.values.set('config:app.more', '${config:app.deep}');
    on.workspace.values.set('config:app.deep', '${command:evil.run}');
    assert.deepEqual(await card(on), [
      'Start debugging It (test) in app',
      'Runs the command evil.run',
      'Runs a.js ${command:evil.run}',
    ]);
    on.workspace.values.set('config:app.deep', '${config:app.more}');
    assert.deepEqual(
      (await card(on)).at(-1),
      'Runs a.js ${config:app.more}',
      'settings that name each other end',
    );
  });
});

describe('a launch.json that changes at any moment', () => {
  it('what is started is what was asked about, or nothing', async () => {
    const tool = TOOLS.find((each) => each.name === 'start_debugging');
    assert.ok(tool);
    const input = { configuration_name: 'It', timeout_seconds: 1 };
    const started: unknown[] = [];
    for (let evilAt = 0; evilAt < 12; evilAt += 1) {
      const on = configured({ program: 'good.js' });
      const [good, evil] = [
        on.workspace.sources,
        configured({ program: 'evil.js' }).workspace.sources,
      ];
      const { prepared } = await prepareCall(tool, input, on.services, () => false);
      let reads = 0;
      on.workspace.launchSources = async () => {
        reads += 1;
        return reads - 1 === evilAt ? evil : good;
      };
      await runTool(tool, input, on.services, { ...on.call, prepared });
      started.push(...on.host.started.map((each) => each['program']));
    }
    assert.ok(started.length > 0);
    assert.deepEqual(new Set(started), new Set(['good.js']));
  });
});

describe('texts that are made to keep VS Code busy', () => {
  const soon = async (action: () => Promise<unknown>): Promise<void> => {
    // Time of the processor: the machine may be busy with something else.
    const started = process.cpuUsage();
    await action();
    const milliseconds = process.cpuUsage(started).user / 1000;
    assert.ok(milliseconds < 5000, `${Math.round(milliseconds)} ms`);
  };

  it('of an agent: any number of braces', async () => {
    for (const text of [
      '${'.repeat(5000),
      '${a:'.repeat(2500),
      `${'${'.repeat(3000)}${'}'.repeat(3000)}`,
      '{'.repeat(10_000),
    ]) {
      await soon(
        async () =>
          await assert.rejects(
            card(bench(), { program: FILE, args: new Array<string>(1000).fill(text) }),
            failsWith('invalid_input'),
          ),
      );
    }
  });

  it('of a project: settings that name each other twice', async () => {
    const on = configured({ program: '${config:a0}' });
    for (let level = 0; level < 60; level += 1)
      on.workspace.values.set(
        `config:a${level}`,
        `\${config:a${level + 1}}\${config:a${level + 1}}`,
      );
    await soon(async () => await assert.rejects(card(on), failsWith('invalid_input')));
  });

  it('of a project: a long chain of settings', async () => {
    const on = configured({ program: '${config:a0}' });
    for (let level = 0; level < 50_000; level += 1)
      on.workspace.values.set(`config:a${level}`, `\${config:a${level + 1}}`);
    await soon(async () => await assert.rejects(card(on), failsWith('invalid_input')));
  });
});

describe('cards: commands that run', () => {
  it('those of the configuration, by the names that run', async () => {
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

  it('those of an input of the type “command”, with its arguments', async () => {
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

  it('an input that only VS Code’s settings define is shown, too', async () => {
    const on = configured({ program: '${input:x}' });
    on.workspace.inputs = [{ id: 'x', type: 'command', command: 'evil.run' }];
    assert.deepEqual((await card(on))[1], 'Runs the command evil.run');
  });
});

describe('variables in what an agent passes', () => {
  const VARIABLES = [
    '${command:evil}',
    '${input:x}',
    '${env:HOME}',
    '${config:a.b}',
    '${workspaceFolder}',
    '${workspaceFolder:app}',
    '${file}',
    '${userHome}',
    '${selectedText}',
    '${pathSeparator}',
    '${/}',
    '${extensionInstallFolder:a.b}',
    '${defaultBuildTask}',
    '${foo${command:evil}}',
  ];

  for (const variable of VARIABLES) {
    it(`${variable} is refused wherever it stands`, async () => {
      const text = `before ${variable} after`;
      for (const input of [
        { args: ['ok', text] },
        { env: { A: text } },
        { env: { [text]: '1' } },
        { cwd: `/tmp/${text}` },
      ]) {
        const on = bench();
        const { message, hint } = await refusal(on, { program: FILE, ...input });
        assert.ok(
          String(message).includes(variable.startsWith('${foo') ? '${command:' : variable),
          String(message),
        );
        assert.match(String(hint), /plain value/);
      }
      await refusal(configured({ program: '${input:x}' }), {
        configuration_name: 'It',
        inputs: { x: text },
      });
    });
  }

  it('a program whose path holds one is refused', async () => {
    const on = bench();
    on.workspace.files.set('/home/ada/app/${command:evil}.js', 'x');
    await refusal(on, { program: '${command:evil}.js' });
  });

  it('a value that only becomes a variable where it is put in is refused', async () => {
    await refusal(configured({ program: '$${input:x}' }), {
      configuration_name: 'It',
      inputs: { x: '{command:evil}' },
    });
    await refusal(configured({ program: '${input:x}${input:y}' }), {
      configuration_name: 'It',
      inputs: { x: '$', y: '{command:evil}' },
    });
  });

  it('what VS Code leaves as it is passes: shell and program text', async () => {
    const args = [
      '${name}',
      '${HOME}',
      '${1:-x}',
      '$HOME',
      '${',
      '}',
      '`${a.b()}`',
      '${filename}',
      '${Command:x}',
    ];
    assert.deepEqual(
      (await card(bench(), { program: FILE, args }))[1]?.startsWith('Runs main.js ${name} ${HOME}'),
      true,
    );
  });
});

describe('cards: what can run code comes first, and nothing of it is cut', () => {
  const long = 'x'.repeat(3000);

  it('tasks, runtimes, the debugger’s own commands and telling variables stand above the program', async () => {
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

  it('of several that could be run, each is named', async () => {
    assert.deepEqual(
      (
        await card(
          configured({ program: 'a.js', module: 'evil', python: 'py', runtimeExecutable: 'node' }),
        )
      ).slice(1),
      ['With node', 'python: py', 'Runs a.js', 'module: evil'],
    );
  });

  it('every member of a compound is shown', async () => {
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
        compounds: [{ name: 'All', configurations: configurations.map((each) => each.name) }],
      },
    );
    assert.equal((await card(on, { configuration_name: 'All' })).at(-1), 'm11 (test): Runs 11.js');
  });

  it('a configuration that is too long to be shown is refused', async () => {
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

  it('whatever a property is called and holds, its text is on the card', async () => {
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

describe('cards: expressions, conditions and messages in full', () => {
  const hidden = `${'a'.repeat(150)}, require('fs').writeFileSync('/tmp/x', ''), ${'b'.repeat(1500)}`;

  it('up to a few thousand characters, the middle included', async () => {
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

  it('line ends are shown as such, so that no comment swallows what follows it', async () => {
    assert.deepEqual(
      await card(
        bench(),
        { file_path: FILE, line_number: 1, condition: 'x // harmless\nevil()\u202e' },
        'set_breakpoint',
      ),
      ['Break at main.js:1 when x // harmless ⏎ evil()\\u{202e}: one'],
    );
  });

  it('beyond, the call is refused: nobody can approve what is not shown', async () => {
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

  it('a function’s name with control characters is none', async () => {
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
