import { strict as assert } from 'node:assert';
import { readLaunches, type LaunchSource } from '../../../../src/tools/launch/launchFile';
import { failsWith } from '../../support/services';

const folder = { name: 'app', path: '/home/ada/app' };
const file = (text: string): LaunchSource => ({
  kind: 'folder',
  folder,
  content: { text, file: '/home/ada/app/.vscode/launch.json' },
});
const value = (root: unknown): LaunchSource => ({
  kind: 'workspace_file',
  folder: undefined,
  content: { value: root },
});
const names = (...sources: LaunchSource[]): string[] =>
  readLaunches(sources).configurations.map((configuration) => configuration.name);

describe('launch files', () => {
  it('may contain comments and trailing commas', () => {
    assert.deepEqual(
      names(
        file(
          '{\n// a comment\n"configurations": [ { "name": "One", /* here */ "type": "node", }, ],\n}',
        ),
      ),
      ['One'],
    );
  });

  it('keep every property of a configuration unchanged', () => {
    const configuration = {
      name: 'One',
      type: 'node',
      env: { A: '1' },
      args: [1, null],
      serverReadyAction: { nested: { deep: true } },
    };
    assert.deepEqual(
      readLaunches([file(JSON.stringify({ configurations: [configuration] }))]).configurations,
      [{ name: 'One', folder, configuration }],
    );
  });

  it('report an error with the file and the line', () => {
    assert.throws(
      () =>
        readLaunches([
          file('{\n  "configurations": [\n    { "name": "One" "type": "node" }\n  ]\n}'),
        ]),
      (error: unknown) => {
        failsWith('launch_file_invalid')(error);
        assert.match(String(error), /\/home\/ada\/app\/\.vscode\/launch\.json .*line 3\b/);
        return true;
      },
    );
  });

  it('report an error for a broken file even if its beginning can be read', () => {
    assert.throws(
      () => readLaunches([file('{"configurations":[{"name":"One"}]')]),
      failsWith('launch_file_invalid'),
    );
  });

  it('may be empty without an error', () => {
    assert.deepEqual(readLaunches([file('')]), { configurations: [], compounds: [], inputs: [] });
    assert.deepEqual(readLaunches([file('// nothing yet\n')]).configurations, []);
  });

  it('are read in order, each entry with its folder', () => {
    const launches = readLaunches([
      file('{"configurations":[{"name":"One"}]}'),
      value({
        configurations: [{ name: 'Two' }],
        compounds: [{ name: 'Both', configurations: ['One', 'Two'] }],
        inputs: [{ id: 'port', type: 'promptString' }, 5],
      }),
    ]);
    assert.deepEqual(
      launches.configurations.map((configuration) => [
        configuration.name,
        configuration.folder?.name,
      ]),
      [
        ['One', 'app'],
        ['Two', undefined],
      ],
    );
    assert.deepEqual(
      launches.compounds.map((compound) => compound.name),
      ['Both'],
    );
    assert.deepEqual(launches.inputs, [{ id: 'port', type: 'promptString' }]);
  });

  it('omit entries without a name, and values that are not lists', () => {
    assert.deepEqual(
      names(
        file('{"configurations":[{"type":"node"},{"name":5},"One",null,["x"],{"name":"Good"}]}'),
      ),
      ['Good'],
    );
    assert.deepEqual(
      names(
        file('[]'),
        file('{"configurations":{"name":"x"}}'),
        file('"text"'),
        value(undefined),
        value(null),
        value('x'),
      ),
      [],
    );
  });
});
