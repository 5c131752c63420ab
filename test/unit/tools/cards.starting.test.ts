import { strict as assert } from 'node:assert';
import { ALL_TOOLS } from '../../../src/tools/catalog';
import { readCard } from '../support/card';
import { launched } from '../support/events';
import { bench, failsWith, FILE, type Bench } from '../support/services';
import { question, cardText, configured } from '../support/cards';

describe('cards: starting', () => {
  it('name the configuration, its debugger and its folder, and what it runs', async () => {
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
    on.workspace.tasks.set('build', [{ name: 'build', command: 'make all', isByExtension: false }]);
    assert.deepEqual(
      readCard(await cardText(on, 'start_debugging', { configuration_name: 'Launch tests' })),
      [
        'Start debugging Launch tests (test) in app',
        'The task build runs make all',
        'What the task clean runs is not known before it starts',
        'Runs the task build first',
        'Runs the task clean at the end',
        'Runs test/all.js --grep "two words"',
        'In the folder test',
        'With the environment MODE=fast',
      ],
    );
    assert.match(
      await cardText(on, 'start_debugging', { configuration_name: 'Launch tests' }),
      /^Start debugging \*\*Launch tests\*\* \(test\) in \*app\*\n- The task `build` runs `make all`\n/,
    );
  });

  it('say that the program runs without debugging', async () => {
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

  it('name the target of an attach', async () => {
    const where = async (configuration: object): Promise<string | undefined> =>
      readCard(
        await cardText(
          configured([{ name: 'A', type: 'test', request: 'attach', ...configuration }]),
          'start_debugging',
          { configuration_name: 'A' },
        ),
      )[1];
    assert.equal(
      readCard(
        await cardText(
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

  it('list the inputs that VS Code will ask for, and fill in the inputs that the call passes', async () => {
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
      readCard(await cardText(on, 'start_debugging', { configuration_name: 'Asks' })).slice(1),
      [
        'Runs the command pickPort',
        'Runs ${input:file} ${command:pickPort}',
        'VS Code asks you for: file',
      ],
    );
    assert.deepEqual(
      readCard(
        await cardText(on, 'start_debugging', {
          configuration_name: 'Asks',
          inputs: { file: 'a.js', pickPort: '1' },
        }),
      ).slice(1),
      ['Runs a.js 1'],
    );
  });

  it('describe a program without a configuration in the same way as one with a configuration', async () => {
    assert.deepEqual(
      readCard(
        await cardText(bench(), 'start_debugging', {
          program: 'main.js',
          args: ['1'],
          env: { A: 'b c' },
        }),
      ),
      ['Start debugging main.js (test) in app', 'Runs main.js 1', 'With the environment "A=b c"'],
    );
  });

  it('list each member of a compound', async () => {
    const members = Array.from({ length: 10 }, (_, index) => ({
      name: `m${index}`,
      type: 'test',
      request: 'launch',
      program: `${index}.js`,
      ...(index === 0 ? { cwd: '/srv' } : {}),
    }));
    const on = configured(members, {
      compounds: [
        {
          name: 'All',
          configurations: members.map((member) => member.name),
          preLaunchTask: 'build',
        },
      ],
    });
    const lines = readCard(await cardText(on, 'start_debugging', { configuration_name: 'All' }));
    assert.deepEqual(lines.slice(0, 5), [
      'Start debugging All (test) in app',
      'Runs the task build first',
      'What the task build runs is not known before it starts',
      'm0 (test): Runs 0.js; In the folder /srv',
      'm1 (test): Runs 1.js',
    ]);
    assert.equal(lines.at(-1), 'm9 (test): Runs 9.js');
  });

  it('are not shown for a call that would fail', async () => {
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

describe('cards: starting with more parameters', () => {
  const lines = async (on: Bench, input: object): Promise<readonly string[]> =>
    readCard(await cardText(on, 'start_debugging', input));

  it('name the attributes that the agent sets in a configuration, and show their values', async () => {
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

  it('name the session that is stopped first, and whose it is', async () => {
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

  it('name each breakpoint, and need consent for a change if one evaluates an expression', async () => {
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
    const tool = ALL_TOOLS.find((candidate) => candidate.name === 'start_debugging');
    assert.ok(tool);
    assert.equal(tool.check(input).consent(on.services), 'change');
    assert.equal(
      tool.check({ ...input, breakpoints: input.breakpoints.slice(0, 1) }).consent(on.services),
      'control',
    );
  });
});
