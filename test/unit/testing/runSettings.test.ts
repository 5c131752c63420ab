import { strict as assert } from 'node:assert';
import path from 'node:path';
import { fields } from '../../../src/debugger/protocol';
import { LAUNCH_MARK } from '../../../src/debugger/state/launchMark';
import { withTestFiles } from '../../../src/testing/scratchOfRun';
import { ask, type Answer } from '../support/asking';
import { created, ended } from '../support/events';
import { bench, FakeScratch, type Bench } from '../support/services';

const FOLDER = '/home/ada/app';
const FILE = `${FOLDER}/test_cart.py`;

interface Project {
  readonly on: Bench;
  readonly scratch: FakeScratch;
}

/** A pytest project in which each run reports the next of the outcomes. */
function project(outcomes: readonly string[] = ['passed']): Project {
  const scratch = new FakeScratch();
  const on = bench();
  Object.assign(on.services, { scratch });
  on.workspace.files.set(FILE, 'import pytest\n\ndef test_adds():\n    pass\n');
  on.workspace.files.set(`${FOLDER}/pytest.ini`, '');
  on.workspace.debuggers = () => [
    { type: 'debugpy', label: 'Python', languages: ['python'] },
    { type: 'pwa-node', label: 'Node', languages: ['javascript'] },
  ];
  let runs = 0;
  on.host.onStart = async (configuration) => {
    const status = outcomes[runs] ?? 'failed';
    runs += 1;
    const entry = JSON.stringify({ path: ['test_adds'], file: FILE, line: 3, status });
    for (const folder of scratch.folders.values()) folder.set('report.jsonl', `${entry}\n`);
    const [key, name] = [`run${runs}`, String(configuration['name'])];
    on.model.dispatch(created(key, { name, configuration, sessionType: 'debugpy' }));
    on.model.dispatch(ended(key));
    return true;
  };
  return { on, scratch };
}

async function debug({ on }: Project, more: object = {}): Promise<Answer> {
  return await ask(on, 'debug_test', { file_path: FILE, test_name: 'test_adds', ...more });
}

/** The configuration of the first run, with the variables of its environment. */
function firstRun({ on }: Project): {
  readonly cwd: unknown;
  readonly env: Record<string, unknown>;
} {
  const [configuration = {}] = on.host.started;
  return { cwd: configuration['cwd'], env: { ...fields(configuration['env']) } };
}

describe('the settings of a run of a test', () => {
  it('repeat the test until it fails, and tell the number of runs', async () => {
    const flaky = await debug(project(['passed', 'passed', 'failed', 'passed']), { repeat: 9 });
    assert.deepEqual([flaky['outcome'], flaky['runs']], ['failed', 3], JSON.stringify(flaky));
    const stable = await debug(project(['passed', 'passed', 'passed']), { repeat: 3 });
    assert.deepEqual([stable['outcome'], stable['runs']], ['passed', 3]);
    assert.equal('runs' in (await debug(project())), false);
  });

  it('add an environment to that of the run, and replace its folder', async () => {
    const run = project();
    const answer = await debug(run, {
      env: { PYTHONPATH: 'lib', MODE: 'slow' },
      cwd: `${FOLDER}/tests`,
    });
    assert.equal(answer['outcome'], 'passed', JSON.stringify(answer));
    const { cwd, env } = firstRun(run);
    assert.equal(cwd, `${FOLDER}/tests`);
    assert.equal(env['MODE'], 'slow');
    const [own, theirs] = String(env['PYTHONPATH']).split(path.delimiter);
    assert.deepEqual([own === '', theirs], [false, 'lib']);
  });

  it('take over the environment of a configuration, but not what it starts', async () => {
    const run = project();
    run.on.workspace.sources = [
      {
        kind: 'folder',
        folder: { name: 'app', path: FOLDER },
        content: {
          value: {
            configurations: [
              {
                name: 'Tests',
                type: 'debugpy',
                request: 'launch',
                program: 'x.py',
                env: { A: '1' },
              },
              { name: 'Page', type: 'pwa-node', request: 'launch', program: 'x.js' },
            ],
          },
        },
      },
    ];
    await debug(run, { configuration_name: 'Tests' });
    assert.equal(firstRun(run).env['A'], '1');
    assert.equal(run.on.host.started[0]?.['program'], undefined);
    const refused = await debug(run, { configuration_name: 'none' });
    assert.equal(refused['code'], 'configuration_not_found');
    const other = await debug(run, { configuration_name: 'Page' });
    assert.equal(other['code'], 'invalid_input', JSON.stringify(other));
    assert.equal(run.on.host.started.length, 1);
  });
});

describe('the folder of a run of a test', () => {
  const plan = {
    scratch: { name: 'one', files: { 'a.py': '' }, report: 'report.jsonl' },
    test: { path: ['adds'], line: 1, isTemplate: false },
  };

  it('is removed after the run', async () => {
    const { on, scratch } = project();
    await withTestFiles(on.services, plan, async () => {
      assert.deepEqual([...scratch.folders.keys()], ['one']);
    });
    assert.deepEqual([...scratch.folders.keys()], []);
  });

  it('stays as long as a session uses it, which the call left stopped', async () => {
    const { on, scratch } = project();
    await withTestFiles(on.services, plan, async () => {
      const configuration = { [LAUNCH_MARK]: 'm', args: [`${scratch.pathOf('one')}/a.py`] };
      on.model.dispatch(created('left', { configuration }));
    });
    assert.deepEqual([...scratch.folders.keys()], ['one']);
    const removed = new Promise<void>((resolve) => {
      const remove = scratch.remove.bind(scratch);
      scratch.remove = async (name) => {
        await remove(name);
        resolve();
      };
    });
    on.model.dispatch(ended('left'));
    await removed;
    assert.deepEqual([...scratch.folders.keys()], []);
  });
});
