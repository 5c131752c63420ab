import { strict as assert } from 'node:assert';
import { planFor } from '../../../../src/tools/launch/launchPlan';
import { startInput } from '../../../../src/tools/launch/startInput';
import { runTasks } from '../../../../src/tools/launch/preLaunchTasks';
import { bench, type Bench } from '../../support/services';

const ONE = { name: 'one', path: '/home/ada/one' };
const TWO = { name: 'two', path: '/home/ada/two' };

/** A workspace of two folders, each with a launch.json of its own. */
function twoFolders(one: object, two: object): Bench {
  const on = bench();
  on.workspace.folders = [ONE, TWO];
  on.workspace.sources = [
    {
      kind: 'folder',
      folder: ONE,
      content: { text: JSON.stringify(one), file: `${ONE.path}/.vscode/launch.json` },
    },
    {
      kind: 'folder',
      folder: TWO,
      content: { text: JSON.stringify(two), file: `${TWO.path}/.vscode/launch.json` },
    },
  ];
  return on;
}

const configuration = (name: string, more: object = {}): object => ({
  name,
  type: 'test',
  request: 'launch',
  ...more,
});

describe('the launch plan of a workspace with several folders', () => {
  it('runs a preLaunchTask once in each folder that has one of that name', async () => {
    const on = twoFolders(
      {
        configurations: [configuration('Server', { preLaunchTask: 'build' })],
        compounds: [
          {
            name: 'Both',
            configurations: [
              'Server',
              { name: 'Client', folder: 'two' },
              { name: 'Again', folder: 'two' },
            ],
          },
        ],
      },
      {
        configurations: [
          configuration('Client', { preLaunchTask: 'build' }),
          configuration('Again', { preLaunchTask: 'build' }),
        ],
      },
    );
    const runs: (string | undefined)[] = [];
    Object.assign(on.workspace, {
      runTask: (_task: unknown, folderPath: string | undefined) => {
        runs.push(folderPath);
        return Promise.resolve({ name: 'build', exitCode: 0, problems: [], output: [] });
      },
    });
    const plan = await planFor(on.services, startInput.parse({ configuration_name: 'Both' }));
    const left = await runTasks(on.services, plan, on.call, performance.now() + 10_000);
    assert.deepEqual(runs, [ONE.path, TWO.path]);
    assert.deepEqual(
      left.launches.map((launch) => 'preLaunchTask' in launch.configuration),
      [false, false, false],
    );
  });

  it('takes a member of a compound from the folder that the member names', async () => {
    const on = twoFolders(
      {
        configurations: [configuration('Server', { program: 'one.js' })],
        compounds: [
          { name: 'Both', configurations: ['Server', { name: 'Server', folder: 'two' }] },
        ],
      },
      { configurations: [configuration('Server', { program: 'two.js' })] },
    );
    const plan = await planFor(on.services, startInput.parse({ configuration_name: 'Both' }));
    assert.deepEqual(
      plan.launches.map((launch) => [launch.folderPath, launch.configuration['program']]),
      [
        [ONE.path, 'one.js'],
        [TWO.path, 'two.js'],
      ],
    );
  });
});

describe('the launch plan of a TypeScript file', () => {
  const file = '/home/ada/app/src/main.ts';
  const started = async (input: object, tsx = true): Promise<Readonly<Record<string, unknown>>> => {
    const on = bench();
    on.workspace.debuggers = () => [
      { type: 'node', label: 'Node.js', languages: ['javascript', 'typescript'] },
      { type: 'chrome', label: 'Chrome', languages: ['typescript'] },
    ];
    on.workspace.files.set(file, '');
    if (tsx) on.workspace.files.set('/home/ada/app/node_modules/.bin/tsx', '#!/usr/bin/env node\n');
    const plan = await planFor(on.services, startInput.parse({ program: file, ...input }));
    assert.equal(plan.shown, plan.launches[0]?.configuration, 'what is started is told');
    return plan.launches[0]?.configuration ?? {};
  };

  it('runs it with the project’s tsx and its arguments', async () => {
    const { type, program, args, name } = await started({ args: ['--fast'] });
    assert.deepEqual(
      [type, program, args, name],
      ['node', '/home/ada/app/node_modules/.bin/tsx', [file, '--fast'], 'main.ts'],
    );
  });

  it('leaves it to Node if the project has no tsx, and to another debugger that is requested', async () => {
    const plain = await started({ args: ['--fast'] }, false);
    assert.deepEqual([plain['program'], plain['args']], [file, ['--fast']]);
    assert.equal((await started({ type: 'chrome' }))['program'], file);
  });
});
