import { strict as assert } from 'node:assert';
import { ALL_TOOLS } from '../../../../src/tools/catalog';
import { prepareCall, runTool } from '../../../../src/tools/run';
import { bench, failsWith, FILE, type Bench } from '../../support/services';
import { configured, card } from '../../support/launchCards';

/** The refusal of a call, which fails both when it is prepared and when it runs. */
async function refusal(on: Bench, input: object): Promise<Record<string, unknown>> {
  await assert.rejects(card(on, input), failsWith('invalid_input'));
  const tool = ALL_TOOLS.find((candidate) => candidate.name === 'start_debugging');
  assert.ok(tool);
  const answer = await runTool(tool, input, on.services, on.call);
  assert.equal(answer['code'], 'invalid_input', JSON.stringify(answer));
  assert.equal(on.host.started.length, 0, 'nothing was started');
  return answer;
}

describe('cards: a configuration as VS Code resolves it', () => {
  const everywhere = (section: object): object => ({
    linux: section,
    osx: section,
    windows: section,
  });

  it('show the values in the section of the operating system instead of those outside it', async () => {
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

  it('show the configuration that is started: merged, without the sections', async () => {
    const on = configured({
      program: 'good.js',
      ...everywhere({ program: 'evil.js', preLaunchTask: 'build', type: 'test' }),
    });
    assert.deepEqual(await card(on), [
      'Start debugging It (test) in app',
      'What the task build runs is not known before it starts',
      'Runs the task build first',
      'Runs evil.js',
    ]);
    const tool = ALL_TOOLS.find((candidate) => candidate.name === 'start_debugging');
    assert.ok(tool);
    await runTool(tool, { configuration_name: 'It', timeout_seconds: 1 }, on.services, on.call);
    const [started] = on.host.started;
    assert.deepEqual(
      [started?.['program'], started?.['linux'], started?.['osx'], started?.['windows']],
      ['evil.js', undefined, undefined, undefined],
    );
  });

  it('are refused if a section names a debugger that is not installed', async () => {
    await assert.rejects(
      card(configured({ program: 'good.js', ...everywhere({ type: 'cobol' }) })),
      failsWith('debugger_not_installed'),
    );
  });

  it('show the values of a folder’s settings that are filled in', async () => {
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

  it('show a command that a setting brings in, because VS Code runs it', async () => {
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
  it('starts the configuration that the person was asked about, or nothing', async () => {
    const tool = ALL_TOOLS.find((candidate) => candidate.name === 'start_debugging');
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
      started.push(...on.host.started.map((configuration) => configuration['program']));
    }
    assert.ok(started.length > 0);
    assert.deepEqual(new Set(started), new Set(['good.js']));
  });
});

describe('text that is designed to keep VS Code busy', () => {
  const soon = async (action: () => Promise<unknown>): Promise<void> => {
    // CPU time, because the machine may be busy with something else.
    const started = process.cpuUsage();
    await action();
    const milliseconds = process.cpuUsage(started).user / 1000;
    assert.ok(milliseconds < 5000, `${Math.round(milliseconds)} ms`);
  };

  it('is refused quickly from an agent: any number of braces', async () => {
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

  it('is refused quickly from a project: settings that name each other twice', async () => {
    const on = configured({ program: '${config:a0}' });
    for (let level = 0; level < 60; level += 1)
      on.workspace.values.set(
        `config:a${level}`,
        `\${config:a${level + 1}}\${config:a${level + 1}}`,
      );
    await soon(async () => await assert.rejects(card(on), failsWith('invalid_input')));
  });

  it('is refused quickly from a project: a long chain of settings', async () => {
    const on = configured({ program: '${config:a0}' });
    for (let level = 0; level < 50_000; level += 1)
      on.workspace.values.set(`config:a${level}`, `\${config:a${level + 1}}`);
    await soon(async () => await assert.rejects(card(on), failsWith('invalid_input')));
  });
});

describe('variables in the values that an agent passes', () => {
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
    it(`${variable} is refused in any value`, async () => {
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

  it('a program whose path contains a variable is refused', async () => {
    const on = bench();
    on.workspace.files.set('/home/ada/app/${command:evil}.js', 'x');
    await refusal(on, { program: '${command:evil}.js' });
  });

  it('a value that becomes a variable only when it is filled in is refused', async () => {
    await refusal(configured({ program: '$${input:x}' }), {
      configuration_name: 'It',
      inputs: { x: '{command:evil}' },
    });
    await refusal(configured({ program: '${input:x}${input:y}' }), {
      configuration_name: 'It',
      inputs: { x: '$', y: '{command:evil}' },
    });
  });

  it('text that VS Code leaves unchanged is accepted: shell and program text', async () => {
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
