import { strict as assert } from 'node:assert';
import {
  fillVariables,
  questionsOf,
  wrongValue,
} from '../../../../src/tools/launch/launchVariables';
import { failsWith } from '../../support/services';

describe('variables of a launch configuration', () => {
  const configuration = {
    name: 'Run',
    program: '${input:which}',
    args: ['${input:which}', '${workspaceFolder}', '${command:extension.pickTest}'],
    env: { NODE: '${command:python.interpreterPath}' },
  };

  it('that ask the person are each found once, with their definition in launch.json', () => {
    const inputs = [
      {
        id: 'which',
        type: 'pickString',
        description: 'Which program?',
        options: ['one', { label: 'The second', value: 'two' }],
        default: 'one',
      },
    ];
    assert.deepEqual(questionsOf(configuration, inputs), [
      { id: 'which', description: 'Which program?', options: ['one', 'two'], default: 'one' },
      { id: 'extension.pickTest' },
    ]);
  });

  it('do not ask the person if they are computed', () => {
    assert.deepEqual(
      questionsOf({ program: '${input:computed}' }, [
        { id: 'computed', type: 'command', command: 'my.outputPath' },
      ]),
      [],
    );
    assert.deepEqual(
      questionsOf({ program: '${input:chosen}' }, [
        { id: 'chosen', type: 'command', command: 'my.pickTarget' },
      ]),
      [{ id: 'chosen' }],
    );
  });

  it('are replaced by the given values everywhere; the others stay', () => {
    const filled = fillVariables(configuration, { which: 'main.js', 'extension.pickTest': 'all' });
    assert.deepEqual(filled, {
      name: 'Run',
      program: 'main.js',
      args: ['main.js', '${workspaceFolder}', 'all'],
      env: { NODE: '${command:python.interpreterPath}' },
    });
    assert.equal(configuration.program, '${input:which}', 'the original is untouched');
  });

  it('are not filled in within a value, and a value that makes a variable is refused', () => {
    assert.equal(fillVariables({ a: '${input:x}' }, { x: '${name}', name: 'no' })['a'], '${name}');
    assert.throws(
      () => fillVariables({ a: '${input:x}' }, { x: '${input:y}', y: 'no' }),
      failsWith('invalid_input'),
    );
  });

  it('accept only a value that their list offers', () => {
    const inputs = [
      { id: 'which', type: 'pickString', options: ['one', { label: 'The second', value: 'two' }] },
      { id: 'free', type: 'promptString' },
    ];
    assert.equal(wrongValue({ which: 'two', free: 'anything', other: 'x' }, inputs), undefined);
    assert.deepEqual(wrongValue({ which: 'three' }, inputs), {
      id: 'which',
      options: ['one', 'two'],
    });
    assert.equal(
      wrongValue({ which: 'three' }, [...inputs, { id: 'which', type: 'promptString' }]),
      undefined,
      'another folder’s takes any',
    );
  });
});
